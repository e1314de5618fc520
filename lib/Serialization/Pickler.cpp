//===- Pickler.cpp - Values to Python pickles -----------------------------===//
#include "Pickler.h"
#include "tsc/IR/ClassType.h"
#include "tsc/Support/Stack.h"
#include "tsc/Tensor/Opaque.h"
#include "tsc/Tensor/Quantizer.h"

using namespace tsc;
using llvm::StringRef;

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

void Pickler::sharedString(StringRef text) {
  auto [entry, isNew] = strings.try_emplace(text, numRemembered);
  const uint32_t place = entry->second;
  if (isNew) {
    string(text);
    ++numRemembered;
  }
  if (place < 256) {
    op(isNew ? 'q' : 'h');
    number<uint8_t>(place);
  } else {
    op(isNew ? 'r' : 'j');
    number<uint32_t>(place);
  }
}

StatusOr<bool> Pickler::recall(const IValue &value) {
  assert(value.isCounted() && "only what has an identity is written once");
  auto [entry, isNew] = memo.try_emplace(value.counted(), unremembered);
  if (isNew)
    return false;
  if (entry->second == unremembered)
    return unimplemented("a value that contains itself cannot be saved");
  op('j');
  number<uint32_t>(entry->second);
  return true;
}

void Pickler::remember(const IValue &value) {
  assert(value.isCounted() && memo.contains(value.counted()) && "recall() said that the value is new");
  op('r');
  number<uint32_t>(memo[value.counted()] = numRemembered++);
}

/// The same numbers without the lazy conjugation or negation.
static StatusOr<Tensor> resolveLazily(const Tensor &tensor) {
  TSC_ASSIGN_OR_RETURN(Tensor copy, Tensor::empty(tensor.sizes(), tensor.dtype()));
  for (int64_t i = 0; i != tensor.numel(); ++i)
    copy.set(i, tensor.at(i));
  return copy;
}

/// (per_tensor_affine, scale, zero point) or (per_channel_affine, scales, zero points, axis), the latter with another
/// name where the zero points are real numbers.
Status Pickler::scheme(const Quantizer &quantizer) {
  op('(');
  global("torch", quantizer.hasRealZeroPoints() ? "per_channel_affine_float_qparams"
                  : quantizer.isPerChannel()    ? "per_channel_affine"
                                                : "per_tensor_affine");
  if (quantizer.isPerChannel()) {
    TSC_RETURN_IF_ERROR(tensor(quantizer.scales));
    TSC_RETURN_IF_ERROR(tensor(quantizer.zeroPoints));
    integer(quantizer.axis);
  } else {
    real(quantizer.scale);
    integer(quantizer.zeroPoint);
  }
  op('t');
  return okStatus();
}

/// (layout, sizes, requires_grad, indices or row starts and columns, values, hooks); torch.save has another form.
Status Pickler::sparse(const Tensor &tensor, const SparseParts &parts) {
  const bool isProgram = objects == PickleObjects::Program;
  global("torch._utils", parts.isInRows && !isProgram ? "_rebuild_sparse_csr_tensor" : "_rebuild_sparse_tensor");
  op('(');
  if (!isProgram) {
    global("torch.serialization", "_get_layout");
    string(parts.isInRows ? "torch.sparse_csr" : "torch.sparse_coo");
    op('\x85');
    op('R');
    op('(');
  } else {
    integer(static_cast<int64_t>(layoutOf(tensor)));
    ints(tensor.sizes());
    boolean(tensor.requiresGrad());
  }
  if (parts.isInRows) {
    TSC_ASSIGN_OR_RETURN(Tensor starts, rowStartsOf(parts, tensor.size(0)));
    const Tensor &all = parts.indices;
    TSC_ASSIGN_OR_RETURN(Tensor columns, Tensor::view(all.get()->storage, all.storageOffset() + all.strides()[0],
                                                      {all.size(1)}, {all.strides()[1]}, DType::Int64));
    TSC_RETURN_IF_ERROR(this->tensor(starts));
    TSC_RETURN_IF_ERROR(this->tensor(columns));
  } else {
    TSC_RETURN_IF_ERROR(this->tensor(parts.indices));
  }
  TSC_RETURN_IF_ERROR(this->tensor(parts.values));
  if (!isProgram) {
    ints(tensor.sizes());
    op('t');
  } else {
    global("collections", "OrderedDict");
    op(')');
    op('R');
  }
  op('t');
  op('R');
  return okStatus();
}

