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

/// The functions by which an Unpickler asks its user for what a pickle refers to. All may be empty: a pickle that needs
/// one that is empty is an error, except where a comment below says otherwise.
struct UnpicklerHooks {
  /// Returns the storage called `key`. `byteCount` is the size that the pickle states, and `location` the device that
  /// had the storage ("cuda:0"). A tensor that needs more bytes than the storage has is an error.
  std::function<StatusOr<Ref<Storage>>(llvm::StringRef key, DType dtype, uint64_t byteCount, llvm::StringRef location)>
      storage;
  /// Whether the storages that `storage` returns have their contents already. In files of torch.save before PyTorch 1.6
  /// the contents follow the pickle.
  bool storagesAreFilled = true;
  /// Takes work that is to be done once storages have their contents. Is called only where storagesAreFilled is false.
  std::function<void(std::function<Status()> look)> whenFilled;
  /// Is called once for each storage of a dtype that no operator takes, such as "float8_e4m3fn", with the wider dtype
  /// that its numbers are read as. May be empty.
  std::function<void(llvm::StringRef dtype, DType readAs)> widened;
  /// Returns the device to use for one that the pickle names, or nothing where there is no such device. Where this is
  /// empty, Device::parse decides.
  std::function<std::optional<Device>(llvm::StringRef name)> device;
  /// Returns the class, enum or NamedTuple of a name such as "__torch__.a.B", or null.
  std::function<StatusOr<const Type *>(llvm::StringRef qualifiedName)> findType;
  /// Returns the type that an annotation such as "List[int]" or "Dict[str, Tensor]" denotes.
  std::function<StatusOr<const Type *>(llvm::StringRef annotation)> parseType;
  /// Returns a tensor by its number in the table of tensors that archives before PyTorch 1.2 have.
  std::function<StatusOr<IValue>(int64_t number)> tensor;
  /// Runs `__setstate__(object, state)` of an object whose class has one.
  std::function<Status(Function &setState, const IValue &object, IValue state)> setState;
};

/// Reads pickles.
///
/// Limits:  containers nest at most 1000 deep; a container that is already inside of another one cannot change any
///          more, so there are no cycles; with sharing unfolded, a value has at most a million parts and 64 for each
///          byte of the pickle.
/// Memory:  in proportion to the pickle (and to the storages the hook gives).
/// Errors:  DataLoss for malformed pickles, Unimplemented for names that are not on the list, ResourceExhausted beyond
///          the limits, PermissionDenied for `__setstate__` without a hook, and what hooks return; never a crash.
class Unpickler {
public:
  Unpickler(Context &context, UnpicklerHooks hooks) : context(context), hooks(std::move(hooks)) {}
  /// Returns the value of the pickle at the start of `pickle`, and stores its length in bytes in `*used`, if given.
  StatusOr<IValue> read(llvm::StringRef pickle, size_t *used = nullptr);

private:
  Context &context;
  UnpicklerHooks hooks;
};

} // namespace tsc

#endif
