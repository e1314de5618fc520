//===- PickleCalls.cpp - What pickles may call ----------------------------===//
#include "NativeState.h"
#include "PickleMachine.h"
#include "SparseValues.h"
#include "WidenedStorages.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/Serialization/Convert.h"
#include "tsc/Tensor/Quantizer.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tsc;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

static StatusOr<llvm::SmallVector<int64_t, 8>> toDims(const IValue &value) {
  llvm::SmallVector<int64_t, 8> dims;
  if (value.isIntList())
    return llvm::SmallVector<int64_t, 8>(llvm::ArrayRef(value.toIntList().elements));
  if (!value.isTuple())
    return badPickle("sizes that are no tuple");
  for (const IValue &dim : value.toTuple().elements) {
    if (!dim.isInt())
      return badPickle("a size that is no int");
    dims.push_back(dim.toInt());
  }
  return dims;
}

/// Metadata say which numbers are meant, where those in the storage are conjugated or negated when they are read.
static Status readMetadata(const IValue &metadata, TensorImpl &tensor) {
  if (!metadata.isDict())
    return okStatus();
  auto flag = [&](const char *name) {
    const IValue *value = metadata.toDict().find(IValue(name));
    return value && value->isBool() && value->toBool();
  };
  tensor.conjugate = flag("conj");
  tensor.negative = flag("neg");
  if (tensor.conjugate && !isComplex(tensor.dtype))
    return badPickle("a real tensor that is conjugated");
  if (tensor.negative && !isComplex(tensor.dtype) && !isFloating(tensor.dtype))
    return badPickle("a tensor of integers that is negated");
  return okStatus();
}

/// (storage, offset, size, stride, requires_grad, hooks[, dtype][, metadata])
StatusOr<IValue> PickleMachine::rebuildTensor(ArrayRef<IValue> args, bool hasDType) {
  auto *storage = args.empty() ? nullptr : capsuleAs<PickleStorage>(args[0]);
  if (args.size() < (hasDType ? 7u : 4u) || !storage || !args[1].isInt() || storage->bits != 8)
    return badPickle("a tensor without a storage");
  std::optional<DType> dtype = storage->dtype;
  Ref<Storage> memory = storage->storage;
  auto *named = hasDType ? capsuleAs<PickleGlobal>(args[6]) : nullptr;
  if (const auto format = named ? narrowFormat(named->name) : std::nullopt) {
    TSC_ASSIGN_OR_RETURN(memory, widenStorage(memory, *format));
    dtype = format->read;
  } else if (hasDType) {
    if (!args[6].isInt() || !isValidDType(args[6].toInt()))
      return badPickle("a tensor of unknown dtype");
    dtype = static_cast<DType>(args[6].toInt());
    if ((dtype == DType::Bool) != (storage->dtype == DType::Bool)) {
      TSC_ASSIGN_OR_RETURN(memory, separateStorage(memory));
    }
  }
  if (!dtype)
    return badPickle("a tensor of unknown dtype");
  TSC_ASSIGN_OR_RETURN(auto sizes, toDims(args[2]));
  TSC_ASSIGN_OR_RETURN(auto strides, toDims(args[3]));
  TSC_ASSIGN_OR_RETURN(Tensor tensor, Tensor::view(memory, args[1].toInt(), sizes, strides, *dtype));
  if (args.size() > 4 && args[4].isBool())
    tensor.get()->setLeafOfFile(args[4].toBool());
  if (const size_t metadata = hasDType ? 7 : 6; args.size() > metadata)
    TSC_RETURN_IF_ERROR(readMetadata(args[metadata], *tensor.get()));
  return IValue(std::move(tensor));
}

