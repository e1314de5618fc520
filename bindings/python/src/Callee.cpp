//===- Callee.cpp - What of a program Python calls ------------------------===//
#include "Callee.h"
#include "Calls.h"
#include "Eager.h"
#include "Values.h"
#include "script/EagerTrace.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Tape/Gradients.h"
#include "tsc/Transforms/Inlining.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tsc;
using namespace tsc::bindings;

void bindings::destroyCallee(Callee *callee) {
  if (callee->program.use_count() == 1) {
    WithoutGil released; // the program goes, which may wait for a thread that compiles
    delete callee;
  } else {
    delete callee;
  }
  clearReleased();
}

const Object *Callee::self() const {
  if (method)
    return &method->owner();
  return module ? &*module : object ? &*object : nullptr;
}

void Callee::findEntry() {
  if (shared->hasEntry.load(std::memory_order_acquire)) [[likely]]
    return;
  // What another thread has found meanwhile stays, as it may be calling that.
  auto keep = [&](std::optional<Program::Entry> made) {
    nb::ft_lock_guard lock(shared->mutex);
    if (!entry)
      entry = std::move(made);
    shared->hasEntry.store(entry.has_value(), std::memory_order_release);
    return entry.has_value();
  };
  if (keep(std::nullopt))
    return;
  assert((entryName || method || module) && "what can be called");
  StatusOr<Program::Entry> found = [&] {
    WithoutGil released;
    const Program &owner = *program->program;
    return entryName ? owner.find(*entryName) : owner.entryOf(self()->object(), method ? method->name() : "");
  }();
  keep(program->orRaise(std::move(found)));
  program->messages->warn();
}

const FunctionSchema &Callee::schema() {
  if (method)
    return method->function().schema();
  findEntry();
  return entry->schema();
}

bool Callee::selfHoldsGradients() {
  const Object *owner = self();
  if (!owner)
    return false;
  const uint64_t now = gradientMarks(), known = shared->held.load(std::memory_order_relaxed);
  bool holds = known % 2 != 0;
  if (known / 2 == now) [[likely]]
    return holds;
  program->read([&] { holds = holdsGradients(IValue(owner->object())); });
  shared->held.store(2 * now + holds, std::memory_order_relaxed);
  return holds;
}

/// Finds out what functions, and those that they call, may do. A call of an interface may be one of any method.
static Callee::Traits traitsOf(llvm::SmallVector<Function *> pending) {
  llvm::SmallPtrSet<Function *, 16> seen;
  Callee::Traits traits;
  while (!pending.empty()) {
    Function *function = pending.pop_back_val();
    if (!function || failed(function->ensureDefined()) || !function->graph())
      return {/*mayDraw=*/true, /*makesLeaves=*/false, /*usesGradients=*/true, /*callsPython=*/true};
    if (!seen.insert(function).second)
      continue;
    walkWithSubgraphs(*function->graph(), [&](Node &node) {
      traits.mayDraw |= changesGenerator(node);
      traits.callsPython |= node.kindName().starts_with("python::");
      traits.makesLeaves |= mayMakeLeaf(node) || traits.callsPython; // Python's functions may make some
      traits.usesGradients |= asksForGradients(node) || node.opKind() == OpKind::Prim_grad;
      if (node.kind() == prim::CallFunction || node.kind() == prim::CallMethod || node.kind() == prim::InterfaceCall)
        pending.push_back(calleeOf(node));
      const auto *type = node.numInputs() ? llvm::dyn_cast<ClassType>(node.input(0)->type()) : nullptr;
      if (type && node.kind() == prim::Enter)
        pending.append({type->findMethod("__enter__"), type->findMethod("__exit__")});
    });
  }
  return traits;
}

