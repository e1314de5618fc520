//===- Code.cpp - A graph compiled for the interpreter --------------------===//
#include "tsc/Runtime/Code.h"
#include "Interpreter/Assembler.h"
#include "tsc/IR/Function.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Lowering/Lowering.h"
#include "tsc/Runtime/Specializer.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/Generator.h"
#include "tsc/Transforms/UnusedOperators.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>
#include <shared_mutex>

using namespace tsc;

Code::Code(std::unique_ptr<CodeImpl> impl) : impl(std::move(impl)) {}
Code::~Code() = default;
llvm::StringRef Code::name() const { return impl->name; }
unsigned Code::numInputs() const { return impl->inputSlots.size(); }
unsigned Code::numOutputs() const { return impl->numOutputs; }

StatusOr<std::unique_ptr<Code>> Code::compile(const Graph &graph, llvm::StringRef name, CodeCache &cache) {
  TSC_ASSIGN_OR_RETURN(Routine routine, lower(graph, {cache.areEffectsTracked(), cache.isForTape()}));
  return std::unique_ptr<Code>(new Code(assemble(std::move(routine), name, cache)));
}

StatusOr<std::vector<IValue>> Code::run(CallContext &context, std::vector<IValue> args) const {
  std::vector<IValue> results;
  TSC_RETURN_IF_ERROR(interpret(*impl, context, args, results));
  return results;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

namespace {
class CodePrinter {
public:
  CodePrinter(llvm::raw_ostream &os, const CodeImpl &code) : os(os), code(code) {}

  void print() {
    os << "code " << code.name << ": " << code.numScalarSlots << " scalar slots, "
       << code.frameTemplate.size() - code.numScalarSlots << " value slots, " << code.instructions.size()
       << " instructions\n";
    for (size_t i = 0; i != code.instructions.size(); ++i) {
      os << llvm::formatv("{0,4}  {1}", i, opcodeName(code.opcodes[i]));
      const Instruction &instruction = code.instructions[i];
      const int32_t fields[] = {instruction.a, instruction.b, instruction.c, instruction.d};
      llvm::StringRef kinds = opcodeOperands(code.opcodes[i]);
      for (size_t k = 0; k != kinds.size(); ++k) {
        os << (k ? ", " : " ");
        printField(kinds[k], fields[k], static_cast<int>(i));
      }
      os << '\n';
    }
  }

private:
  void printSlot(int32_t o) {
    if (o == noOperand)
      os << '_';
    else if (o & constantBit) {
      os << 'c' << o / slotSize << '(';
      reprValue(os, code.constants[o / slotSize]);
      os << ')';
    } else {
      os << 'r' << o / slotSize;
      const IValue &preset = code.frameTemplate[o / slotSize];
      if (preset.isDouble() ? preset.toDouble() != 0 : !preset.isNone() && preset.toInt() != 0) {
        os << '(';
        reprValue(os, preset);
        os << ')';
      }
      if (o & lastUse)
        os << '!';
    }
  }
  void printList(int32_t header) {
    os << '[';
    for (int32_t i = 1; i <= code.operands[header]; ++i) {
      os << (i > 1 ? " " : "");
      printSlot(code.operands[header + i]);
    }
    os << ']';
  }
  void printCall(const FunctionCall &call) {
    os << (call.function   ? call.function->qualifiedName()
           : call.subgraph ? llvm::StringRef("subgraph")
                           : llvm::StringRef(call.methodName));
    printList(call.args);
    os << " -> ";
    printList(call.results);
  }
  void printField(char kind, int32_t field, int at) {
    switch (kind) {
    case 't': os << '@' << at + field; break;
    case 'i': os << '#' << field; break;
    case 'n': printList(field); break;
    case 'k':
      os << code.operatorCalls[field].name;
      printList(code.operatorCalls[field].args);
      break;
    case 'f': printCall(*code.functionCalls[field]); break;
    case 'p':
      if (field < 0 || static_cast<size_t>(field) >= code.types.size())
        os << '_';
      else if (!code.types[field].name.empty())
        os << '"' << code.types[field].name << '"';
      else if (code.types[field].type)
        os << code.types[field].type->str();
      else
        for (const Type *choice : code.types[field].choices)
          os << choice->str() << ' ';
      break;
    default: printSlot(field);
    }
  }
  llvm::raw_ostream &os;
  const CodeImpl &code;
};
} // namespace

void Code::print(llvm::raw_ostream &os) const { CodePrinter(os, *impl).print(); }

//===----------------------------------------------------------------------===//
// The cache
//===----------------------------------------------------------------------===//

struct CodeCache::Impl {
  std::recursive_mutex compiling; ///< Held while code is made; compiling one function may compile another.
  std::shared_mutex table;        ///< Of what follows; never held while something is made.
  llvm::DenseMap<const void *, const Code *> byKey;
  std::vector<std::unique_ptr<Code>> codes;
  std::vector<std::unique_ptr<Graph>> prepared; ///< Codes refer to their subgraphs.
  std::vector<std::shared_ptr<const void>> owners;
  std::function<void()> moduleObserver;

  const Code *find(const void *key) {
    std::shared_lock lock(table);
    return byKey.lookup(key);
  }
};

CodeCache::CodeCache() : impl(std::make_unique<Impl>()) {}
CodeCache::~CodeCache() = default;
void CodeCache::setSpecializer(std::unique_ptr<Specializer> s) { specializer = std::move(s); }
void CodeCache::setModuleObserver(std::function<void()> o) { impl->moduleObserver = std::move(o); }
void CodeCache::noteModuleChange() const {
  if (impl->moduleObserver)
    impl->moduleObserver();
}

/// Takes code over; a null key finds it for nobody.
const Code *CodeCache::keep(const void *key, std::unique_ptr<Code> code) {
  std::unique_lock lock(impl->table);
  impl->codes.push_back(std::move(code));
  const Code *result = impl->codes.back().get();
  if (key)
    impl->byKey[key] = result;
  return result;
}

StatusOr<std::unique_ptr<Code>> CodeCache::compilePrepared(const Graph &graph, llvm::StringRef name) {
  if (!prepare && !hasUnusedOperators(graph))
    return Code::compile(graph, name, *this);
  std::unique_ptr<Graph> copy = graph.clone();
  if (prepare)
    TSC_RETURN_IF_ERROR(prepare(*copy));
  else
    eraseUnusedOperators(*copy);
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<Code> code, Code::compile(*copy, name, *this));
  std::unique_lock lock(impl->table);
  impl->prepared.push_back(std::move(copy));
  return code;
}