/// A tensor of bytes whose integers lie in less: the first in the lowest bits of each byte. Only whole, row-major
/// tensors are written so.
static StatusOr<Tensor> unpackBits(const PickleStorage &storage, ArrayRef<IValue> args) {
  TSC_ASSIGN_OR_RETURN(auto sizes, toDims(args[2]));
  TSC_ASSIGN_OR_RETURN(auto strides, toDims(args[3]));
  TSC_ASSIGN_OR_RETURN(int64_t count, elementCount(sizes));
  const unsigned each = 8 / storage.bits, mask = (1u << storage.bits) - 1;
  if (!args[1].isInt() || args[1].toInt() != 0 ||
      llvm::ArrayRef<int64_t>(strides) != llvm::ArrayRef<int64_t>(contiguousStrides(sizes)) ||
      static_cast<uint64_t>(count) > storage.storage->size() * each)
    return badPickle("a tensor of integers of " + Twine(unsigned(storage.bits)) + " bits that do not fill its storage");
  TSC_ASSIGN_OR_RETURN(Tensor tensor, Tensor::empty(sizes, DType::QUInt8));
  const auto *from = static_cast<const uint8_t *>(storage.storage->data());
  for (int64_t i = 0; i != count; ++i)
    tensor.mutableData<uint8_t>()[i] = from[i / each] >> (i % each * storage.bits) & mask;
  return tensor;
}

/// The zero points of a dtype's integers lie among these.
static Status checkZeroPoints(ArrayRef<int64_t> zeroPoints, DType dtype, const Twine &tensor) {
  const bool isByte = dtype == DType::QUInt8;
  const int64_t bits = dtype == DType::QInt32 ? 32 : 8, low = isByte ? 0 : -(int64_t(1) << (bits - 1)),
                high = low + (int64_t(1) << bits) - 1;
  for (int64_t zeroPoint : zeroPoints)
    if (zeroPoint < low || zeroPoint > high)
      return badPickle(tensor + " has the zero point " + Twine(zeroPoint) + ", which is out of range of " +
                       pythonName(dtype));
  return okStatus();
}

/// (per_channel_affine, scales, zero points, axis). The archive may hold these tensors beside, and a program may then
/// write to them or resize them: the quantizer has copies.
Status PickleMachine::readChannels(ArrayRef<IValue> parts, bool isReal, const Tensor &tensor, const Twine &name,
                                   Quantizer &quantizer) {
  const Tensor &scales = parts[1].asTensor(), &zeroPoints = parts[2].asTensor();
  const int64_t axis = parts[3].toInt();
  if (axis < 0 || axis >= tensor.dim())
    return badPickle(name + " is quantized along dimension " + Twine(axis) + " of " + Twine(tensor.dim()));
  auto isOnePerChannel = [&](const Tensor &numbers, DType dtype) {
    return numbers.defined() && numbers.dtype() == dtype && numbers.dim() == 1 && numbers.isContiguous() &&
           numbers.numel() == tensor.size(axis);
  };
  if (!isOnePerChannel(scales, isReal ? DType::Float : DType::Double) ||
      !isOnePerChannel(zeroPoints, isReal ? DType::Float : DType::Int64))
    return badPickle(name + " has scales and zero points that are not one for each of " + Twine(tensor.size(axis)) +
                     " channels");
  quantizer.axis = axis;
  TSC_ASSIGN_OR_RETURN(quantizer.scales, ownCopy(scales));
  TSC_ASSIGN_OR_RETURN(quantizer.zeroPoints, ownCopy(zeroPoints));
  const Tensor &own = quantizer.zeroPoints;
  const Storage *storage = own.get()->storage.get();
  if (isReal || own.numel() == 0 || !checked.emplace(storage, own.storageOffset(), own.numel(), tensor.dtype()).second)
    return okStatus();
  // The file pays for looking at each number of a storage once, and the pickle for what it names again.
  uint64_t &looks = numChecked[storage];
  looks += own.numel();
  if (looks > storage->size() / sizeof(int64_t))
    TSC_RETURN_IF_ERROR(spend(own.numel()));
  return whenFilled([own, dtype = tensor.dtype(), name = name.str()] {
    return checkZeroPoints({own.data<int64_t>(), static_cast<size_t>(own.numel())}, dtype, name);
  });
}

