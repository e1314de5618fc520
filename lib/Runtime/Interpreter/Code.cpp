//===- Code.cpp - A graph compiled for the interpreter --------------------===//
#include "tsc/Runtime/Interpreter/Code.h"
#include "Assembler.h"
#include "tsc/IR/Function.h"
#include "tsc/Runtime/Lowering/Lowering.h"
#include "tsc/Support/AddressTable.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Transforms/UnusedOperators.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

using namespace tsc;

Code::Code(std::unique_ptr<CodeImpl> impl) : impl(std::move(impl)) {}
Code::~Code() = default;
llvm::StringRef Code::name() const { return impl->name; }
unsigned Code::numInputs() const { return impl->inputSlots.size(); }
unsigned Code::numOutputs() const { return impl->numOutputs; }
bool Code::mayDraw() const { return impl->mayDraw; }
bool Code::asksForGradients() const { return impl->asksForGradients; }
bool Code::tracksEffects() const { return impl->cache->areEffectsTracked(); }
bool Code::hasDifferentiableGraphs() const { return !impl->differentiable.empty(); }
Accelerator *Code::accelerator() const { return impl->accelerator; }
uint64_t Code::number() const { return impl->number; }
SubgraphRunner::~SubgraphRunner() = default;

StatusOr<std::unique_ptr<Code>> Code::compile(const Graph &graph, llvm::StringRef name, CodeCache &cache) {
  TSC_ASSIGN_OR_RETURN(Routine routine, lower(graph, {cache.areEffectsTracked(), cache.isForTape()}));
  return std::unique_ptr<Code>(new Code(assemble(std::move(routine), name, cache)));
}

StatusOr<std::vector<IValue>> Code::run(CallContext &context, std::vector<IValue> args) const {
  std::vector<IValue> results;
  TSC_RETURN_IF_ERROR(interpret(*impl, context, args, results));
  return results;
}

Status Code::run(CallContext &context, llvm::MutableArrayRef<IValue> args, std::vector<IValue> &results) const {
  return interpret(*impl, context, args, results);
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
  std::recursive_mutex compiling;        ///< Held while code is made; compiling one function may compile another.
  AddressTable<const Code *const> byKey; ///< By the address of a function or graph.
  std::mutex owning;                     ///< Guards what follows; never held while something is made.
  std::vector<std::unique_ptr<Code>> codes;
  std::vector<std::unique_ptr<Graph>> prepared; ///< Codes refer to their subgraphs.
  std::vector<std::shared_ptr<const void>> owners;

  const Code *find(const void *key) const {
    const Code *const *known = byKey.find(key);
    return known ? *known : nullptr;
  }
};

CodeCache::CodeCache() : impl(std::make_unique<Impl>()) {}
CodeCache::~CodeCache() = default;

/// Takes code over; a null key finds it for nobody.
const Code *CodeCache::keep(const void *key, std::unique_ptr<Code> code) {
  const Code *result = code.get();
  {
    std::lock_guard lock(impl->owning);
    impl->codes.push_back(std::move(code));
  }
  if (key)
    impl->byKey.findOrMake(key, result);
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
  std::lock_guard lock(impl->owning);
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

StatusOr<const Code *> CodeCache::getUnprepared(const Graph &graph, llvm::StringRef name, bool isGroup) {
  if (const Code *made = impl->find(&graph))
    return made;
  std::lock_guard lock(impl->compiling);
  work::MeterScope uncounted(nullptr); // code is for later calls, too
  if (const Code *made = impl->find(&graph))
    return made;
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<Code> code, Code::compile(graph, name, *this));
  code->impl->isGroup = isGroup;
  return keep(&graph, std::move(code));
}

StatusOr<const Code *> CodeCache::getPlain(const Graph &group, llvm::StringRef name) {
  return getUnprepared(group, name, /*isGroup=*/true);
}

StatusOr<const Code *> CodeCache::getRest(const Graph &rest, llvm::StringRef name) {
  return getUnprepared(rest, name, /*isGroup=*/false);
}

StatusOr<const Code *> CodeCache::add(std::unique_ptr<Graph> graph, llvm::StringRef name) {
  work::MeterScope uncounted(nullptr); // code is for later calls, too
  if (prepare)
    TSC_RETURN_IF_ERROR(prepare(*graph)); // without the lock: it takes long, and nobody else has the graph
  std::lock_guard lock(impl->compiling);
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<Code> code, Code::compile(*graph, name, *this));
  for (const std::unique_ptr<FunctionCall> &call : code->impl->functionCalls)
    if (call->isPlain)
      TSC_RETURN_IF_ERROR(getPlain(*call->subgraph, name).status());
  observe(*code);
  {
    std::lock_guard owning(impl->owning);
    impl->prepared.push_back(std::move(graph));
  }
  return keep(nullptr, std::move(code));
}

void CodeCache::keepAlive(std::shared_ptr<const void> owner) {
  std::lock_guard lock(impl->owning);
  impl->owners.push_back(std::move(owner));
}
