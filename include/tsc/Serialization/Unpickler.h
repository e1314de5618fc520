//===- Unpickler.h - Python pickles to values -------------------*- C++ -*-===//
//
// Reads the pickles that torch.save and torch.jit.save write. Nothing that a
// pickle says is executed: opcodes and names come from a fixed list (tensors,
// containers, numbers, dtypes, devices, type tags), and classes are asked of the
// caller.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SERIALIZATION_UNPICKLER_H
#define TSC_SERIALIZATION_UNPICKLER_H

#include "tsc/IR/IValue.h"
#include "llvm/ADT/StringRef.h"
#include <functional>

namespace tsc {

class Function;

/// What an unpickler asks of the one who uses it. A function that is not set answers "there is none".
struct UnpicklerHooks {
  /// The bytes of a storage, `byteCount` at least, or fewer when the archive has fewer (then a tensor that needs more
  /// is an error).
  /// `location` is the device that had it ("cuda:0").
  std::function<StatusOr<Ref<Storage>>(llvm::StringRef key, DType dtype, uint64_t byteCount, llvm::StringRef location)>
      storage;
  /// Whether storages have their bytes by now; in files of torch.save before PyTorch 1.6 they come after the pickle.
  bool storagesAreFilled = true;
  /// Where they have not: takes what is to be done when they have.
  std::function<void(std::function<Status()> look)> whenFilled;
  /// Hears of each storage of a dtype that no operator takes, which is read as another one.
  std::function<void(llvm::StringRef dtype, DType readAs)> widened;
  /// What stands for a device that the pickle names; nothing when there is no such device. Without it, Device::parse.
  std::function<std::optional<Device>(llvm::StringRef name)> device;
  /// The class, enum or NamedTuple "__torch__.a.B"; null when there is none.
  std::function<StatusOr<const Type *>(llvm::StringRef qualifiedName)> findType;
  /// `List[int]`, `Dict[str, Tensor]`.
  std::function<StatusOr<const Type *>(llvm::StringRef annotation)> parseType;
  /// A tensor by its number in the table that archives before PyTorch 1.2 have.
  std::function<StatusOr<IValue>(int64_t number)> tensor;
  /// Runs `__setstate__(object, state)`.
  std::function<Status(Function &setState, const IValue &object, IValue state)> setState;
};

/// Reads one pickle.
///
/// Limits:  containers nest at most 1000 deep; a container that is already inside of another one cannot change any
///          more, so there are no cycles; the size with sharing unfolded is bounded by 64 times the pickle's length.
/// Memory:  in proportion to the pickle (and to the storages the hook gives).
/// Errors:  DataLoss for malformed pickles, Unimplemented for names that are not on the list; never a crash.
class Unpickler {
public:
  Unpickler(Context &context, UnpicklerHooks hooks) : context(context), hooks(std::move(hooks)) {}
  /// The value, and in `*used`, when given, how many bytes it took.
  StatusOr<IValue> read(llvm::StringRef pickle, size_t *used = nullptr);

private:
  Context &context;
  UnpicklerHooks hooks;
};

} // namespace tsc

#endif
