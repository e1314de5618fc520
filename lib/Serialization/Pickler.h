//===- Pickler.h - Values to Python pickles -------------------------------===//
#ifndef TSC_LIB_SERIALIZATION_PICKLER_H
#define TSC_LIB_SERIALIZATION_PICKLER_H

#include "tsc/IR/IValue.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include <bit>
#include <functional>

namespace tsc {

class Function;
struct Quantizer;
struct SparseParts;

/// Whether instances of TorchScript classes may be written: a file of values means nothing without their program.
/// `Program` writes as torch.jit.save does: containers say their types, enums and NamedTuples their classes.
enum class PickleObjects { Refuse, Write, Program };

/// Writes one pickle of protocol 2. A storage, string, list, dict or object that is met twice is written once.
class Pickler {
public:
  /// What an object's `__getstate__` gives.
  using GetState = std::function<StatusOr<IValue>(Function &getState, const IValue &object)>;
  explicit Pickler(PickleObjects objects = PickleObjects::Refuse, GetState getState = nullptr)
      : objects(objects), getState(std::move(getState)) {}
  /// The devices that storages name: one for all but those that are listed.
  void setLocations(std::string usual, ArrayRef<std::pair<Ref<Storage>, std::string>> others) {
    usualLocation = std::move(usual);
    for (const auto &[storage, location] : others)
      locations[storage.get()] = location;
  }
  /// Writes a value. It fails for one that PyTorch's pickles cannot hold, or that is nested too deeply.
  Status write(const IValue &value);
  std::string finish() { return std::move(out += '.'); }
  /// Returns the storages of the tensors, in the order of their keys, which are numbers from 0.
  ArrayRef<Ref<Storage>> storages() const { return storageList; }

private:
  static constexpr unsigned maxDepth = 1000;

  void op(char c) { out += c; }
  template <typename T> void number(T value, llvm::endianness order = llvm::endianness::little) {
    char bytes[sizeof(T)];
    llvm::support::endian::write<T>(bytes, value, order);
    out.append(bytes, sizeof(T));
  }
  void integer(int64_t value);
  void real(double value) {
    op('G');
    number(std::bit_cast<uint64_t>(value), llvm::endianness::big);
  }
  void boolean(bool value) { op(value ? '\x88' : '\x89'); }
  void string(StringRef text) {
    op('X');
    number<uint32_t>(text.size());
    out += text;
  }
  /// Writes a string of the program's: in full the first time, and from then on as a reference.
  void sharedString(StringRef text);
  void global(StringRef module, StringRef name) { out += ("c" + module + "\n" + name + "\n").str(); }
  template <typename Range> void ints(const Range &values);
  /// Writes a reference and returns true when the value was written before. Else it is about to be: remember() says
  /// where a reference to it may stand.
  StatusOr<bool> recall(const IValue &value);
  Status scheme(const Quantizer &quantizer);
  Status tensor(Tensor tensor);
  Status sparse(const Tensor &tensor, const SparseParts &parts);
  /// Write the call that gives a container its type, where it has one, around the container.
  void beginTyped(const IValue &value);
  void endTyped(const IValue &value);
  void remember(const IValue &value);
  Status list(const IValue &value);
  Status dict(const IValue &value);
  Status tuple(const TupleValue &tuple);
  Status enumMember(const EnumValue &member);
  Status object(const IValue &value);

  const PickleObjects objects;
  const GetState getState;
  std::string out = "\x80\x02";
  unsigned depth = 0;
  static constexpr uint32_t unremembered = ~0u;
  uint32_t numRemembered = 0;
  llvm::DenseMap<const RefCounted *, uint32_t> memo;
  llvm::StringMap<uint32_t> strings; ///< Where a string was written.
  llvm::DenseMap<const Storage *, unsigned> keys;
  llvm::DenseMap<std::pair<const Storage *, unsigned>, uint32_t>
      references; ///< Where a storage was written as one of a dtype.
  std::vector<Ref<Storage>> storageList;
  std::string usualLocation = "cpu";
  llvm::DenseMap<const Storage *, std::string> locations;
};

} // namespace tsc

#endif
