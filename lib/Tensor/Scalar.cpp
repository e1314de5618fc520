//===- Scalar.cpp - dtypes, devices and numbers ---------------------------===//
#include "tsc/Tensor/Scalar.h"
#include "tsc/Tensor/DeviceMemory.h"
#include "tsc/Tensor/Dispatch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;

namespace {
struct DTypeInfo {
  DType dtype;
  const char *pythonName, *irName;
};
} // namespace

/// In the order of the dtypes' numbers.
static constexpr DTypeInfo infos[] = {
    {DType::UInt8, "uint8", "Byte"},
    {DType::Int8, "int8", "Char"},
    {DType::Int16, "int16", "Short"},
    {DType::Int32, "int32", "Int"},
    {DType::Int64, "int64", "Long"},
    {DType::Half, "float16", "Half"},
    {DType::Float, "float32", "Float"},
    {DType::Double, "float64", "Double"},
    {DType::ComplexHalf, "complex32", "ComplexHalf"},
    {DType::ComplexFloat, "complex64", "ComplexFloat"},
    {DType::ComplexDouble, "complex128", "ComplexDouble"},
    {DType::Bool, "bool", "Bool"},
    {DType::QInt8, "qint8", "QInt8"},
    {DType::QUInt8, "quint8", "QUInt8"},
    {DType::QInt32, "qint32", "QInt32"},
    {DType::BFloat16, "bfloat16", "BFloat16"},
};
struct Synonym {
  const char *name;
  DType dtype;
};
static constexpr Synonym pythonSynonyms[] = {
    {"half", DType::Half},         {"float", DType::Float},         {"double", DType::Double},
    {"short", DType::Int16},       {"int", DType::Int32},           {"long", DType::Int64},
    {"chalf", DType::ComplexHalf}, {"cfloat", DType::ComplexFloat}, {"cdouble", DType::ComplexDouble},
};

bool tsc::isValidDType(int64_t number) { return number >= 0 && number < static_cast<int64_t>(std::size(infos)); }

std::string tsc::shortString(double value) {
  char buffer[32];
  return std::string(buffer, std::snprintf(buffer, sizeof buffer, "%g", value));
}

static const DTypeInfo &infoOf(DType dtype) {
  static constexpr DTypeInfo opaque{DType::Opaque, "opaque", "Opaque"};
  return dtype == DType::Opaque ? opaque : infos[static_cast<size_t>(dtype)];
}

llvm::StringRef tsc::pythonName(DType dtype) { return infoOf(dtype).pythonName; }
llvm::StringRef tsc::irName(DType dtype) { return infoOf(dtype).irName; }

std::optional<DType> tsc::dtypeFromPythonName(llvm::StringRef name) {
  for (const DTypeInfo &info : infos)
    if (name == info.pythonName)
      return info.dtype;
  for (const Synonym &synonym : pythonSynonyms)
    if (name == synonym.name)
      return synonym.dtype;
  return std::nullopt;
}

std::optional<DType> tsc::dtypeFromIRName(llvm::StringRef name) {
  for (const DTypeInfo &info : infos)
    if (name == info.irName)
      return info.dtype;
  return std::nullopt;
}

DType tsc::toRealDType(DType dtype) {
  switch (dtype) {
  case DType::ComplexHalf: return DType::Half;
  case DType::ComplexFloat: return DType::Float;
  case DType::ComplexDouble: return DType::Double;
  default: return dtype;
  }
}

DType tsc::toComplexDType(DType dtype) {
  switch (dtype) {
  case DType::Half: return DType::ComplexHalf;
  case DType::Double: return DType::ComplexDouble;
  case DType::ComplexHalf:
  case DType::ComplexDouble: return dtype;
  default: return DType::ComplexFloat;
  }
}

static DType promoteFloats(DType a, DType b) {
  if (a == b)
    return a;
  if (a == DType::Double || b == DType::Double)
    return DType::Double;
  return DType::Float; // Half and BFloat16 meet in Float too.
}

static DType promoteIntegers(DType a, DType b) {
  if (a == DType::Bool)
    return b;
  if (b == DType::Bool)
    return a;
  if (a == DType::UInt8 && b == DType::Int8)
    return DType::Int16;
  if (a == DType::Int8 && b == DType::UInt8)
    return DType::Int16;
  return itemSize(a) >= itemSize(b) ? (a == DType::UInt8 ? (itemSize(b) == 1 ? a : b) : a) : b;
}

DType tsc::promoteTypes(DType a, DType b) {
  if (a == b)
    return a;
  if (a == DType::Opaque || b == DType::Opaque)
    return DType::Opaque;
  if (isComplex(a) || isComplex(b)) {
    DType realA = toRealDType(a), realB = toRealDType(b);
    if (!isFloating(realA))
      return toComplexDType(realB);
    if (!isFloating(realB))
      return toComplexDType(realA);
    return toComplexDType(promoteFloats(realA, realB));
  }
  if (isFloating(a))
    return isFloating(b) ? promoteFloats(a, b) : a;
  if (isFloating(b))
    return b;
  return promoteIntegers(a, b);
}

DType Scalar::category(Kind kind) {
  switch (kind) {
  case Kind::Bool: return DType::Bool;
  case Kind::Int: return DType::Int64;
  case Kind::Double: return DType::Float;
  case Kind::Complex: return DType::ComplexFloat;
  }
  return DType::Float;
}

int64_t Scalar::saturatingInt(double v) { return convertTo<int64_t>(v); }

namespace {
/// A row of DeviceKinds.def.
struct DeviceKindRow {
  DeviceKind kind;
  llvm::StringLiteral name, typeName, absent;
};
constexpr DeviceKindRow deviceKinds[] = {
#define DEVICE_KIND(ENUMERATOR, NUMBER, NAME, TYPE_NAME, ABSENT) {DeviceKind::ENUMERATOR, NAME, TYPE_NAME, ABSENT},
#include "tsc/Tensor/DeviceKinds.def"
};
} // namespace

static const DeviceKindRow &rowOf(DeviceKind kind) {
  const auto *row = llvm::find_if(deviceKinds, [&](const DeviceKindRow &one) { return one.kind == kind; });
  assert(row != std::end(deviceKinds) && "one of the kinds");
  return *row;
}

llvm::StringRef tsc::typeNameOf(DeviceKind kind) { return rowOf(kind).typeName; }

Status tsc::absentDevice(Device device) {
  if (llvm::StringRef known = rowOf(device.kind).absent; !known.empty())
    return unimplemented(known);
  return unimplemented("tensors on device '" + device.str() + "' are not supported");
}

std::string Device::str() const {
  std::string text = rowOf(kind).name.str();
  if (index >= 0)
    text += ":" + std::to_string(index);
  return text;
}

std::optional<Device> Device::parse(llvm::StringRef text) {
  auto [name, number] = text.split(':');
  const auto *row = llvm::find_if(deviceKinds, [&](const DeviceKindRow &one) { return one.name == name; });
  if (row == std::end(deviceKinds))
    return std::nullopt;
  Device device{row->kind};
  if (number.size() != text.size() - name.size() - (text.contains(':') ? 1 : 0))
    return std::nullopt;
  if (text.contains(':') && (number.empty() || (number.size() > 1 && number[0] == '0') ||
                             !llvm::all_of(number, llvm::isDigit) || number.getAsInteger(10, device.index)))
    return std::nullopt;
  return device;
}

Status tsc::detail::dtypeNotImplemented(const char *name, DType dtype) {
  return unimplemented("\"" + llvm::Twine(name) + "\" not implemented for '" + irName(dtype) + "'");
}