Callee::Traits Callee::traits() {
  if (nb::ft_lock_guard lock(shared->mutex); shared->found)
    return *shared->found;
  findEntry();
  llvm::SmallVector<Function *> functions;
  if (method)
    functions.push_back(&method->function());
  else if (function || !module)
    functions.push_back(function);
  else
    functions.push_back(module->findMethod("forward"));
  if (module)
    for (const std::vector<std::string> *names :
         {&module->type().forwardHooks().before, &module->type().forwardHooks().after})
      for (const std::string &name : *names)
        functions.push_back(module->findMethod(name));
  const Traits found = traitsOf(std::move(functions));
  nb::ft_lock_guard lock(shared->mutex);
  shared->found = found;
  return found;
}

StatusOr<IValue> Callee::run(CallContext &context, std::vector<IValue> args, KeywordArguments kwargs) const {
  return program->program->run(context, *entry, std::move(args), std::move(kwargs));
}

nb::object Callee::call(const CallArguments &arguments) {
  findEntry();
  std::vector<IValue> args;
  args.reserve(arguments.numArgs + 1); // a method's object goes before them
  bool records = false;
  for (size_t i = 0; i != arguments.numArgs; ++i) {
    args.push_back(toIValue(arguments.args[i], program.get()));
    records |= holdsGradients(args.back());
  }
  KeywordArguments kwargs;
  for (size_t i = 0; i != arguments.numKeywords(); ++i) {
    kwargs.emplace_back(textOf(arguments.keyword(i)), toIValue(arguments.keywordValue(i), program.get()));
    records |= holdsGradients(kwargs.back().second);
  }
  if (EagerTrace *trace = EagerTrace::current()) [[unlikely]] {
    if (&trace->context.context() != &program->program->context())
      raise(PyExc_RuntimeError, "the trace cannot hold a call of '" + program->name +
                                    "', which is another program: trace calls of functions that tsc.jit compiled");
    trace->numbers.clear();
    return toPython(program->orRaise(run(trace->context, std::move(args), std::move(kwargs))), program);
  }
  return toPython(call(std::move(args), std::move(kwargs), records), program);
}

IValue Callee::call(std::vector<IValue> args, KeywordArguments kwargs, bool holdGradients) {
  findEntry();
  const bool records =
      ThreadState::get().gradMode && (holdGradients || selfHoldsGradients() || (function && traits().makesLeaves));
  EngineCall call(program->program->context(), program->executor.get());
  call.context().quotas = program->quotas;
  if (records)
    call.record();
  StatusOr<IValue> result = call.run([&] { return run(call.context(), std::move(args), std::move(kwargs)); });
  return program->orRaise(std::move(result));
}

//===----------------------------------------------------------------------===//
// tsc.Function
//===----------------------------------------------------------------------===//

namespace {
struct FunctionObject {
  PyObject base;
  vectorcallfunc vectorcall;
  PyObject *weakReferences;
  Callee *callee; ///< The object's own.
};
} // namespace

static PyTypeObject *functionType = nullptr;

static PyObject *callFunctionObject(PyObject *self, PyObject *const *args, size_t numArgs,
                                    PyObject *keywords) noexcept {
  return guardedObject(
      [&] { return reinterpret_cast<FunctionObject *>(self)->callee->call(CallArguments(args, numArgs, keywords)); });
}

nb::object bindings::makeFunction(Callee callee) {
  nb::object object = owned(PyType_GenericAlloc(functionType, 0));
  auto *made = reinterpret_cast<FunctionObject *>(object.ptr());
  made->vectorcall = callFunctionObject;
  made->callee = new Callee(std::move(callee));
  return object;
}