StatusOr<const Code *> CodeCache::get(Function &function) {
  if (const Code *made = impl->find(&function))
    return made;
  std::lock_guard lock(impl->compiling);
  work::MeterScope uncounted(nullptr);          // code is for later calls, too
  if (const Code *made = impl->find(&function)) // while we waited
    return made;
  if (failed(function.ensureDefined()) || !function.graph())
    return invalidArgument("function '" + function.qualifiedName() + "' could not be compiled");
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<Code> code, compilePrepared(*function.graph(), function.qualifiedName()));
  observe(*code);
  return keep(&function, std::move(code));
}

StatusOr<const Code *> CodeCache::get(const Graph &graph, llvm::StringRef name) {
  if (const Code *made = impl->find(&graph))
    return made;
  std::lock_guard lock(impl->compiling);
  work::MeterScope uncounted(nullptr); // code is for later calls, too
  if (const Code *made = impl->find(&graph))
    return made;
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<Code> code, compilePrepared(graph, name));
  observe(*code);
  return keep(&graph, std::move(code));
}

StatusOr<const Code *> CodeCache::getPlain(const Graph &group, llvm::StringRef name) {
  if (const Code *made = impl->find(&group))
    return made;
  std::lock_guard lock(impl->compiling);
  work::MeterScope uncounted(nullptr); // code is for later calls, too
  if (const Code *made = impl->find(&group))
    return made;
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<Code> code, Code::compile(group, name, *this));
  code->impl->isGroup = true;
  return keep(&group, std::move(code));
}

StatusOr<const Code *> CodeCache::add(std::unique_ptr<Graph> graph, llvm::StringRef name) {
  std::lock_guard lock(impl->compiling);
  work::MeterScope uncounted(nullptr); // code is for later calls, too
  if (prepare)
    TSC_RETURN_IF_ERROR(prepare(*graph));
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<Code> code, Code::compile(*graph, name, *this));
  for (const std::unique_ptr<FunctionCall> &call : code->impl->functionCalls)
    if (call->isPlain)
      TSC_RETURN_IF_ERROR(getPlain(*call->subgraph, name).status());
  observe(*code);
  {
    std::unique_lock table(impl->table);
    impl->prepared.push_back(std::move(graph));
  }
  return keep(nullptr, std::move(code));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// What a call of a host may have changed before it failed, besides what others can see.
namespace {
class CallState {
public:
  CallState(CallContext &context, const CodeImpl &code)
      : context(context), gradMode(context.gradMode), wasObserved(context.isObserved) {
    context.isObserved = false;
    if (code.mayDraw)
      generator = context.generator();
  }
  ~CallState() { context.isObserved |= wasObserved; }
  void restore() {
    context.gradMode = gradMode;
    if (generator)
      context.generator() = *generator;
  }

private:
  CallContext &context;
  const bool gradMode, wasObserved;
  std::optional<Generator> generator;
};
} // namespace

