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

struct LoadOptions {
  /// What tensors are put on, and what stands in the place of every device that the archive's code and values name but
  /// the CPU and the meta device; the compiler hears a remark then. Without it, code and values keep their devices, as
  /// far as this build has a name for them. Storages are in the CPU's memory in any case.
  std::optional<Device> device = Device();
  /// Told before anything of the archive runs: whether its code asks for gradients.
  std::function<void(bool asksForGradients)> sawCode;
  /// Runs `__setstate__(object, state)` of a class that has one. Loading executes nothing by itself: without this, an
  /// archive with such an object is PermissionDenied.
  std::function<Status(Function &setState, const IValue &object, IValue state)> setState;
};

/// What an archive holds besides code.
struct ArchiveContents {
  IValue object;       ///< An ObjectValue of a module class. Its weights keep the file mapped.
  int64_t version = 0; ///< The operators' version the archive was written for.
  std::vector<std::pair<std::string, Bytes>> extraFiles; ///< extra/<name>.
  /// The devices that had the storages, where that was not the CPU and LoadOptions::device keeps devices.
  std::vector<std::pair<Ref<Storage>, std::string>> locations;
};

/// Loads what torch.jit.save wrote; classes and functions go through `compiler` into its unit.
///
/// Operators and classes that the code names and this build lacks are warnings of the compiler's engine, each with the
/// lines that name it: what calls none of them runs.
///
/// Errors: NotFound (no such file), DataLoss (malformed, or its code does not compile: then the compiler's engine has
///         the diagnostics, which name the file inside of the archive, and the message repeats them), Unimplemented (a
///         legal archive that this build cannot read), PermissionDenied (see LoadOptions).
StatusOr<ArchiveContents> loadArchive(Compiler &compiler, const std::string &path, const LoadOptions &options = {});
StatusOr<ArchiveContents> loadArchive(Compiler &compiler, Bytes file, const LoadOptions &options = {});

/// A module, and all that its methods need: for programs that have no compiler of their own.
///
/// Ownership: owns the unit and the compiler; borrows the Context.
/// Threads:   methods are compiled by one thread at a time; a compiled module may run in many.
struct LoadedModule : ArchiveContents {
  std::unique_ptr<DiagnosticEngine> diagnostics; ///< Of code compiled now or later.
  std::unique_ptr<CompilationUnit> unit;
  std::unique_ptr<Compiler> compiler;

  LoadedModule();
  LoadedModule(LoadedModule &&);
  LoadedModule &operator=(LoadedModule &&) = delete;
  ~LoadedModule();

  const ClassType &type() const { return *object.toObject().type; }
  /// Null when there is none. Its body may be uncompiled.
  Function *findMethod(llvm::StringRef name) const;
};
StatusOr<LoadedModule> loadModule(Context &context, const std::string &path, const LoadOptions &options = {});

} // namespace tsc

#endif