/// Several integers in a byte, the first in the lowest bits.
static StatusOr<Ref<Storage>> packBits(const Tensor &tensor, unsigned bits) {
  const int64_t each = 8 / bits, count = tensor.numel();
  TSC_ASSIGN_OR_RETURN(Ref<Storage> storage, Storage::allocate((count + each - 1) / each));
  auto *to = static_cast<uint8_t *>(storage->mutableData());
  std::fill_n(to, storage->size(), 0);
  TSC_ASSIGN_OR_RETURN(Tensor integers, Tensor::view(tensor.get()->storage, tensor.storageOffset(), tensor.sizes(),
                                                     tensor.strides(), DType::UInt8));
  for (int64_t i = 0; i != count; ++i)
    to[i / each] |= (integers.at(i).toInt() & ((1 << bits) - 1)) << (i % each * bits);
  return storage;
}

Status Pickler::tensor(Tensor tensor) {
  assert(tensor.defined() && "an undefined tensor is None as a value");
  if (const SparseParts *parts = sparseOf(tensor))
    return sparse(tensor, *parts);
  if (tensor.dtype() == DType::Opaque)
    return unimplemented("a nested tensor cannot be saved: to_padded_tensor() gives one that can");
  if (tensor.get()->conjugate || tensor.get()->negative) {
    TSC_ASSIGN_OR_RETURN(tensor, resolveLazily(tensor));
  }
  const Quantizer *quantizer = quantizerOf(tensor);
  const bool isPacked = quantizer && quantizer->bits != 8;
  Ref<Storage> storage = tensor.get()->storage;
  if (isPacked) {
    TSC_ASSIGN_OR_RETURN(storage, packBits(tensor, quantizer->bits));
  }
  auto [key, isNew] = keys.try_emplace(storage.get(), storageList.size());
  if (isNew)
    storageList.push_back(storage);
  global("torch._utils", quantizer ? "_rebuild_qtensor" : "_rebuild_tensor_v2");
  op('(');
  // PyTorch shares what is one reference, and reads each mention of a key anew.
  auto [reference, isFirst] = references.try_emplace({storage.get(), static_cast<unsigned>(tensor.dtype())}, 0);
  if (isFirst) {
    op('(');
    string("storage");
    global("torch", isPacked ? (quantizer->bits == 4 ? "QUInt4x2Storage" : "QUInt2x4Storage")
                             : (irName(tensor.dtype()) + "Storage").str());
    string(std::to_string(key->second));
    auto location = locations.find(storage.get());
    string(location == locations.end() ? usualLocation : location->second);
    integer(storage->size() / itemSize(tensor.dtype()));
    op('t');
    op('Q');
    op('r');
    number<uint32_t>(reference->second = numRemembered++);
  } else {
    op('j');
    number<uint32_t>(reference->second);
  }
  integer(isPacked ? 0 : tensor.storageOffset());
  ints(tensor.sizes());
  ints(isPacked ? contiguousStrides(tensor.sizes()) : Dims(tensor.strides()));
  if (quantizer)
    TSC_RETURN_IF_ERROR(scheme(*quantizer));
  boolean(tensor.requiresGrad());
  global("collections", "OrderedDict");
  op(')');
  op('R');
  op('t');
  op('R');
  return okStatus();
}

/// The function that makes a list of these elements typed; empty when its type must be spelled.
static StringRef listBuilder(const IValue &list) {
  switch (list.getTag()) {
  case IValue::Tag::IntList: return "build_intlist";
  case IValue::Tag::DoubleList: return "build_doublelist";
  case IValue::Tag::BoolList: return "build_boollist";
  case IValue::Tag::TensorList: return "build_tensorlist";
  default: return "";
  }
}

static std::string spelledType(const IValue &value) {
  if (value.isDict())
    return "Dict[" + value.toDict().keyType->annotation() + ", " + value.toDict().valueType->annotation() + "]";
  return "List[" + value.toGenericList().elementType->annotation() + "]";
}

void Pickler::beginTyped(const IValue &value) {
  if (objects != PickleObjects::Program)
    return;
  StringRef builder = value.isDict() ? "" : listBuilder(value);
  global("torch.jit._pickle", builder.empty() ? "restore_type_tag" : builder);
  op('(');
}

void Pickler::endTyped(const IValue &value) {
  if (objects != PickleObjects::Program)
    return;
  if (value.isDict() || listBuilder(value).empty())
    string(spelledType(value));
  op('t');
  op('R');
  remember(value);
}

