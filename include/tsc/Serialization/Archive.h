//===- Archive.h - Loading TorchScript archives -----------------*- C++ -*-===//
//
// A `.pt` file of torch.jit.save is a zip: data.pkl (the module object),
// data/N (its storages), constants.pkl and constants/N (CONSTANTS.cN of the
// code), code/**/*.py (classes and functions), version. Loading reads the
// pickles and declares the classes they name; bodies of methods are compiled when
// somebody asks (Function::ensureDefined), weights are read when touched.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SERIALIZATION_ARCHIVE_H
#define TSC_SERIALIZATION_ARCHIVE_H

#include "tsc/IR/Function.h"
#include "tsc/IR/IValue.h"
#include "tsc/Serialization/Zip.h"
#include "tsc/Support/Diagnostics.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tsc {

class Compiler;
class CompilationUnit;
class Context;

/// How an archive is loaded, and what its loader asks of the host.
struct LoadOptions {
  /// The device that replaces every device but the CPU and the meta device in the archive's code and values. The
  /// compiler's engine gets a remark where one was replaced. Where it is empty, code and values keep their devices, as
  /// far as this build has a name for them. Storages are in the CPU's memory in either case.
  std::optional<Device> device = Device();
  /// Is called once, before any `__setstate__` runs, and says whether the archive's code asks for gradients.
  std::function<void(bool asksForGradients)> sawCode;
  /// Runs `__setstate__(object, state)` of a class that has one. Loading itself executes no code: where this is empty,
  /// an archive with such an object is PermissionDenied.
  std::function<Status(Function &setState, const IValue &object, IValue state)> setState;
};

/// What an archive holds besides code.
struct ArchiveContents {
  IValue object;       ///< The archive's module, an ObjectValue. Its weights keep the file mapped.
  int64_t version = 0; ///< The version of the operators that the archive was written for.
  /// The names and contents of the files in the archive's folder `extra/`.
  std::vector<std::pair<std::string, Bytes>> extraFiles;
  /// The storages that were not on the CPU when the archive was written, each with its device. Empty unless
  /// LoadOptions::device is.
  std::vector<std::pair<Ref<Storage>, std::string>> locations;
};

/// Loads an archive that torch.jit.save wrote. `compiler` declares its classes and functions in its unit.
///
/// The compiler's engine gets a warning for each operator or class that the code names and this build lacks, with the
/// lines that name it. Methods that use none of them can run.
///
/// Errors: NotFound (there is no such file), DataLoss (the file is malformed, or its code does not compile: then the
///         compiler's engine has the diagnostics, which name the file within the archive, and the message repeats
///         them), Unimplemented (a legal archive that this build cannot read), ResourceExhausted (the archive unfolds
///         to far more data than it has bytes), PermissionDenied (see LoadOptions::setState).
StatusOr<ArchiveContents> loadArchive(Compiler &compiler, const std::string &path, const LoadOptions &options = {});
StatusOr<ArchiveContents> loadArchive(Compiler &compiler, Bytes file, const LoadOptions &options = {});

/// A loaded module together with the compiler that its methods need, for hosts that have none of their own.
///
/// Ownership: owns the unit and the compiler; borrows the Context.
/// Threads:   methods are compiled by one thread at a time; a compiled module may run in many.
struct LoadedModule : ArchiveContents {
  std::unique_ptr<DiagnosticEngine> diagnostics; ///< Receives what is wrong with code, when it is compiled.
  std::unique_ptr<CompilationUnit> unit;
  std::unique_ptr<Compiler> compiler;

  LoadedModule();
  LoadedModule(LoadedModule &&);
  LoadedModule &operator=(LoadedModule &&) = delete;
  ~LoadedModule();

  const ClassType &type() const { return *object.toObject().type; }
  /// Returns the module's method called `name`, or null. Its body may not be compiled yet (Function::ensureDefined).
  Function *findMethod(llvm::StringRef name) const;
};
/// Loads an archive as loadArchive() does, with a new compiler.
StatusOr<LoadedModule> loadModule(Context &context, const std::string &path, const LoadOptions &options = {});

} // namespace tsc

#endif