/// (storage, offset, size, stride, quantizer, requires_grad, hooks), where the quantizer is (per_tensor_affine, scale,
/// zero point) or (per_channel_affine, scales, zero points, axis).
StatusOr<IValue> PickleMachine::rebuildQuantized(ArrayRef<IValue> args) {
  if (args.size() < 5 || !args[4].isTuple())
    return badPickle("a quantized tensor without a quantizer");
  auto *storage = capsuleAs<PickleStorage>(args[0]);
  const bool isPacked = storage && storage->bits != 8;
  if (isPacked) {
    TSC_RETURN_IF_ERROR(checkFilled(storage->bits == 4 ? "a tensor of quint4x2" : "a tensor of quint2x4"));
  }
  Tensor tensor;
  if (isPacked) {
    TSC_ASSIGN_OR_RETURN(tensor, unpackBits(*storage, args));
  } else {
    TSC_ASSIGN_OR_RETURN(IValue value, rebuildTensor(args.take_front(4), /*hasDType=*/false));
    tensor = value.toTensor();
  }
  if (!isQuantized(tensor.dtype()))
    return badPickle("a quantized tensor whose storage is of " + pythonName(tensor.dtype()));
  const auto &parts = args[4].toTuple().elements;
  auto *scheme = parts.empty() ? nullptr : capsuleAs<PickleGlobal>(parts[0]);
  auto quantizer = makeRef<Quantizer>();
  quantizer->bits = isPacked ? storage->bits : 8;
  const std::string name = "the quantized tensor in storage '" + storage->key + "'";
  if (scheme && scheme->name == "torch.per_tensor_affine" && parts.size() == 3 && parts[1].isDouble() &&
      parts[2].isInt()) {
    quantizer->scale = parts[1].toDouble();
    quantizer->zeroPoint = parts[2].toInt();
    TSC_RETURN_IF_ERROR(checkZeroPoints(quantizer->zeroPoint, tensor.dtype(), name));
  } else if (scheme && StringRef(scheme->name).starts_with("torch.per_channel_affine") && parts.size() == 4 &&
             parts[1].isTensor() && parts[2].isTensor() && parts[3].isInt()) {
    const bool isReal = scheme->name == "torch.per_channel_affine_float_qparams";
    TSC_RETURN_IF_ERROR(readChannels(parts, isReal, tensor, name, *quantizer));
  } else {
    return unimplemented("pickle holds a tensor quantized in another way than per tensor or per channel");
  }
  setQuantizer(tensor, std::move(quantizer));
  return IValue(std::move(tensor));
}

/// torch.jit.save writes (layout, size, requires_grad, indices…, values, hooks), and torch.save
/// (layout, (indices…, values, size[, is coalesced])).
StatusOr<IValue> PickleMachine::rebuildSparse(ArrayRef<IValue> args) {
  if (args.size() < 2 || !args[0].isInt() || !args[1].isTuple())
    return badPickle("a sparse tensor without a layout");
  const auto layout = static_cast<Layout>(args[0].toInt());
  if (layout != Layout::Sparse && layout != Layout::SparseCsr)
    return unimplemented("pickle holds a tensor of an unknown layout");
  TSC_RETURN_IF_ERROR(checkFilled("a sparse tensor"));
  const size_t numIndices = layout == Layout::Sparse ? 1 : 2;
  const bool isValue = args.size() == 2;
  ArrayRef<IValue> parts = isValue ? ArrayRef<IValue>(args[1].toTuple().elements) : args.drop_front(3);
  if (parts.size() < numIndices + 1 + isValue ||
      !llvm::all_of(parts.take_front(numIndices + 1), [](const IValue &part) { return part.isTensor(); }))
    return badPickle("a sparse tensor without indices and values");
  TSC_ASSIGN_OR_RETURN(auto sizes, toDims(isValue ? parts[numIndices + 1] : args[1]));
  llvm::SmallVector<Tensor, 2> indices;
  for (const IValue &part : parts.take_front(numIndices))
    indices.push_back(part.toTensor());
  TSC_ASSIGN_OR_RETURN(Tensor tensor, makeSparse(sizes, indices, parts[numIndices].asTensor()));
  if (!isValue && args[2].isBool())
    tensor.get()->setLeafOfFile(args[2].toBool());
  return IValue(std::move(tensor));
}