/// Limits of the host are no matter of the program's: it is not made to reach them twice. Neither are mistakes of ours
/// that a check has found.
static bool isOfTheProgram(const Status &failure) {
  return failure.code() != StatusCode::ResourceExhausted && failure.code() != StatusCode::Cancelled &&
         failure.code() != StatusCode::Internal;
}

static void collectTensors(llvm::ArrayRef<IValue> values, llvm::SmallVectorImpl<const Tensor *> &into) {
  for (const IValue &value : values)
    if (value.isTuple())
      collectTensors(value.toTuple().elements, into);
    else if (value.isDict())
      value.toDict().forEach([&](const IValue &, const IValue &entry) { collectTensors(entry, into); });
    else if (value.isTensor())
      into.push_back(&value.asTensor());
}

/// Whether one tensor is given twice: the gradients of a plan are those of different tensors.
static bool haveDuplicates(llvm::ArrayRef<IValue> values) {
  llvm::SmallVector<const Tensor *, 16> tensors;
  collectTensors(values, tensors);
  for (auto *at = tensors.begin(); at != tensors.end(); ++at)
    if ((*at)->defined() &&
        std::any_of(at + 1, tensors.end(), [&](const Tensor *other) { return other->isSameAs(**at); }))
      return true;
  return false;
}

/// As a call that devices may know again.
static StatusOr<std::vector<IValue>> runFollowed(const Code &code, CallContext &context, std::vector<IValue> args) {
  Accelerator *accelerator = code.get().accelerator;
  if (!accelerator || !accelerator->isUsed())
    return code.run(context, std::move(args));
  accelerator->beginCall(code.get().number, context.trace);
  StatusOr<std::vector<IValue>> results = code.run(context, std::move(args));
  Status ended = accelerator->endCall();
  if (results.ok() && !ended.ok())
    return ended;
  return results;
}

StatusOr<std::vector<IValue>> CodeCache::call(const void *key, const Graph &graph, llvm::StringRef name,
                                              CallContext &context, std::vector<IValue> args,
                                              llvm::function_ref<StatusOr<const Code *>(CodeCache &)> compile) {
  CallContext::MemoryScope counting(context);
  const Code *code = nullptr;
  CodeCache *written = asWritten;
  bool isLeftToTape = false; // the plan is there, and leaves the gradients to a tape
  if (specializer) {
    TSC_ASSIGN_OR_RETURN(code, specializer->plan(key, graph, name, args, context.gradMode));
    isLeftToTape =
        code && context.observer && (code->get().asksForGradients || !context.gradMode || haveDuplicates(args));
    if (isLeftToTape)
      code = nullptr;
    written = code ? this : nullptr;
  }
  OperatorObserver *observer = context.observer;
  const bool isNeeded = observer && !code; // a plan that computes its gradients itself needs none
  llvm::SaveAndRestore<OperatorObserver *> observing(context.observer, isNeeded ? observer : nullptr);
  if (isLeftToTape && taped && taped->specializer) {
    StatusOr<const Code *> grouped = taped->specializer->plan(key, graph, name, args, context.gradMode);
    if (grouped.ok() && *grouped && !(*grouped)->get().differentiable.empty())
      code = *grouped, written = this;
  }
  if (!code) {
    TSC_ASSIGN_OR_RETURN(code, compile(*this));
  }
  if (!written || !code->get().cache->areEffectsTracked())
    return runFollowed(*code, context, std::move(args));
  CallState before(context, code->get());
  llvm::SmallVector<IValue, 8> kept(args.begin(), args.end());
  StatusOr<std::vector<IValue>> results = runFollowed(*code, context, std::move(args));
  if (results.ok() || context.isObserved || !isOfTheProgram(results.status()))
    return results;
  before.restore();
  context.observer = observer;
  TSC_ASSIGN_OR_RETURN(code, compile(*written));
  return code->run(context, std::vector<IValue>(kept.begin(), kept.end()));
}

StatusOr<std::vector<IValue>> CodeCache::call(Function &function, CallContext &context, std::vector<IValue> args) {
  if (failed(function.ensureDefined()) || !function.graph())
    return get(function).status();
  return call(&function, *function.graph(), function.qualifiedName(), context, std::move(args),
              [&](CodeCache &codes) { return codes.get(function); });
}

StatusOr<std::vector<IValue>> CodeCache::call(const Graph &graph, llvm::StringRef name, CallContext &context,
                                              std::vector<IValue> args) {
  return call(&graph, graph, name, context, std::move(args), [&](CodeCache &codes) { return codes.get(graph, name); });
}

void CodeCache::keepAlive(std::shared_ptr<const void> owner) {
  std::unique_lock lock(impl->table);
  impl->owners.push_back(std::move(owner));
}
