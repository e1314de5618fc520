//===- Object.cpp - Objects of a program's classes ------------------------===//
#include "tsc/Runtime/Object.h"
#include "ObjectErrors.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/MemoryErrors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace tsc;

ObjectUnit::~ObjectUnit() = default;

/// Binds the arguments to the function's signature, in place; `call` makes the call with them and sets its results.
template <typename F>
static StatusOr<IValue> callWith(Function &function, CallContext &context, std::vector<IValue> &args,
                                 const KeywordArguments &kwargs, F &&call) {
  TSC_RETURN_IF_ERROR(bindArguments(context.context(), function.schema(), args, kwargs));
  std::vector<IValue> results;
  TSC_RETURN_IF_ERROR(call(results));
  if (results.empty())
    return IValue();
  return results.size() == 1 ? std::move(results[0]) : makeTuple(std::move(results));
}

StatusOr<IValue> tsc::callFunction(const GraphExecutor &executor, Function &function, CallContext &context,
                                   std::vector<IValue> &&args, const KeywordArguments &kwargs) {
  // The signature of a function without annotations is known once its body is compiled.
  if (!function.hasSchema() && failed(function.ensureDefined()))
    return invalidArgument("function '" + function.qualifiedName() + "' could not be compiled");
  return callWith(function, context, args, kwargs,
                  [&](std::vector<IValue> &results) { return executor.call(function, context, args, results); });
}

//===----------------------------------------------------------------------===//
// Attributes and constants
//===----------------------------------------------------------------------===//

/// Returns the value of an attribute or of a constant of the class, or null where there is neither.
static const IValue *heldValue(const ObjectValue &object, llvm::StringRef name) {
  const IValue *value = object.findAttribute(name);
  return value ? value : object.type->findConstant(name);
}

bool Object::hasAttribute(llvm::StringRef name) const { return heldValue(*self, name) != nullptr; }

StatusOr<IValue> Object::attribute(llvm::StringRef name) const {
  if (const IValue *value = heldValue(*self, name))
    return *value;
  return notFound("'" + self->type->name() + "' has no attribute '" + name + "'");
}

IValue Object::attribute(llvm::StringRef name, IValue orElse) const {
  const IValue *value = heldValue(*self, name);
  return value ? *value : std::move(orElse);
}

Status tsc::wrongTypeOfAttribute(const ClassAttribute &attribute, const IValue &value) {
  return invalidArgument("Expected a value of type '" + attribute.type->str() + "' for field '" + attribute.name +
                         "', but found '" + pythonTypeName(value) + "'");
}

Status Object::setAttribute(llvm::StringRef name, IValue value) const {
  auto slot = self->type->findAttribute(name);
  if (const IValue *constant = slot ? nullptr : self->type->findConstant(name)) {
    std::string text;
    llvm::raw_string_ostream os(text);
    printValue(os, *constant);
    return invalidArgument("Can't set constant '" + name + "' which has value:" + os.str());
  }
  if (!slot)
    return notFound("Module has no attribute '" + name + "'");
  const ClassAttribute &attribute = self->type->attribute(*slot);
  if (!isInstanceOf(value, attribute.type))
    return wrongTypeOfAttribute(attribute, value);
  self->setSlot(*slot, std::move(value));
  executor->noteModuleChange();
  return okStatus();
}

//===----------------------------------------------------------------------===//
// Methods
//===----------------------------------------------------------------------===//

Function *Object::findMethod(llvm::StringRef name) const {
  Function *listed = self->type->findMethod(name);
  return listed || !owner ? listed : owner->declareMethod(*self->type, name);
}

/// Returns NotFound, with the names of the methods that the class lists.
static Status noMethod(const ClassType &type, llvm::StringRef name) {
  std::string known;
  for (Function *other : type.methods())
    known += (known.empty() ? "" : ", ") + other->name().str();
  return notFound("Method '" + name + "' is not defined in '" + type.name() +
                  "', which has: " + (known.empty() ? "no methods" : known));
}

StatusOr<Method> Object::method(llvm::StringRef name) const {
  Function *found = findMethod(name);
  if (!found)
    return noMethod(*self->type, name);
  return Method(*this, *found);
}

std::vector<Method> Object::methods() const {
  std::vector<Method> bound;
  for (Function *each : self->type->methods())
    bound.emplace_back(*this, *each);
  return bound;
}

Status Object::define(llvm::StringRef source) const {
  if (!owner)
    return failedPrecondition(
        "methods cannot be added to an object that belongs to no program; take it from Program::object() or "
        "Program::findModule()");
  if (frozen)
    return unimplemented("methods cannot be added to a frozen module; add them before it is frozen");
  TSC_RETURN_IF_ERROR(owner->define(const_cast<ClassType &>(*self->type), source));
  executor->noteModuleChange();
  return okStatus();
}

StatusOr<IValue> Object::run(CallContext &context, llvm::StringRef name, std::vector<IValue> args,
                             KeywordArguments kwargs) const {
  Function *method = findMethod(name);
  if (!method)
    return noMethod(*self->type, name);
  return run(context, *method, std::move(args), kwargs);
}

StatusOr<IValue> Object::run(CallContext &context, Function &method, std::vector<IValue> &&args,
                             const KeywordArguments &kwargs) const {
  args.emplace(args.begin(), self);
  return call(method, context, std::move(args), kwargs);
}

const Graph *Object::graphOf(const Function &method) const {
  if (!frozen)
    return method.graph();
  auto at = llvm::find_if(frozen->methods, [&](const FrozenMethod &each) { return each.function == &method; });
  return at == frozen->methods.end() ? nullptr : at->graph.get();
}

/// Calls a method as the program has it, or, of a frozen module, as it was frozen.
StatusOr<IValue> Object::call(Function &method, CallContext &context, std::vector<IValue> &&args,
                              const KeywordArguments &kwargs) const {
  if (!frozen)
    return callFunction(*executor, method, context, std::move(args), kwargs);
  if (const Graph *graph = graphOf(method))
    return callWith(method, context, args, kwargs, [&](std::vector<IValue> &results) {
      return executor->call(*graph, method.qualifiedName(), context, args, results);
    });
  return notFound("Method '" + method.name() + "' was not among those for which the module was frozen");
}

std::future<StatusOr<IValue>> Method::runAsync(CallContext &context, std::vector<IValue> args, KeywordArguments kwargs,
                                               const Launcher &launch) const {
  struct Call {
    std::optional<Method> method;
    std::vector<IValue> args;
    KeywordArguments kwargs;
    std::promise<StatusOr<IValue>> result;
  };
  // Shared, since a std::function copies what it holds.
  std::shared_ptr<Call> pending(new Call{*this, std::move(args), std::move(kwargs), {}});
  std::future<StatusOr<IValue>> result = pending->result.get_future();
  launch([pending, &context] {
    StatusOr<IValue> made = orMemoryError([&]() -> StatusOr<IValue> {
      return (*pending->method)(context, std::move(pending->args), std::move(pending->kwargs));
    });
    pending->method.reset(); // who gets the result may let the program go
    pending->result.set_value(std::move(made));
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

Object Object::copy() const {
  Object result = *this;
  result.self = self->copy();
  return result;
}

Object Object::deepcopy() const {
  IValue copied = deepCopy(IValue(self));
  Object result = *this;
  result.self = Ref<ObjectValue>::share(&copied.toObject());
  return result;
}
