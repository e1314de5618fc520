//===- ArchiveWriter.h - Writing TorchScript archives -----------*- C++ -*-===//
#ifndef TSC_SERIALIZATION_ARCHIVEWRITER_H
#define TSC_SERIALIZATION_ARCHIVEWRITER_H

#include "tsc/IR/IValue.h"
#include <functional>
#include <optional>
#include <string>

namespace tsc {

class Function;

/// How an archive is written, and what its writer asks of the host.
struct SaveOptions {
  /// The folder within the zip file that holds the archive's files. torch.jit.save names it after the file.
  std::string folder = "archive";
  /// The names and contents of files that are written, in this order, to the archive's folder `extra/`.
  std::vector<std::pair<std::string, std::string>> extraFiles;
  bool debugRecords = true; ///< Whether the archive says which lines of the author's source its code came from.
  /// The device on which PyTorch puts all tensors when it loads the archive. Where it is empty, `locations` says which
  /// storages go where.
  std::optional<Device> device;
  /// Storages and the devices on which PyTorch puts them ("cuda:0"); all others go to the CPU.
  std::vector<std::pair<Ref<Storage>, std::string>> locations;
  /// Is called after each storage with the number of bytes written so far and in all. The storages of the module and
  /// those of the code's constants are counted apart, one after the other.
  std::function<void(uint64_t done, uint64_t total)> progress;
  /// Runs `__getstate__` of an object whose class has one. Where this is empty, such an object is PermissionDenied.
  std::function<StatusOr<IValue>(Function &getState, const IValue &object)> getState;
};

/// Returns the bytes of an archive that torch.jit.load and loadArchive read: the module's values, the code of all
/// classes and functions that it needs, and constants. A storage that several tensors share is written once. Equal
/// modules give equal bytes.
///
/// Errors: those of PythonPrinter::finish, InvalidArgument where `module` is no object or a file of the archive has a
///         name of more than 65,535 bytes, PermissionDenied (see
///         SaveOptions::getState), and Unimplemented for a value that has no place in a file (a future, a generator).
StatusOr<std::string> saveArchive(const IValue &module, const SaveOptions &options = {});

} // namespace tsc

#endif