/// (data, requires_grad, hooks[, state])
StatusOr<IValue> PickleMachine::rebuildParameter(ArrayRef<IValue> args) {
  if (args.size() < 2 || !args[0].isTensor() || !args[1].isBool())
    return badPickle("a parameter without a tensor");
  args[0].asTensor().get()->setLeafOfFile(args[1].toBool());
  return args[0];
}

/// The type that a string names; one that stands in the memo is read once.
StatusOr<const Type *> PickleMachine::typeNamed(const IValue &annotation) {
  auto [known, isNew] = typesByText.try_emplace(annotation.counted());
  if (isNew) {
    kept.push_back(annotation);
    TSC_ASSIGN_OR_RETURN(known->second, hooks.parseType(annotation.toString()));
  }
  return known->second;
}

/// (value, "List[int]")
StatusOr<IValue> PickleMachine::restoreTypeTag(ArrayRef<IValue> args) {
  if (args.size() != 2 || !args[1].isString() || !hooks.parseType)
    return badPickle("a type tag without a type");
  TSC_ASSIGN_OR_RETURN(const Type *type, typeNamed(args[1]));
  TSC_ASSIGN_OR_RETURN(IValue converted, convertTo(args[0], type, context));
  return trackLike(std::move(converted), args[0]);
}

/// () or ([(key, value), ...],)
StatusOr<IValue> PickleMachine::orderedDict(ArrayRef<IValue> args) {
  IValue dict = track(IValue(makeRef<DictValue>(Type::anyType(), Type::anyType())));
  if (args.empty())
    return dict;
  if (!args[0].isGenericList())
    return badPickle("an OrderedDict of what is no list of pairs");
  std::vector<IValue> items;
  for (const IValue &pair : args[0].toGenericList().elements) {
    const std::vector<IValue> *parts = pair.isTuple()         ? &pair.toTuple().elements
                                       : pair.isGenericList() ? &pair.toGenericList().elements
                                                              : nullptr;
    if (!parts || parts->size() != 2)
      return badPickle("an OrderedDict of what is no list of pairs");
    items.insert(items.end(), parts->begin(), parts->end());
  }
  TSC_RETURN_IF_ERROR(setItems(dict, std::move(items)));
  return dict;
}

StatusOr<IValue> PickleMachine::makeEnum(const EnumType &type, ArrayRef<IValue> args) {
  auto made = [&](size_t member) {
    const auto &[name, value] = type.members()[member];
    return IValue(makeRef<EnumValue>(&type, name, value));
  };
  Ref<DictValue> &indices = members[&type];
  if (!indices) {
    indices = makeRef<DictValue>(type.valueType(), Type::intType());
    for (const auto &[index, member] : llvm::enumerate(type.members()))
      if (!indices->find(member.second))
        indices->set(member.second, IValue(int64_t(index)));
  }
  if (args.size() == 1) {
    if (const IValue *index = indices->find(args[0]))
      return made(index->toInt());
    TSC_RETURN_IF_ERROR(spend(type.members().size()));
    for (const auto &[index, member] : llvm::enumerate(type.members())) // 1 stands for 1.0
      if (valuesEqual(member.second, args[0]))
        return made(index);
  }
  return badPickle("a value that is no member of the enum '" + type.name() + "'");
}

StatusOr<IValue> PickleMachine::typedList(ArrayRef<IValue> args, const Type *element) {
  if (args.size() != 1)
    return badPickle("a typed list of nothing");
  TSC_ASSIGN_OR_RETURN(IValue converted, convertTo(args[0], context.listOf(element), context));
  return trackLike(std::move(converted), args[0]);
}

static double toReal(const IValue &value) {
  return value.isInt() ? static_cast<double>(value.toInt()) : value.toDouble();
}

namespace {
enum class Callee {
  Unknown,
  Tensor,
  TensorV2,
  TensorV3,
  QuantizedTensor,
  Parameter,
  FromType,
  TypeTag,
  IntList,
  DoubleList,
  BoolList,
  TensorList,
  OrderedDict,
  Complex,
  Device,
  Size,
  Layout,
  SparseTensor,
  TensorById
};
} // namespace

