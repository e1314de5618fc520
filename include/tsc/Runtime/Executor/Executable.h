//===- Executable.h - What a call of a function can run ---------*- C++ -*-===//
#ifndef TSC_RUNTIME_EXECUTOR_EXECUTABLE_H
#define TSC_RUNTIME_EXECUTOR_EXECUTABLE_H

#include "tsc/IR/IValue.h"
#include "tsc/Support/Status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace tsc {

class Accelerator;
class CallContext;

/// The ways in which a function of a program can run. Which one a call takes, TierPolicy says. All of them give the
/// same bits and the same errors.
enum class Tier : uint8_t {
  Written,  ///< The program as it is written, without fusers: for tapes of hosts, and to repeat failed calls.
  Baseline, ///< What runs from the first call on: the program as written, or, where no plans are made, optimized.
  Plan,     ///< Code that was optimized for one kind of arguments, or for any after there are too many kinds.
  TapedPlan ///< A plan for calls that a tape records: it records groups of operators as one.
};
/// Returns the tier's name: "written", "baseline", "plan", "taped plan".
llvm::StringRef nameOf(Tier tier);

/// One function in one tier: bytecode that the interpreter runs, or machine code.
///
/// Threads: immutable: run() may be called from many threads at once, each with a CallContext of its own.
class Executable {
public:
  /// What an executor has to know of code before it runs it.
  struct Traits {
    bool mayDraw = false;                 ///< It may draw random numbers.
    bool asksForGradients = false;        ///< It asks for gradients by itself, and so needs a tape.
    bool tracksEffects = false;           ///< It sets CallContext::isObserved before others can see an effect of it.
    bool hasDifferentiableGraphs = false; ///< A tape records some groups of its operators as one.
    Accelerator *accelerator = nullptr;   ///< The device that its tensors may be on; null: all are the processor's.
    uint64_t number = 0;                  ///< The number under which the accelerator knows the code.
  };

  virtual ~Executable();
  const Traits &traits() const { return properties; }
  /// Runs the code with one argument for each input, which it moves away, and sets `results` to one value for each
  /// output. The caller has checked the arguments' types (bindArguments). Fails with the status of the operator that
  /// failed, with the call stack in its message, and has no results then; the writes that it made stay.
  virtual Status run(CallContext &context, llvm::MutableArrayRef<IValue> args, std::vector<IValue> &results) const = 0;

protected:
  explicit Executable(Traits traits) : properties(traits) {}

private:
  const Traits properties;
};

} // namespace tsc

#endif
