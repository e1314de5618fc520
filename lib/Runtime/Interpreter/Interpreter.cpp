//===- Interpreter.cpp - Starting and failing runs ------------------------===//
//
// A run pushes the outermost frame and jumps to its first instruction; it ends
// when that frame returns or when a failure has emptied every frame. A failure's
// message is PyTorch's: the TorchScript call stack, then the error.
//
//===----------------------------------------------------------------------===//
#include "Frames.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/Dispatch/Ops/Strings.h"
#include "tsc/Support/ForkSafety.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Support/SourceOrigins.h"
#include "tsc/Support/Stack.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

namespace tsc {

const char *opcodeName(Opcode op) {
  static const char *const names[] = {
#define OPCODE(NAME, OPERANDS) #NAME,
#include "Opcodes.def"
  };
  return names[static_cast<unsigned>(op)];
}
const char *opcodeOperands(Opcode op) {
  static const char *const operands[] = {
#define OPCODE(NAME, OPERANDS) OPERANDS,
#include "Opcodes.def"
  };
  return operands[static_cast<unsigned>(op)];
}
Handler handlerOf(Opcode op) {
  static const Handler handlers[] = {
#define OPCODE(NAME, OPERANDS) handle##NAME,
#include "Opcodes.def"
  };
  return handlers[static_cast<unsigned>(op)];
}

void releaseSlot(char *slot) { IValue dead = std::move(*reinterpret_cast<IValue *>(slot)); }

void FrameArena::release(const Chunk &chunk) {
  if (!chunk.memory || chunk.memory == first)
    return;
  std::free(chunk.memory);
  memory::countBytes(-static_cast<int64_t>(chunk.capacity));
}

FrameArena::~FrameArena() {
  for (Chunk &chunk : previous)
    release(chunk);
  release({current, used, capacity});
  release(spare);
}

void FrameArena::grow(size_t bytes) {
  Chunk next = std::exchange(spare, {nullptr, 0, 0});
  if (next.capacity < bytes) {
    release(next);
    const size_t size = (std::max<size_t>(std::max<size_t>(bytes, 64 << 10), 2 * capacity) + 15) & ~size_t{15};
    next = {memory::hasRoom(size) ? static_cast<char *>(std::aligned_alloc(16, size)) : nullptr, 0, size};
    if (!next.memory)
      throw std::bad_alloc();
    memory::countBytes(static_cast<int64_t>(size));
  }
  previous.push_back({current, used, capacity});
  current = next.memory;
  capacity = next.capacity;
  used = 0;
}

/// Goes back to the chunk before; keeps this one, in case the next call needs it.
void FrameArena::shrink() {
  release(spare);
  spare = {current, 0, capacity};
  current = previous.back().memory;
  used = previous.back().used;
  capacity = previous.back().capacity;
  previous.pop_back();
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

/// One frame of the stack, as PyTorch prints it.
static void describeFrame(llvm::raw_ostream &os, SourceRange range, llvm::StringRef qualifiedName) {
  if (!range.isValid())
    return;
  LineColumn where = range.lineColumn();
  llvm::StringRef function = qualifiedName.rsplit('.').second;
  os << "  File \"" << range.buffer()->name() << "\", line " << where.line << ", in "
     << (function.empty() ? qualifiedName : function) << '\n';
  if (!range.buffer()->hasText())
    return;
  llvm::StringRef line = range.buffer()->line(where.line);
  size_t indent = line.size() - line.ltrim().size();
  size_t begin = std::min<size_t>(where.column, line.size());
  size_t length =
      std::min<size_t>(std::max<uint32_t>(range.end() - range.begin(), 1), std::max<size_t>(line.size() - begin, 1));
  size_t skip = std::min(indent, begin);
  os << "    " << line.drop_front(skip) << "\n    ";
  os.indent(begin - skip) << std::string(length, '~') << " <--- HERE\n";
}

namespace {
/// The stack as the code that runs has it, and as its author wrote it.
struct StackTexts {
  std::string written, original;
  bool hasOrigins = false; ///< Of any frame; `original` shows the others as they are.
};
} // namespace

/// The frame of the interpreter, and those of the calls that were inlined into its code, outermost first.
static void describeFrames(StackTexts &texts, const CodeImpl &code, const Instruction *at) {
  llvm::SmallVector<SourceRange, 4> ranges{code.ranges[at - code.instructions.data()]};
  while (const InlinedCall *call = ranges.back().inlinedCall())
    ranges.push_back(call->at);
  llvm::raw_string_ostream written(texts.written), original(texts.original);
  for (SourceRange range : llvm::reverse(ranges)) {
    llvm::StringRef name = range.inlinedCall() ? llvm::StringRef(range.inlinedCall()->callee) : code.name;
    describeFrame(written, range, name);
    const SourceRange origin = originOf(range);
    texts.hasOrigins |= origin.isValid();
    describeFrame(original, origin.isValid() ? origin : range, name);
  }
}

static std::string describeStack(Machine *m, const Instruction *ip) {
  StackTexts texts;
  for (size_t i = 0; i != m->frames.size(); ++i) {
    if (i > 20 && i + 20 < m->frames.size()) {
      if (i == 21)
        for (std::string *text : {&texts.written, &texts.original})
          *text += "  …\n";
      continue;
    }
    if (i + 1 != m->frames.size() && m->frames[i + 1].code->isGroup)
      continue;
    describeFrames(texts, *m->frames[i].code, i + 1 == m->frames.size() ? ip : m->frames[i + 1].call);
  }
  const std::string head = "The following operation failed in the TorchScript interpreter.\n";
  if (!texts.hasOrigins)
    return head + "Traceback of TorchScript (most recent call last):\n" + texts.written;
  return head + "Traceback of TorchScript, serialized code (most recent call last):\n" + texts.written +
         "Traceback of TorchScript, original code (most recent call last):\n" + texts.original;
}

Status withCallerFrame(const Status &failure, SourceRange call, llvm::StringRef function) {
  if (!isDescribed(failure))
    return failure;
  constexpr llvm::StringLiteral end = "(most recent call last):\n", origins = "TorchScript, original code ";
  std::string message(failure.message());
  auto insertBehind = [&](size_t begin, SourceRange range) {
    const size_t at = begin == std::string::npos ? begin : message.find(end.data(), begin);
    if (at == std::string::npos)
      return;
    std::string frame;
    llvm::raw_string_ostream os(frame);
    describeFrame(os, range, function);
    message.insert(at + end.size(), frame);
  };
  const SourceRange origin = originOf(call);
  insertBehind(message.find(origins.data()), origin.isValid() ? origin : call);
  insertBehind(0, call);
  Status described(failure.code(), message);
  described.addNotesOf(failure);
  return described;
}

void dropFrame(Machine *m) {
  Frame frame = m->frames.pop_back_val();
  auto *slots = reinterpret_cast<IValue *>(frame.regs);
  for (size_t i = frame.code->numScalarSlots; i != frame.code->frameTemplate.size(); ++i)
    IValue dead = std::move(slots[i]);
  m->arena.pop(frame.code->frameTemplate.size() * sizeof(IValue));
  if (frame.call)
    --m->ctx.depthUsed;
}

static void emptyFrames(Machine *m) {
  m->pending.clear();
  m->running.clear();
  while (!m->frames.empty())
    dropFrame(m);
}

/// Nested runs (__exit__, comparisons of user classes) recurse in C++.
static constexpr unsigned maxNesting = 200;
static thread_local unsigned nesting = 0;

/// As in Python, an exception that passes the statements is replaced by one that __exit__ raises.
void exitEntered(Machine *m, CodeCache *cache, size_t keep) {
  while (m->entered.size() > keep) {
    auto [object, isEntered] = m->entered.pop_back_val();
    Function *exit = isEntered && object.isObject() ? object.toObject().type->findMethod("__exit__") : nullptr;
    if (!exit)
      continue;
    std::vector<IValue> args(4), results;
    args[0] = object;
    StatusOr<const Code *> code = cache->get(*exit);
    Status status = code.ok() ? interpret((*code)->get(), m->ctx, args, results) : code.status();
    if (!status.ok())
      m->status = std::move(status);
  }
}

/// The same for all of a run: it is at its end, and its place is free for what is left to do.
static void exitAll(Machine *m, CodeCache *cache) {
  --nesting;
  exitEntered(m, cache, 0);
  ++nesting;
}

static void setFailurePosition(Machine *m, const Instruction *ip) {
  if (m->frames.size() > 1)
    ip = m->frames[1].call;
  setFailurePosition(m->status, ip - m->frames.front().code->instructions.data());
}

/// Puts the call stack before the message, unless a run that this one called has.
static void describeFailure(Machine *m, const Instruction *ip) {
  if (!isDescribed(m->status))
    m->status = describedFailure(m->status, describeStack(m, ip));
}

void failHandler(const Instruction *ip, char *, Machine *m) {
  // Whoever asked for memory that the limit does not leave says that there is none, and whoever left a loop because the
  // call is to end may say anything.
  if (m->ctx.account().wasExceeded() && m->status.code() == StatusCode::ResourceExhausted)
    m->status = quotaExceeded(QuotaKind::Memory);
  else if (m->ctx.hasAlarm() && !isDescribed(m->status))
    if (Status limit = m->ctx.checkLimits(); !limit.ok())
      m->status = std::move(limit);
  describeFailure(m, ip);
  if (!m->running.empty() && m->status.code() != StatusCode::ResourceExhausted) {
    Resumption next = failFork(m);
    TSC_TAIL next.ip->run(next.ip, next.regs, m);
  }
  setFailurePosition(m, ip);
  CodeCache *cache = m->frames.front().code->cache;
  emptyFrames(m);
  exitAll(m, cache);
}

TSC_HANDLER(Fail) {
  m->status = unimplemented(m->code->types[ip->a].name);
  TSC_TAIL failHandler(ip, regs, m);
}

static Status raised(const Instruction *ip, char *regs, Machine *m) {
  IValue message = takeOperand(ip->a, regs, m);
  ops::TextStream os;
  printValue(os, message);
  Status status = aborted(os.takeBeginning());
  if (ip->b != noOperand) {
    IValue name = takeOperand(ip->b, regs, m);
    if (name.isString())
      setExceptionClass(status, name.toString());
  }
  return status;
}
TSC_HANDLER(Raise) {
  m->status = raised(ip, regs, m);
  TSC_TAIL failHandler(ip, regs, m);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Steps that are taken before limits are looked at again: a few microseconds' worth.
static constexpr uint64_t stepsInSlice = 1024;

void Machine::settleSteps() {
  ctx.stepsUsed += slice - stepsLeft + ctx.meter().take();
  slice = stepsLeft;
}

Status Machine::beginSlice() {
  settleSteps();
  letFork(&ctx);
  if (ctx.hasAlarm())
    TSC_RETURN_IF_ERROR(ctx.checkLimits());
  if (ctx.stepsUsed >= ctx.quotas.steps)
    return quotaExceeded(QuotaKind::Steps);
  const uint64_t left = ctx.quotas.steps - ctx.stepsUsed;
  slice = stepsLeft = std::min(stepsInSlice, left);
  ctx.meter().setLimit(ctx.quotas.steps == Quotas::unlimited ? work::Meter::unlimited : left);
  return okStatus();
}

void goOnHandler(const Instruction *ip, char *regs, Machine *m) {
  m->status = m->beginSlice();
  if (!m->status.ok())
    TSC_TAIL failHandler(ip, regs, m);
  ++m->stepsLeft; // the instruction counts its step again
  TSC_TAIL ip->run(ip, regs, m);
}

Status interpret(const CodeImpl &code, CallContext &ctx, llvm::MutableArrayRef<IValue> args,
                 std::vector<IValue> &results) {
  if (args.size() != code.inputSlots.size())
    return invalidArgument(llvm::Twine(code.name) + "() takes " + llvm::Twine(code.inputSlots.size()) +
                           " arguments but " + llvm::Twine(args.size()) + " were given");
  if (nesting >= maxNesting || (nesting && !mayRecurse()))
    return quotaExceeded(QuotaKind::Depth);
  Machine machine(ctx);
  Machine *m = &machine;
  work::MeterScope meter(&ctx.meter());
  TSC_RETURN_IF_ERROR(m->beginSlice());
  m->results.reserve(code.numOutputs);
  char *regs = pushFrame(m, code, nullptr);
  const CallSite *outerSite = ctx.site;
  for (size_t i = 0; i != args.size(); ++i)
    if (!putChecked(regs, code.inputSlots[i], std::move(args[i]))) {
      emptyFrames(m);
      return invalidArgument("argument " + llvm::Twine(i) + " of " + code.name +
                             "() is of another type than its signature says");
    }
  ++nesting;
  const Instruction *first = code.instructions.data();
  Status memory = orMemoryError([&] {
    first->run(first, regs, m);
    return okStatus();
  });
  if (!memory.ok()) { // an instruction that is no call ran out of memory: only its place is unknown
    m->status = ctx.account().wasExceeded() ? quotaExceeded(QuotaKind::Memory) : std::move(memory);
    emptyFrames(m);
    exitAll(m, code.cache);
  }
  --nesting;
  m->settleSteps();
  ctx.site = outerSite;
  results = std::move(m->results);
  return std::move(m->status);
}

} // namespace tsc
