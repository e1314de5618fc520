//===- Pickler.h - Values to Python pickles -------------------------------===//
#ifndef TSC_LIB_SERIALIZATION_PICKLER_H
#define TSC_LIB_SERIALIZATION_PICKLER_H

#include "tsc/IR/IValue.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Endian.h"
#include <bit>

namespace tsc {

/// Whether instances of TorchScript classes may be written: a file of values means nothing without their program.
enum class PickleObjects { Refuse, Write };

/// Writes one pickle of protocol 2. A storage, list, dict or object that is met twice is written once.
class Pickler {
public:
  explicit Pickler(PickleObjects objects = PickleObjects::Refuse) : objects(objects) {}
  Status write(const IValue &value);
  std::string finish() { return std::move(out += '.'); }
  /// In the order of their keys.
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
  void global(StringRef module, StringRef name) { out += ("c" + module + "\n" + name + "\n").str(); }
  template <typename Range> void ints(const Range &values);
  /// Writes a reference and returns true when the object was written before; else remembers it.
  bool recall(const IValue &value);
  Status tensor(Tensor tensor);
  Status list(const IValue &value);
  Status dict(const DictValue &dict);
  Status tuple(const TupleValue &tuple);
  Status object(const IValue &value);

  PickleObjects objects;
  std::string out = "\x80\x02";
  unsigned depth = 0;
  llvm::DenseMap<const RefCounted *, uint32_t> memo;
  llvm::DenseMap<const Storage *, unsigned> keys;
  std::vector<Ref<Storage>> storageList;
};

} // namespace tsc

#endif
