//===- SaveValue.cpp - Writing files that torch.load reads ----------------===//
//
// One pickle of protocol 2 and a zip entry for each storage. A storage, list or
// dict that is met twice is written once.
//
//===----------------------------------------------------------------------===//
#include "tsc/Serialization/ValueFile.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using llvm::StringRef;

namespace {
class Pickler {
public:
  Status write(const IValue &value);
  std::string finish() { return std::move(out += '.'); }
  /// In the order of their keys.
  llvm::ArrayRef<Ref<Storage>> storages() const { return storageList; }

private:
  static constexpr unsigned MaxDepth = 1000;

  void op(char c) { out += c; }
  template <typename T> void number(T value, llvm::endianness order = llvm::endianness::little) {
    char bytes[sizeof(T)];
    llvm::support::endian::write<T>(bytes, value, order);
    out.append(bytes, sizeof(T));
  }
  void integer(int64_t value);
  void real(double value) { op('G'); number(std::bit_cast<uint64_t>(value), llvm::endianness::big); }
  void boolean(bool value) { op(value ? '\x88' : '\x89'); }
  void string(StringRef text) { op('X'); number<uint32_t>(text.size()); out += text; }
  void global(StringRef module, StringRef name) { out += ("c" + module + "\n" + name + "\n").str(); }
  template <typename Range> void ints(const Range &values);
  /// Writes a reference and returns true when the object was written before; else remembers it.
  bool recall(const IValue &value);
  Status tensor(Tensor tensor);
  Status list(const IValue &value);
  Status dict(const DictValue &dict);
  Status tuple(const TupleValue &tuple);

  std::string out = "\x80\x02";
  unsigned depth = 0;
  llvm::DenseMap<const RefCounted *, uint32_t> memo;
  llvm::DenseMap<const Storage *, unsigned> keys;
  std::vector<Ref<Storage>> storageList;
};
} // namespace

void Pickler::integer(int64_t value) {
  if (value == static_cast<int32_t>(value)) {
    op('J');
    number<uint32_t>(static_cast<uint32_t>(value));
    return;
  }
  op('\x8a');
  op(8);
  number<uint64_t>(value);
}

template <typename Range> void Pickler::ints(const Range &values) {
  op('(');
  for (int64_t value : values)
    integer(value);
  op('t');
}

bool Pickler::recall(const IValue &value) {
  auto [entry, isNew] = memo.try_emplace(value.counted(), memo.size());
  if (isNew)
    return false;
  op('j');
  number<uint32_t>(entry->second);
  return true;
}

/// The same numbers without the lazy conjugation or negation.
static StatusOr<Tensor> resolveLazily(const Tensor &tensor) {
  TSC_ASSIGN_OR_RETURN(Tensor copy, Tensor::empty(tensor.sizes(), tensor.dtype()));
  for (int64_t i = 0; i != tensor.numel(); ++i)
    copy.set(i, tensor.at(i));
  return copy;
}

Status Pickler::tensor(Tensor tensor) {
  if (tensor.get()->conjugate || tensor.get()->negative) {
    TSC_ASSIGN_OR_RETURN(tensor, resolveLazily(tensor));
  }
  const Ref<Storage> &storage = tensor.get()->storage;
  auto [key, isNew] = keys.try_emplace(storage.get(), storageList.size());
  if (isNew)
    storageList.push_back(storage);
  global("torch._utils", "_rebuild_tensor_v2");
  op('(');
  op('(');
  string("storage");
  global("torch", (irName(tensor.dtype()) + "Storage").str());
  string(std::to_string(key->second));
  string("cpu");
  integer(storage->size() / itemSize(tensor.dtype()));
  op('t');
  op('Q');
  integer(tensor.storageOffset());
  ints(tensor.sizes());
  ints(tensor.strides());
  boolean(tensor.requiresGrad());
  global("collections", "OrderedDict");
  op(')');
  op('R');
  op('t');
  op('R');
  return okStatus();
}