Status Pickler::list(const IValue &value) {
  TSC_ASSIGN_OR_RETURN(bool isKnown, recall(value));
  if (isKnown)
    return okStatus();
  beginTyped(value);
  op(']');
  if (objects != PickleObjects::Program)
    remember(value);
  op('(');
  for (size_t i = 0, n = value.listSize(); i != n; ++i)
    TSC_RETURN_IF_ERROR(write(value.listElement(i)));
  op('e');
  endTyped(value);
  return okStatus();
}

Status Pickler::dict(const IValue &value) {
  TSC_ASSIGN_OR_RETURN(bool isKnown, recall(value));
  if (isKnown)
    return okStatus();
  beginTyped(value);
  op('}');
  if (objects != PickleObjects::Program)
    remember(value);
  op('(');
  Status status;
  value.toDict().forEach([&](const IValue &key, const IValue &item) {
    if (status.ok())
      status = write(key);
    if (status.ok())
      status = write(item);
  });
  op('u');
  endTyped(value);
  return status;
}

/// A tuple. That of a NamedTuple's type is written as any other, since PyTorch reads no other: the type of the
/// attribute, or of the container, says what it is.
Status Pickler::tuple(const TupleValue &tuple) {
  op('(');
  for (const IValue &element : tuple.elements)
    TSC_RETURN_IF_ERROR(write(element));
  op('t');
  return okStatus();
}

/// A member of an enum: in a program, its class called with the member's value, which PyTorch wants without a tuple.
Status Pickler::enumMember(const EnumValue &member) {
  if (objects != PickleObjects::Program)
    return write(member.value);
  auto [module, name] = member.type->name().rsplit('.');
  global(module, name);
  TSC_RETURN_IF_ERROR(write(member.value));
  op('R');
  return okStatus();
}

/// An instance: its class, made without arguments, and the state that it is then given.
Status Pickler::object(const IValue &value) {
  TSC_ASSIGN_OR_RETURN(bool isKnown, recall(value));
  if (isKnown)
    return okStatus();
  const ObjectValue &instance = value.toObject();
  auto [module, name] = instance.type->name().rsplit('.');
  global(module, name);
  op(')');
  op('\x81');
  if (Function *method = instance.type->findMethod("__getstate__"); method && objects == PickleObjects::Program) {
    if (!getState)
      return permissionDenied("saving an object of class '" + instance.type->name() +
                              "' runs its __getstate__, which was not allowed");
    TSC_ASSIGN_OR_RETURN(IValue state, getState(*method, value));
    TSC_RETURN_IF_ERROR(write(state));
    op('b');
    remember(value);
    return okStatus();
  }
  if (instance.type->isNative() && objects == PickleObjects::Program) {
    // The state of PyTorch's C++ classes is a tuple.
    op('(');
    for (const IValue &slot : instance.slots)
      TSC_RETURN_IF_ERROR(write(slot));
    op('t');
    op('b');
    remember(value);
    return okStatus();
  }
  op('}');
  op('(');
  for (auto [attribute, slot] : llvm::zip(instance.type->attributes(), instance.slots)) {
    string(attribute.name);
    TSC_RETURN_IF_ERROR(write(slot));
  }
  op('u');
  op('b');
  // PyTorch makes the object when its state is there.
  remember(value);
  return okStatus();
}

Status Pickler::write(const IValue &value) {
  struct Level {
    unsigned &depth;
    ~Level() { --depth; }
  } level{depth};
  if (++depth > maxDepth || !mayRecurse())
    return resourceExhausted("the value nests too deeply to be saved");
  switch (value.getTag()) {
  case IValue::Tag::None: op('N'); return okStatus();
  case IValue::Tag::Bool: boolean(value.toBool()); return okStatus();
  case IValue::Tag::Int: integer(value.toInt()); return okStatus();
  case IValue::Tag::Double: real(value.toDouble()); return okStatus();
  case IValue::Tag::String: sharedString(value.toString()); return okStatus();
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
  case IValue::Tag::IntList:
  case IValue::Tag::DoubleList:
  case IValue::Tag::BoolList:
  case IValue::Tag::TensorList:
  case IValue::Tag::GenericList: return list(value);
  case IValue::Tag::Dict: return dict(value);
  case IValue::Tag::Tuple: return tuple(value.toTuple());
  case IValue::Tag::Enum: return enumMember(value.toEnum());
  case IValue::Tag::Object:
    if (objects != PickleObjects::Refuse)
      return object(value);
    [[fallthrough]];
  default: return unimplemented("an object, function, future or generator cannot be saved as a value");
  }
}
