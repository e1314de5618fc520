//===- LoadedProgram.h - A program that Python's objects share --*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_LOADEDPROGRAM_H
#define TSC_BINDINGS_PYTHON_LOADEDPROGRAM_H

#include "Errors.h"
#include "tsc/Engine/Program.h"
#include "tsc/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <nanobind/stl/shared_ptr.h>

namespace tsc::bindings {

/// A loaded program with what its calls need. Modules, functions and values that hold its types share it.
struct LoadedProgram : std::enable_shared_from_this<LoadedProgram> {
  std::string name;                         ///< Its path, or what stands for it.
  std::shared_ptr<DiagnosticList> messages; ///< What its author is told. The program borrows it.
  std::shared_ptr<Executor> executor;       ///< Null: calls use their own thread alone. Forks share it.
  Quotas quotas;                            ///< The limits of each call.
  std::string loadingText;                  ///< What the program has printed while it was loaded.
  llvm::raw_string_ostream loadingOut{loadingText};
  std::optional<Program> program; ///< Always there once it is loaded; goes first.
  /// The named tuples and enums of Python's that stand for the program's types. They are made when they are needed.
  std::vector<std::pair<const Type *, PyObject *>> classes;
  PyObject *given = nullptr; ///< The dict of options that the program was loaded with, as Python gave them; or null.
  /// Lets the program go, without the GIL or with it.
  ~LoadedProgram();
  /// Hands what was printed while the program was loaded to sys.stdout.
  void showLoadingOut();

  /// Whether values of the one may hold types of the other: a program's and its forks' are the same.
  bool sharesTypesWith(const LoadedProgram &other) const { return &program->context() == &other.program->context(); }
  /// Returns the class of Python's for a type, which `make` makes when it is first asked for.
  template <typename F> nb::object classOf(const Type *type, F &&make) {
    for (auto &[known, object] : classes)
      if (known == type)
        return nb::borrow(object);
    nb::object made = make();
    classes.emplace_back(type, nb::object(made).release().ptr());
    return made;
  }
  /// Raises the exception for a failure: that of the program's text, where the failure only repeats errors in it.
  void raiseIfError(const Status &status);
  template <typename T> T orRaise(StatusOr<T> result) {
    if (!result.ok()) [[unlikely]]
      raiseIfError(result.status());
    return *std::move(result);
  }
};
using ProgramRef = std::shared_ptr<LoadedProgram>;

} // namespace tsc::bindings

#endif
