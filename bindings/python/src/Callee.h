//===- Callee.h - What of a program Python calls ----------------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_CALLEE_H
#define TSC_BINDINGS_PYTHON_CALLEE_H

#include "LoadedProgram.h"
#include "Python.h"
#include <atomic>
#include <memory>

namespace tsc::bindings {

/// A function of a program, a method of one of its objects, or a module itself, which is called with its hooks.
struct Callee {
  ProgramRef program;
  /// What Program::run() calls. It counts calls, so that none writes what another one uses. It is there once
  /// findEntry() has returned, and stays.
  std::optional<Program::Entry> entry;
  /// The name of the entry that is looked for at the first call, which compiles it. Absent for a function, which has an
  /// entry, and for modules and methods other than those of the program's own module, which are found as such.
  std::optional<std::string> entryName;
  std::optional<Method> method; ///< A method.
  std::optional<Module> module; ///< A module.
  std::optional<Object> object; ///< An object that is no module. It cannot be called.
  /// The object whose method it is, or the object itself; null for a function.
  const Object *self() const;
  const FunctionSchema &schema();

  Function *function = nullptr; ///< What the entry runs, where that is known.
  /// What a call may do, as far as its code and what that calls tell.
  struct Traits {
    bool mayDraw = false;       ///< Draw random numbers.
    bool makesLeaves = false;   ///< Make tensors that require gradients.
    bool usesGradients = false; ///< Ask for gradients, or read those that tensors have.
    bool callsPython = false;   ///< Call functions of Python's.
  };
  /// Returns what a call may do. Compiles it.
  Traits traits();

  /// Calls it with arguments of Python's, and returns the result.
  nb::object call(const CallArguments &arguments);
  /// Calls it with values. `holdGradients` says whether a tensor among these requires gradients. The thread traces
  /// nothing.
  IValue call(std::vector<IValue> args, KeywordArguments kwargs, bool holdGradients);
  /// Finds the entry, and compiles it, where that has not happened. Raises what is wrong with its text.
  void findEntry();

private:
  StatusOr<IValue> run(CallContext &context, std::vector<IValue> args, KeywordArguments kwargs) const;
  bool selfHoldsGradients();
  /// What threads that share the callee find out for each other.
  struct Shared {
    nb::ft_mutex mutex;
    std::atomic<bool> hasEntry{false};
    /// Twice gradientMarks() when `self` was last looked at for tensors that require gradients, and whether it had any.
    std::atomic<uint64_t> held{0};
    std::optional<Traits> found; ///< What traits() has returned. It belongs to who holds the lock.
  };
  std::unique_ptr<Shared> shared = std::make_unique<Shared>();
};

/// Destroys a callee that an object of Python's had, with its program where nobody else has that. The thread has the
/// GIL.
void destroyCallee(Callee *callee);

/// Makes a tsc.Function of a callee.
nb::object makeFunction(Callee callee);
/// Returns the callee of a tsc.Function, which has it as long as it lives; null for another object.
Callee *calleeOfFunction(nb::handle object);
void bindFunctions(nb::module_ &module);

} // namespace tsc::bindings

#endif