static Callee calleeNamed(StringRef name) {
  return llvm::StringSwitch<Callee>(name)
      .Cases("torch._utils._rebuild_tensor", "torch._utils._rebuild_tensor_v2", Callee::TensorV2)
      .Case("torch._utils._rebuild_tensor_v3", Callee::TensorV3)
      .Cases("torch._utils._rebuild_parameter", "torch._utils._rebuild_parameter_with_state", Callee::Parameter)
      .Case("torch._tensor._rebuild_from_type_v2", Callee::FromType)
      .Case("torch.jit._pickle.restore_type_tag", Callee::TypeTag)
      .Case("torch.jit._pickle.build_intlist", Callee::IntList)
      .Case("torch.jit._pickle.build_doublelist", Callee::DoubleList)
      .Case("torch.jit._pickle.build_boollist", Callee::BoolList)
      .Case("torch.jit._pickle.build_tensorlist", Callee::TensorList)
      .Case("collections.OrderedDict", Callee::OrderedDict)
      .Cases("__builtin__.complex", "builtins.complex", Callee::Complex)
      .Case("torch.device", Callee::Device)
      .Case("torch.Size", Callee::Size)
      .Case("torch.serialization._get_layout", Callee::Layout)
      .Case("torch._utils._rebuild_qtensor", Callee::QuantizedTensor)
      .Cases("torch._utils._rebuild_sparse_tensor", "torch._utils._rebuild_sparse_csr_tensor", Callee::SparseTensor)
      .Case("torch.jit._pickle.build_tensor_from_id", Callee::TensorById)
      .Default(Callee::Unknown);
}

StatusOr<IValue> PickleMachine::callByName(StringRef name, std::vector<IValue> args) {
  switch (calleeNamed(name)) {
  case Callee::Tensor:
  case Callee::TensorV2: return rebuildTensor(args, /*hasDType=*/false);
  case Callee::TensorV3: return rebuildTensor(args, /*hasDType=*/true);
  case Callee::QuantizedTensor: return rebuildQuantized(args);
  case Callee::Parameter: return rebuildParameter(args);
  case Callee::FromType: { // (function, type, args, Python attributes)
    auto *inner = args.size() == 4 ? capsuleAs<PickleGlobal>(args[0]) : nullptr;
    if (!inner || !args[2].isTuple() || calleeNamed(inner->name) == Callee::FromType)
      return badPickle("a tensor of unknown make");
    return callByName(inner->name, args[2].toTuple().elements);
  }
  case Callee::TypeTag: return restoreTypeTag(args);
  case Callee::IntList: return typedList(args, Type::intType());
  case Callee::DoubleList: return typedList(args, Type::floatType());
  case Callee::BoolList: return typedList(args, Type::boolType());
  case Callee::TensorList: return typedList(args, Type::tensorType());
  case Callee::OrderedDict: return orderedDict(args);
  case Callee::Complex:
    if (args.size() != 2 || !llvm::all_of(args, [](const IValue &v) { return v.isDouble() || v.isInt(); }))
      return badPickle("a complex number without two parts");
    return IValue(std::complex<double>(toReal(args[0]), toReal(args[1])));
  case Callee::Device: {
    if (args.empty() || !args[0].isString())
      return badPickle("a device without a name");
    std::string text = args[0].toString();
    if (args.size() > 1 && args[1].isInt())
      text += ":" + std::to_string(args[1].toInt());
    auto device = hooks.device ? hooks.device(text) : Device::parse(text);
    return device ? StatusOr<IValue>(*device) : unimplemented("unknown device '" + text + "'");
  }
  case Callee::Size: {
    if (args.size() != 1)
      return badPickle("a torch.Size without sizes");
    TSC_ASSIGN_OR_RETURN(auto dims, toDims(args[0]));
    return IValue(std::vector<int64_t>(dims.begin(), dims.end()));
  }
  case Callee::Layout:
    if (args.size() == 1 && args[0].isString() && args[0].toString() == "torch.strided")
      return IValue(int64_t(Layout::Strided));
    if (args.size() == 1 && args[0].isString() && args[0].toString() == "torch.sparse_coo")
      return IValue(int64_t(Layout::Sparse));
    if (args.size() == 1 && args[0].isString() && args[0].toString() == "torch.sparse_csr")
      return IValue(int64_t(Layout::SparseCsr));
    return unimplemented("pickle holds a layout other than torch.strided, torch.sparse_coo and torch.sparse_csr");
  case Callee::SparseTensor: return rebuildSparse(args);
  case Callee::TensorById:
    if (args.size() != 1 || !args[0].isInt() || !hooks.tensor)
      return badPickle("a tensor without a table of tensors");
    return hooks.tensor(args[0].toInt());
  case Callee::Unknown: break;
  }
  return unimplemented("pickle calls '" + name + "', which is not allowed");
}