Status Pickler::list(const IValue &value) {
  if (recall(value))
    return okStatus();
  op(']');
  op('r');
  number<uint32_t>(memo[value.counted()]);
  op('(');
  for (size_t i = 0, n = value.listSize(); i != n; ++i)
    TSC_RETURN_IF_ERROR(write(value.listElement(i)));
  op('e');
  return okStatus();
}

Status Pickler::dict(const DictValue &dict) {
  op('}');
  op('r');
  number<uint32_t>(memo[&dict]);
  op('(');
  Status status;
  dict.forEach([&](const IValue &key, const IValue &value) {
    if (status.ok())
      status = write(key);
    if (status.ok())
      status = write(value);
  });
  op('u');
  return status;
}

Status Pickler::tuple(const TupleValue &tuple) {
  op('(');
  for (const IValue &element : tuple.elements)
    TSC_RETURN_IF_ERROR(write(element));
  op('t');
  return okStatus();
}

Status Pickler::write(const IValue &value) {
  struct Level {
    unsigned &depth;
    ~Level() { --depth; }
  } level{depth};
  if (++depth > MaxDepth)
    return resourceExhausted("the value nests too deeply to be saved");
  switch (value.getTag()) {
  case IValue::Tag::None: op('N'); return okStatus();
  case IValue::Tag::Bool: boolean(value.toBool()); return okStatus();
  case IValue::Tag::Int: integer(value.toInt()); return okStatus();
  case IValue::Tag::Double: real(value.toDouble()); return okStatus();
  case IValue::Tag::String: string(value.toString()); return okStatus();
  case IValue::Tag::Complex:
    global("builtins", "complex");
    real(value.toComplex().real());
    real(value.toComplex().imag());
    op('\x86');
    op('R');
    return okStatus();
  case IValue::Tag::Device:
    global("torch", "device");
    string(value.toDevice().str());
    op('\x85');
    op('R');
    return okStatus();
  case IValue::Tag::Tensor: return tensor(value.toTensor());
  case IValue::Tag::IntList: case IValue::Tag::DoubleList: case IValue::Tag::BoolList: case IValue::Tag::TensorList: case IValue::Tag::GenericList:
    return list(value);
  case IValue::Tag::Dict: return recall(value) ? okStatus() : dict(value.toDict());
  case IValue::Tag::Tuple: return tuple(value.toTuple());
  case IValue::Tag::Enum: return write(value.toEnum().value);
  default: return unimplemented("an object, function, future or generator cannot be saved as a value");
  }
}

StatusOr<std::string> tsc::saveValue(const IValue &value) {
  Pickler pickler;
  TSC_RETURN_IF_ERROR(pickler.write(value));
  ZipWriter zip;
  zip.add("archive/data.pkl", pickler.finish());
  zip.add("archive/byteorder", "little");
  for (const auto &[i, storage] : llvm::enumerate(pickler.storages()))
    zip.add("archive/data/" + std::to_string(i), StringRef(static_cast<const char *>(storage->data()), storage->size()));
  zip.add("archive/version", "3\n");
  return zip.finish();
}

/// Through a file beside it: the target may be mapped by somebody who reads it.
Status tsc::saveValue(const IValue &value, const std::string &path) {
  TSC_ASSIGN_OR_RETURN(std::string bytes, saveValue(value));
  int descriptor;
  llvm::SmallString<128> temporary;
  std::error_code error = llvm::sys::fs::createUniqueFile(path + ".%%%%%%.tmp", descriptor, temporary, llvm::sys::fs::OF_None, llvm::sys::fs::all_read | llvm::sys::fs::owner_write);
  if (error)
    return invalidArgument("cannot write '" + path + "': " + error.message());
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << bytes;
  os.close();
  error = os.error();
  os.clear_error();
  if (!error)
    error = llvm::sys::fs::rename(temporary, path);
  if (!error)
    return okStatus();
  llvm::sys::fs::remove(temporary);
  return invalidArgument("cannot write '" + path + "': " + error.message());
}
