//===- PickleMachine.h - The stack machine of one pickle --------*- C++ -*-===//
#ifndef TSC_LIB_SERIALIZATION_PICKLEMACHINE_H
#define TSC_LIB_SERIALIZATION_PICKLEMACHINE_H

#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/Serialization/Unpickler.h"
#include "llvm/ADT/DenseMap.h"
#include <set>
#include <tuple>

namespace tsc {

struct NarrowFormat;
struct Quantizer;

/// A name that a pickle mentioned, until it is called; lives on the stack inside a capsule.
struct PickleGlobal final : RefCounted {
  /// What the name was found to be: a name of Python's, or a type of the archive.
  enum class Kind { Name, Class, Enum, NamedTuple };
  PickleGlobal(std::string name) : name(std::move(name)) {}
  std::string name; ///< "torch._utils._rebuild_tensor_v2"
  Kind kind = Kind::Name;
  const Type *type = nullptr;
};

/// A storage that a persistent id named, until a tensor is made on it.
struct PickleStorage final : RefCounted {
  Ref<Storage> storage;
  std::string key;            ///< Its name in the archive.
  std::optional<DType> dtype; ///< Absent for an untyped storage.
  uint8_t bits = 8; ///< The bits of an integer: 4 of quint4x2 and 2 of quint2x4, several of which are in a byte.
};

/// Reads one pickle: runs its opcodes on a stack and a memo, and checks each. Nothing of Python's is called but what
/// makes values.
class PickleMachine {
public:
  PickleMachine(Context &context, const UnpicklerHooks &hooks, llvm::StringRef pickle)
      : context(context), hooks(hooks), bytes(pickle) {}
  /// Runs the pickle to its end, and returns the value that is left. DataLoss where it is damaged.
  StatusOr<IValue> run();
  size_t position() const { return at; }

private:
  static constexpr unsigned maxDepth = 1000;

  //===-- Input ------------------------------------------------------------===//
  StatusOr<llvm::StringRef> take(uint64_t count);
  template <typename T> StatusOr<T> number();
  template <typename T> StatusOr<llvm::StringRef> takeCounted();
  StatusOr<llvm::StringRef> line();

  //===-- Stack and memo -----------------------------------------------------===//
  Status push(IValue value);
  StatusOr<IValue> pop();
  StatusOr<IValue *> top();
  /// What was pushed since the last mark; the mark goes too.
  StatusOr<std::vector<IValue>> popToMark();
  StatusOr<std::vector<IValue>> popSome(size_t count);
  Status memoize(uint64_t index);
  Status recall(uint64_t index);
  /// Takes `amount` of what a pickle of this size may make of its bytes by naming values again; an error where it is
  /// used up. Values that stand in the pickle once are paid for by its size.
  Status spend(uint64_t amount);

  //===-- Containers (depth, sealing, size) ----------------------------------===//
  struct Extent {
    unsigned depth = 1;
    bool sealed = false; ///< Whether it is inside of another container, and must not change any more.
    uint64_t weight = 1; ///< Containers and elements within, each as often as it stands there.
  };
  /// Enters a container that was just made.
  IValue track(IValue container) {
    assert(container.isCounted() && "a container is counted, and known by its address");
    extents[container.counted()] = {};
    kept.push_back(container);
    return container;
  }
  /// Records that `child` goes into `parent`.
  Status contain(const IValue &parent, const IValue &child);
  StatusOr<IValue> makeTrackedTuple(std::vector<IValue> elements, const TupleType *type = nullptr);
  Status appendAll(const IValue &list, std::vector<IValue> elements);
  Status setItems(const IValue &dict, std::vector<IValue> keysAndValues);
  /// A converted value stands for `original` in the books.
  IValue trackLike(IValue converted, const IValue &original);

