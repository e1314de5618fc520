//===- Instruction.h - Instructions and the machine that runs them --------===//
//
// Dispatch is direct-threaded: an instruction holds the address of its handler,
// and each handler ends by jumping to the next one's. Handlers take and pass on
// (instruction, registers, machine), which stay in machine registers.
//
// A frame is an array of 16-byte IValue slots. Scalar slots belong to values of
// static type int, float or bool: their tag is set when the frame is made, and
// instructions read and write the payload alone. Value slots hold all else; such
// a slot is None except between a value's definition and its last use, so that
// writing one never releases anything.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_INTERPRETER_INSTRUCTION_H
#define TSC_RUNTIME_INTERPRETER_INSTRUCTION_H

#include "GroupRunner.h"
#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/OperatorCall.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Runtime/Lowering/Routine.h"
#include "tsc/Support/Source.h"
#include "tsc/Tensor/LongLivedTensors.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <atomic>
#include <string>
#include <vector>

namespace tsc {

class Accelerator;

/// The instructions of the interpreter (Opcodes.def).
enum class Opcode : uint8_t {
#define OPCODE(NAME, OPERANDS) NAME,
#include "Opcodes.def"
  NumOpcodes
};
/// Returns an instruction's name as it prints.
const char *opcodeName(Opcode op);
/// Returns a letter for each operand of an instruction: see Opcodes.def.
const char *opcodeOperands(Opcode op);

struct Instruction;
struct Machine;
/// Runs the instruction at `ip`, and goes on with the next one. `regs` is the frame.
using Handler = void (*)(const Instruction *ip, char *regs, Machine *m);

/// Operands: a register is its byte offset in the frame; a value operand has flags in the low bits.
struct Instruction {
  Handler run;
  int32_t a = 0, b = 0, c = 0, d = 0;
};
/// Returns the function that runs instructions of this kind.
Handler handlerOf(Opcode op);

constexpr int32_t lastUse = 1;     ///< Flag of a value operand: the slot is emptied by this instruction.
constexpr int32_t constantBit = 2; ///< The offset is into the constants.
constexpr int32_t noOperand = -16; ///< An operand that is absent (an unused result of a multi-result instruction).
constexpr int32_t slotSize = sizeof(IValue);

/// Where a call's operands are. It comes first in a PlacedCall, beside what else each call reads.
struct PlacedOperands {
  uint32_t args = 0; ///< The index of the operand list's header.
};
/// One call of an operator by an instruction.
struct PlacedCall : PlacedOperands, OperatorCall {
  PlacedCall(OperatorCall call) : OperatorCall(std::move(call)) {}
  std::unique_ptr<const CustomKernel> ownKernel; ///< What `custom` is where it was made for the node; null elsewhere.
};
/// One call of a function, method, interface method or subgraph.
struct FunctionCall {
  FunctionCall() = default;
  FunctionCall(FunctionCall &&o)
      : function(o.function), subgraph(o.subgraph), methodName(std::move(o.methodName)), isPlain(o.isPlain),
        isRest(o.isRest), mayRunLater(o.mayRunLater), otherGraphs(std::move(o.otherGraphs)),
        otherFunctions(std::move(o.otherFunctions)), args(o.args), results(o.results) {}
  Function *function = nullptr;
  const Graph *subgraph = nullptr;
  std::string methodName; ///< Calls by name: looked up in the object's class.
  mutable std::atomic<const Code *> code{nullptr};
  bool isPlain = false;     ///< The subgraph's code is made of it as it is.
  bool isRest = false;      ///< The same, for what is left to do where a guard fails: it is made when that happens.
  bool mayRunLater = false; ///< Whether the function that forks cannot tell when the fork runs.
  /// What else a function that makes such a fork calls: it may have effects that the fork sees.
  std::vector<const Graph *> otherGraphs;
  std::vector<Function *> otherFunctions;
  mutable std::atomic<int8_t> isSeen{-1}; ///< Whether these or the fork have any: 0 or 1; -1 while nobody has asked.
  uint32_t args = 0;
  uint32_t results = 0; ///< Header of the list of result slots.
};

/// A graph as instructions, and the tables that these refer to. It does not change once it is assembled, apart from
/// what calls learn. Many threads may run it at once.
struct CodeImpl {
  std::string name;
  CodeCache *cache = nullptr;
  std::vector<Instruction> instructions;
  std::vector<Opcode> opcodes;     ///< Parallel to instructions; for printing.
  std::vector<SourceRange> ranges; ///< Parallel to instructions.
  std::vector<int32_t> operands;   ///< Operand lists, each after its count.
  std::vector<IValue> constants;
  LongLivedTensors weights;          ///< Constants that kernels may want in layouts of their own.
  std::vector<IValue> frameTemplate; ///< A fresh frame: scalar slots with tags and constants, value slots None.
  unsigned numScalarSlots = 0;
  std::vector<int32_t> inputSlots;
  std::vector<PlacedCall> operatorCalls;
  std::vector<std::unique_ptr<FunctionCall>> functionCalls;
  std::vector<std::unique_ptr<GroupRunner>> groups;
  std::vector<std::unique_ptr<SubgraphRunner>> differentiable;
  std::vector<TypeEntry> types;       ///< What class and type operands refer to.
  Accelerator *accelerator = nullptr; ///< The program's; null: all tensors are the processor's.
  uint64_t number = 0;                ///< Tells the accelerator which code this is: see numberOfCode().
  bool mayDraw = false;               ///< May draw random numbers.
  bool asksForGradients = false;      ///< Needs a tape; so may what it calls.
  bool isGroup = false; ///< The plain nodes of a fusion group, which stand for themselves in the call stack.
  unsigned numOutputs = 0;
  unsigned maxArgs = 0; ///< The longest operand list of an operator call.
};

/// The interpreter's eyes into an IValue.
struct RegisterAccess {
  static int64_t &i(IValue &v) { return v.payload.i; }
  static double &d(IValue &v) { return v.payload.d; }
  static void *pointer(const IValue &v) { return v.payload.p; }
  static void setTag(IValue &v, IValue::Tag tag) { v.tag = tag; }
  static IValue::Tag tag(const IValue &v) { return v.tag; }
};

/// A function that is running: its code, its slots, and where its caller goes on.
struct Frame {
  const CodeImpl *code;
  char *regs;
  const Instruction *call; ///< The caller's instruction; null for the outermost.
  uint32_t stackMark;      ///< Unused: always 0.
};

/// A fork that has not run: it waits for somebody who waits for it, or for company on the host's threads.
struct PendingFork {
  Ref<FutureValue> future;
  const Code *code;
  std::vector<IValue> args;
  size_t frame; ///< The number of the frame that forked.
  bool gradMode;
};
/// A fork that runs in a frame of its own, above that which forked it or waits for it.
struct RunningFork {
  Ref<FutureValue> future;
  size_t frame;      ///< The number of its own frame.
  size_t numEntered; ///< Open `with` statements below it.
  bool isWaitedFor;  ///< The instruction that called is the wait, which is done again.
  bool gradMode;     ///< The grad mode of the frames below, to go back to.
};

/// Memory of frames: chunks that never move, so that pointers to slots stay good.
class FrameArena {
public:
  /// Returns `bytes` bytes, which are not initialized, at an address that stays good until they are popped.
  char *push(size_t bytes) {
    if (used + bytes > capacity) [[unlikely]]
      grow(bytes);
    char *p = current + used;
    used += bytes;
    return p;
  }
  /// Gives back the last `bytes` pushed.
  void pop(size_t bytes) {
    used -= bytes;
    if (used == 0 && !previous.empty()) [[unlikely]]
      shrink();
  }
  ~FrameArena();

private:
  void grow(size_t bytes);
  void shrink();
  struct Chunk {
    char *memory;
    size_t used, capacity;
  };
  void release(const Chunk &chunk);
  alignas(16) char first[4096];
  char *current = first;
  size_t used = 0, capacity = sizeof first;
  llvm::SmallVector<Chunk, 2> previous;
  Chunk spare{nullptr, 0, 0};
};

/// A text whose letters are asked for, and a place in it: walks cost no more than their length.
struct KnownText {
  IValue text; ///< Kept, so that its payload is nobody else's.
  const void *payload = nullptr;
  bool isAscii = true;
  int64_t count = 0;  ///< How many letters it has.
  int64_t letter = 0; ///< This one begins at the byte `offset`.
  size_t offset = 0;
};

/// The state of one run of the interpreter: the frames, forks that wait or run, and what the run has left of its
/// limits. One thread uses it.
struct Machine {
  explicit Machine(CallContext &ctx) : ctx(ctx) {}
  CallContext &ctx;
  const CodeImpl *code = nullptr;
  const IValue *constants = nullptr;
  const IValue **argv = nullptr; ///< Room for the longest operand list of the codes on the stack.
  uint64_t stepsLeft = 0;        ///< Steps until limits are looked at, and the next slice begins.
  uint64_t slice = 0;            ///< How many it had when the context was last told.
  llvm::SmallVector<Frame, 8> frames;
  FrameArena arena;
  llvm::SmallVector<const IValue *, 16> argvBuffer;
  /// Objects of open `with` statements, and whether __enter__ has returned.
  llvm::SmallVector<std::pair<IValue, bool>, 0> entered;
  std::vector<IValue> results;
  llvm::SmallVector<PendingFork, 0> pending;
  llvm::SmallVector<RunningFork, 0> running;
  Status status;
  KnownText knownTexts[2]; ///< The long ones that were indexed last.
  unsigned oldestText = 0;