static void deallocate(PyObject *self) noexcept {
  auto *object = reinterpret_cast<FunctionObject *>(self);
  PyTypeObject *type = Py_TYPE(self);
  if (object->weakReferences)
    PyObject_ClearWeakRefs(self);
  destroyCallee(object->callee);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static Callee &calleeOf(PyObject *self) { return *reinterpret_cast<FunctionObject *>(self)->callee; }

Callee *bindings::calleeOfFunction(nb::handle object) {
  return Py_TYPE(object.ptr()) == functionType ? &calleeOf(object.ptr()) : nullptr;
}

static llvm::StringRef nameOf(const Callee &callee) {
  return callee.method ? callee.method->name() : callee.entry->name();
}
static PyObject *getName(PyObject *self, void *) noexcept {
  return guardedObject([&] { return makeStr(std::string_view(nameOf(calleeOf(self)))); });
}
static PyObject *getSchema(PyObject *self, void *) noexcept {
  return guardedObject([&] { return makeStr(calleeOf(self).schema().str()); });
}
static PyObject *getSignature(PyObject *self, void *) noexcept {
  return guardedObject([&] {
    const FunctionSchema &schema = calleeOf(self).schema();
    nb::list parameters;
    const bool hasSelf = calleeOf(self).method || (!schema.arguments().empty() && schema.arguments()[0].name == "self");
    for (const Argument &argument : schema.arguments().drop_front(hasSelf ? 1 : 0))
      parameters.append(nb::make_tuple(
          makeStr(argument.name), makeStr(argument.type->annotation()), argument.defaultValue.has_value(),
          argument.defaultValue ? toPython(*argument.defaultValue, calleeOf(self).program) : nb::none(),
          argument.keywordOnly));
    std::string result = "None";
    if (schema.returns().size() == 1)
      result = schema.returns()[0].type->annotation();
    return nb::object(owned(PyImport_ImportModule("tsc._values")).attr("signature")(parameters, makeStr(result)));
  });
}
static PyObject *getGraph(PyObject *self, void *) noexcept {
  return guardedObject([&]() -> nb::object {
    Callee &callee = calleeOf(self);
    const Graph *graph = callee.method ? callee.method->graph() : nullptr;
    if (!graph)
      return nb::none();
    std::string text;
    llvm::raw_string_ostream os(text);
    graph->print(os);
    return makeStr(text);
  });
}
static PyObject *getDraws(PyObject *self, void *) noexcept {
  return guardedObject([&] { return nb::object(nb::bool_(calleeOf(self).traits().mayDraw)); });
}
static PyObject *getUsesGradients(PyObject *self, void *) noexcept {
  return guardedObject([&] { return nb::object(nb::bool_(calleeOf(self).traits().usesGradients)); });
}
static PyObject *represent(PyObject *self) noexcept {
  return guardedObject([&] { return makeStr("<tsc.Function '" + nameOf(calleeOf(self)).str() + "'>"); });
}

static PyMemberDef memberTable[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(FunctionObject, vectorcall), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(FunctionObject, weakReferences), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
static PyGetSetDef attributeTable[] = {
    {"__name__", getName, nullptr, "The name, without that of its module.", nullptr},
    {"name", getName, nullptr, "The name, without that of its module.", nullptr},
    {"schema", getSchema, nullptr, "The signature, as PyTorch prints it.", nullptr},
    {"__signature__", getSignature, nullptr, "The signature, for inspect.signature.", nullptr},
    {"graph", getGraph, nullptr, "The text of the graph that a call runs; None where it is not known yet.", nullptr},
    {"_draws", getDraws, nullptr, nullptr, nullptr},
    {"_uses_gradients", getUsesGradients, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

void bindings::bindFunctions(nb::module_ &module) {
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(deallocate)},
                         {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
                         {Py_tp_repr, reinterpret_cast<void *>(represent)},
                         {Py_tp_members, memberTable},
                         {Py_tp_getset, attributeTable},
                         {Py_tp_doc, const_cast<char *>("A function or method of a program, compiled. Call it as any "
                                                        "function; other threads of Python run\nmeanwhile.")},
                         {0, nullptr}};
  functionType = makeType(module, "tsc.Function", sizeof(FunctionObject), Py_TPFLAGS_HAVE_VECTORCALL, slots);
}