  //===-- Opcodes -------------------------------------------------------------===//
  Status step(uint8_t opcode);
  Status checkProtocol();
  template <typename T> Status pushNumber();
  Status pushFloat();
  Status pushInteger(StatusOr<llvm::StringRef> littleEndian);
  Status pushString(StatusOr<llvm::StringRef> text);
  Status pushList(StatusOr<std::vector<IValue>> elements);
  Status appendToTop(StatusOr<std::vector<IValue>> elements);
  Status pushDict(StatusOr<std::vector<IValue>> items);
  Status setInTop(StatusOr<std::vector<IValue>> items);
  Status pushTuple(StatusOr<std::vector<IValue>> elements);
  template <typename T> Status memoizeAt();
  template <typename T> Status recallAt();
  Status pushGlobalOfLines();
  Status pushGlobalOfStack();
  Status pushGlobal(llvm::StringRef module, llvm::StringRef name);
  Status persistentLoad();
  /// Unimplemented where storages have no bytes yet, for a tensor whose elements are looked at while it is made.
  Status checkFilled(const llvm::Twine &tensor) const;
  StatusOr<Ref<Storage>> widenStorage(const Ref<Storage> &storage, const NarrowFormat &format);
  /// A copy of the storage's bytes as bools: for bools in a storage of numbers, and for numbers in one of bools, that
  /// no write to a number makes a byte which is no bool.
  StatusOr<Ref<Storage>> separateStorage(const Ref<Storage> &storage);
  /// A tensor of the same elements that nothing else has; tensors of one storage share its copy. The elements may come
  /// when storages are filled.
  StatusOr<Tensor> ownCopy(const Tensor &tensor);
  /// Runs `look` when storages have their bytes, which may be now.
  Status whenFilled(std::function<Status()> look);
  Status reduce();
  Status newObject();
  Status build();

  //===-- Calls (PickleCalls.cpp) ----------------------------------------------===//
  StatusOr<IValue> call(const PickleGlobal &callee, std::vector<IValue> args);
  StatusOr<IValue> callByName(llvm::StringRef name, std::vector<IValue> args);
  StatusOr<IValue> rebuildTensor(llvm::ArrayRef<IValue> args, bool hasDType);
  StatusOr<IValue> rebuildSparse(llvm::ArrayRef<IValue> args);
  StatusOr<IValue> rebuildParameter(llvm::ArrayRef<IValue> args);
  StatusOr<IValue> restoreTypeTag(llvm::ArrayRef<IValue> args);
  StatusOr<IValue> orderedDict(llvm::ArrayRef<IValue> args);
  StatusOr<IValue> rebuildQuantized(llvm::ArrayRef<IValue> args);
  Status readChannels(llvm::ArrayRef<IValue> parts, bool isReal, const Tensor &tensor, const llvm::Twine &name,
                      Quantizer &quantizer);
  StatusOr<IValue> makeEnum(const EnumType &type, llvm::ArrayRef<IValue> args);
  StatusOr<const Type *> typeNamed(const IValue &annotation);
  StatusOr<IValue> typedList(llvm::ArrayRef<IValue> args, const Type *element);
  Status setAttributes(ObjectValue &object, const IValue &state);
  Status setNativeAttributes(ObjectValue &object, const IValue &state);

  Context &context;
  const UnpicklerHooks &hooks;
  llvm::StringRef bytes;
  size_t at = 0;
  uint64_t spent = 0;
  std::vector<IValue> stack;
  std::vector<size_t> marks;
  llvm::DenseMap<uint64_t, IValue> memo;
  llvm::DenseMap<RefCounted *, Extent> extents;
  /// Storages that were made of others, which are kept beside them and are the keys, so that tensors share what they
  /// shared.
  llvm::DenseMap<const Storage *, std::pair<Ref<Storage>, Ref<Storage>>> widened, separated, copied;
  /// Zero points that were looked at: their storage, where they are in it, how many, and for which dtype; and how many
  /// in all of one storage, each time.
  std::set<std::tuple<const Storage *, int64_t, int64_t, DType>> checked;
  llvm::DenseMap<const Storage *, uint64_t> numChecked;
  llvm::DenseMap<const EnumType *, Ref<DictValue>> members; ///< Their indices by their values.
  llvm::DenseMap<const RefCounted *, const Type *>
      typesByText;          ///< The types that strings, which `kept` holds, have named.
  std::vector<IValue> kept; ///< Every tracked container, so that no address is used twice in `extents`.
};

/// The content of a capsule if it is a T, else null.
template <typename T> T *capsuleAs(const IValue &value) {
  return value.isCapsule() ? dynamic_cast<T *>(value.counted()) : nullptr;
}

/// Returns the DataLoss of a pickle, with what is wrong.
Status badPickle(const llvm::Twine &what);

} // namespace tsc

#endif
