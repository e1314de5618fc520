//===- LoadedProgram.h - A program that Python's objects share --*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_LOADEDPROGRAM_H
#define TSC_BINDINGS_PYTHON_LOADEDPROGRAM_H

#include "Errors.h"
#include "Gil.h"
#include "tsc/Engine/Program.h"
#include "tsc/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <nanobind/stl/shared_ptr.h>

namespace tsc::bindings {

/// What a program prints while it is loaded.
struct LoadingOutput {
  std::string text;
  llvm::raw_string_ostream stream{text};
};

/// A loaded program with what its calls need. Modules, functions and values that hold its types share it.
struct LoadedProgram : std::enable_shared_from_this<LoadedProgram> {
  std::string name;                         ///< Its path, or what stands for it.
  std::shared_ptr<DiagnosticList> messages; ///< What its author is told; shared with the program.
  std::shared_ptr<Executor> executor;       ///< Null: calls use their own thread alone. Forks share it.
  Quotas quotas;                            ///< The limits of each call.
  /// Where the program prints while it is loaded. It and its forks borrow the stream.
  std::shared_ptr<LoadingOutput> loadingOut = std::make_shared<LoadingOutput>();
  std::optional<Program> program; ///< It is there as soon as the file is loaded, and goes before what it borrows.
  /// The named tuples and enums of Python's that stand for the program's types. They are made when they are needed, and
  /// stay. They belong to who holds the lock.
  std::vector<std::pair<const Type *, PyObject *>> classes;
  mutable nb::ft_mutex classesMutex;
  PyObject *given = nullptr; ///< The dict of options that the program was loaded with, as Python gave them; or null.
  /// Lets the program go, without the GIL or with it.
  ~LoadedProgram();
  /// Hands what was printed while the program was loaded to sys.stdout.
  void showLoadingOut();

  /// Whether values of the one may hold types of the other: a program's and its forks' are the same.
  bool sharesTypesWith(const LoadedProgram &other) const { return &program->context() == &other.program->context(); }
  /// Returns the class of Python's for a type, which `make` makes when it is first asked for.
  template <typename F> nb::object classOf(const Type *type, F &&make) {
    auto keep = [&](nb::object made) {
      for (auto &[other, object] : classes)
        if (other == type)
          return nb::borrow(object);
      if (made.is_valid())
        classes.emplace_back(type, nb::object(made).release().ptr());
      return made;
    };
    return keptOrMade(classesMutex, keep, make);
  }
  /// Returns the type for which a class of Python's stands, or null.
  const Type *typeOfClass(const PyTypeObject *wanted) const {
    nb::ft_lock_guard lock(classesMutex);
    for (auto &[type, object] : classes)
      if (object == reinterpret_cast<const PyObject *>(wanted))
        return type;
    return nullptr;
  }
  /// Raises the exception for a failure: that of the program's text, where the failure only repeats errors in it.
  void raiseIfError(const Status &status);
  /// Reads attributes of its modules while no call writes them, and raises what is wrong. Where it has to wait, it does
  /// so without the GIL, which the call may want.
  void read(llvm::function_ref<void()> look);
  /// Does what sets attributes of its modules between calls of other threads, for which it waits without the GIL, and
  /// raises what is wrong.
  void write(llvm::function_ref<Status()> set);
  /// Returns the value, or raises the exception for the failure.
  template <typename T> T orRaise(StatusOr<T> result) {
    if (!result.ok()) [[unlikely]]
      raiseIfError(result.status());
    return *std::move(result);
  }
};
/// A program that several objects of Python's share.
using ProgramRef = std::shared_ptr<LoadedProgram>;

} // namespace tsc::bindings

#endif