StatusOr<IValue> PickleMachine::call(const PickleGlobal &callee, std::vector<IValue> args) {
  switch (callee.kind) {
  case PickleGlobal::Kind::Name: return callByName(callee.name, std::move(args));
  case PickleGlobal::Kind::Enum: return makeEnum(*llvm::cast<EnumType>(callee.type), args);
  case PickleGlobal::Kind::NamedTuple: {
    auto *type = llvm::cast<TupleType>(callee.type);
    if (args.size() != type->elements().size())
      return badPickle("a '" + type->name() + "' with " + Twine(args.size()) + " fields");
    for (auto [arg, fieldType] : llvm::zip(args, type->elements())) {
      TSC_ASSIGN_OR_RETURN(IValue converted, convertTo(arg, fieldType, context));
      arg = trackLike(std::move(converted), arg);
    }
    return makeTrackedTuple(std::move(args), type);
  }
  case PickleGlobal::Kind::Class: break;
  }
  return badPickle("a call of the class '" + callee.name + "'");
}

/// One of PyTorch's C++ classes; its state is the tuple of its attributes.
Status PickleMachine::setNativeAttributes(ObjectValue &object, const IValue &given) {
  const ClassType &type = *object.type;
  TSC_ASSIGN_OR_RETURN(IValue state, upgradedState(type, given, context));
  if (!state.isTuple() || state.toTuple().elements.size() != type.numAttributes())
    return badPickle("an object of class '" + type.name() + "' whose state is no tuple of " +
                     Twine(type.numAttributes()) + " values");
  for (auto [slot, value] : llvm::enumerate(state.toTuple().elements)) {
    auto converted = convertTo(value, type.attribute(slot).type, context);
    if (!converted.ok())
      return dataLoss("element " + Twine(slot) + " of the state of class '" + type.name() +
                      "': " + messageOf(converted.status()));
    object.slots[slot] = *std::move(converted);
  }
  return okStatus();
}

Status PickleMachine::setAttributes(ObjectValue &object, const IValue &state) {
  const ClassType &type = *object.type;
  if (type.isNative())
    return setNativeAttributes(object, state);
  if (Function *setState = type.findMethod("__setstate__")) {
    if (!hooks.setState)
      return Status(
          StatusCode::PermissionDenied,
          ("loading an object of class '" + type.name() + "' runs its __setstate__, which was not allowed").str());
    IValue typed = state;
    if (setState->hasSchema() && setState->schema().arguments().size() == 2) {
      TSC_ASSIGN_OR_RETURN(typed, convertTo(state, setState->schema().arguments()[1].type, context));
    }
    return hooks.setState(*setState, IValue(Ref<ObjectValue>::share(&object)), std::move(typed));
  }
  if (!state.isDict())
    return badPickle("an object of class '" + type.name() + "' without a dict of attributes");
  for (unsigned slot = 0; slot != type.numAttributes(); ++slot) {
    const ClassAttribute &attribute = type.attribute(slot);
    const IValue *value = state.toDict().find(attribute.name);
    if (!value)
      return dataLoss("no value for attribute '" + attribute.name + "' of class '" + type.name() + "'");
    auto converted = convertTo(*value, attribute.type, context);
    if (!converted.ok())
      return dataLoss("attribute '" + attribute.name + "' of class '" + type.name() +
                      "': " + messageOf(converted.status()));
    object.slots[slot] = *std::move(converted);
  }
  return okStatus();
}
