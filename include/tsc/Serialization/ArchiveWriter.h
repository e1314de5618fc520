//===- ArchiveWriter.h - Writing TorchScript archives -----------*- C++ -*-===//
#ifndef TSC_SERIALIZATION_ARCHIVEWRITER_H
#define TSC_SERIALIZATION_ARCHIVEWRITER_H

#include "tsc/IR/IValue.h"
#include <functional>
#include <optional>
#include <string>

namespace tsc {

class Function;

struct SaveOptions {
  std::string folder = "archive"; ///< In which an archive keeps its files; torch.jit.save takes the file's name.
  std::vector<std::pair<std::string, std::string>> extraFiles; ///< extra/<name>, in this order.
  bool debugRecords = true; ///< Whether the code is written with the lines of the author's source that it came from.
  /// The device on which PyTorch puts the tensors when it loads the archive; without one, those of `locations`, and the
  /// CPU.
  std::optional<Device> device;
  std::vector<std::pair<Ref<Storage>, std::string>> locations;
  /// Hears, between storages, how many of their bytes are written, and of how many.
  std::function<void(uint64_t done, uint64_t total)> progress;
  /// Runs `__getstate__` of an object whose class has one; without it such an object is PermissionDenied.
  std::function<StatusOr<IValue>(Function &getState, const IValue &object)> getState;
};

/// The bytes of an archive that torch.jit.load and loadArchive read: the module's values, the code of all classes and
/// functions that it needs, and constants. A storage that several tensors share is written once. Equal modules give
/// equal bytes.
///
/// Errors: as PythonPrinter::finish, and Unimplemented for a value that has no place in a file (a future, a generator).
StatusOr<std::string> saveArchive(const IValue &module, const SaveOptions &options = {});

} // namespace tsc

#endif