  /// Tells the context of the steps taken.
  void settleSteps();
  /// Looks at all limits, which may end the run.
  Status beginSlice();
  /// Makes the next step look at them: an instruction has taken long.
  void lookSoon() {
    slice -= stepsLeft - 1;
    stepsLeft = 1;
  }
};

/// Runs `code` with arguments that are moved into its frame.
Status interpret(const CodeImpl &code, CallContext &ctx, llvm::MutableArrayRef<IValue> args,
                 std::vector<IValue> &results);

// Dispatch.
#if defined(__has_cpp_attribute) && __has_cpp_attribute(clang::musttail)
#define TSC_TAIL [[clang::musttail]] return
#else
#define TSC_TAIL return
#endif
#define TSC_NEXT TSC_TAIL(ip + 1)->run(ip + 1, regs, m)
#define TSC_GOTO(OFFSET)                                                                                               \
  do {                                                                                                                 \
    const Instruction *tscTarget = ip + (OFFSET);                                                                      \
    TSC_TAIL tscTarget->run(tscTarget, regs, m);                                                                       \
  } while (false)
/// Failures are made out of line, by a function named FAILURE (see TSC_FAILURE): the fast path stays free of their
/// spills and destructors.
#define TSC_FAIL(FAILURE) TSC_TAIL failWith<FAILURE>(ip, regs, m)
#define TSC_FAILURE(NAME, STATUS)                                                                                      \
  static Status NAME([[maybe_unused]] const Instruction *ip, [[maybe_unused]] char *regs,                              \
                     [[maybe_unused]] Machine *m) {                                                                    \
    return STATUS;                                                                                                     \
  }
#define TSC_HANDLER(NAME)                                                                                              \
  void handle##NAME([[maybe_unused]] const Instruction *ip, [[maybe_unused]] char *regs, [[maybe_unused]] Machine *m)

#define OPCODE(NAME, OPERANDS) TSC_HANDLER(NAME);
#include "Opcodes.def"

/// Adds the call stack to m->status, runs __exit__ of open `with` blocks, empties all frames, and ends the run.
void failHandler(const Instruction *ip, char *regs, Machine *m);

/// Looks at limits, as no step is left of a slice, and runs the instruction again.
void goOnHandler(const Instruction *ip, char *regs, Machine *m);

/// Ends the run with the error that `Make` gives for the instruction.
template <Status (*Make)(const Instruction *, char *, Machine *)>
[[gnu::noinline, gnu::cold]] void failWith(const Instruction *ip, char *regs, Machine *m) {
  m->status = Make(ip, regs, m);
  TSC_TAIL failHandler(ip, regs, m);
}

// Functions off the fast path keep all registers of their callers, where the compiler can do that.
#if defined(__clang__) && defined(__x86_64__)
#define TSC_SLOW_PATH [[gnu::noinline]] __attribute__((preserve_most))
#else
#define TSC_SLOW_PATH [[gnu::noinline]]
#endif

// Slots.
inline IValue &slotAt(char *regs, int32_t offset) { return *reinterpret_cast<IValue *>(regs + offset); }
inline int64_t &intAt(char *regs, int32_t offset) { return RegisterAccess::i(slotAt(regs, offset)); }
inline double &floatAt(char *regs, int32_t offset) { return RegisterAccess::d(slotAt(regs, offset)); }
/// A value operand, in place.
inline IValue &operandAt(int32_t o, char *regs, const Machine *m) {
  char *base = o & constantBit ? const_cast<char *>(reinterpret_cast<const char *>(m->constants)) : regs;
  return *reinterpret_cast<IValue *>(base + (o & ~15));
}
/// Takes the value: moved at its last use, else copied.
inline IValue takeOperand(int32_t o, char *regs, const Machine *m) {
  IValue &v = operandAt(o, regs, m);
  if (o & lastUse)
    return std::move(v);
  return v;
}
/// Empties a slot. finishOperand() calls it after an operand was read, at the operand's last use.
TSC_SLOW_PATH void releaseSlot(char *slot);
inline void finishOperand(int32_t o, char *regs) {
  if (o & lastUse)
    releaseSlot(regs + (o & ~15));
}
/// Stores into a value slot, which is empty.
inline void putValue(char *regs, int32_t offset, IValue &&v) {
  IValue &slot = slotAt(regs, offset);
  assert(!slot.isCounted());
  new (&slot) IValue(std::move(v));
}
/// Stores a value whose representation is not certain: into a scalar slot with a check. False when it does not fit.
bool putChecked(char *regs, int32_t destination, IValue &&v);

} // namespace tsc

#endif
