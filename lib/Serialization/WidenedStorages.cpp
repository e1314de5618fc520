//===- WidenedStorages.cpp - Numbers of formats that no operator takes ----===//
//
// Floats of 8 bits are exact in 32, unsigned integers in signed ones that are wider.
//
//===----------------------------------------------------------------------===//
#include "WidenedStorages.h"
#include <cmath>
#include <limits>

using namespace tsc;

static constexpr NarrowFormat formats[] = {
    {"Float8_e4m3fn", "float8_e4m3fn", DType::UInt8, DType::Float, 3, 7},
    {"Float8_e5m2", "float8_e5m2", DType::UInt8, DType::Float, 2, 15},
    {"Float8_e4m3fnuz", "float8_e4m3fnuz", DType::UInt8, DType::Float, 3, 8, true},
    {"Float8_e5m2fnuz", "float8_e5m2fnuz", DType::UInt8, DType::Float, 2, 16, true},
    {"UInt16", "uint16", DType::Int16, DType::Int32},
    {"UInt32", "uint32", DType::Int32, DType::Int64},
    {"UInt64", "uint64", DType::Int64, DType::Int64},
};

std::optional<NarrowFormat> tsc::narrowFormat(llvm::StringRef dtype) {
  if (!dtype.consume_front("torch."))
    return std::nullopt;
  for (const NarrowFormat &format : formats)
    if (dtype == format.name)
      return format;
  return std::nullopt;
}
std::optional<NarrowFormat> tsc::narrowFormatOfStorage(llvm::StringRef storage) {
  for (const NarrowFormat &format : formats)
    if (storage == format.storage)
      return format;
  return std::nullopt;
}

static float decode(const NarrowFormat &format, uint8_t code) {
  assert((format.mantissa == 2 || format.mantissa == 3) && "a float of eight bits");
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const int bits = format.mantissa, mostExponent = (1 << (7 - bits)) - 1;
  const int exponent = (code & 0x7f) >> bits, mantissa = code & ((1 << bits) - 1);
  const float sign = code & 0x80 ? -1.0f : 1.0f;
  if (format.isUnsignedZero && code == 0x80)
    return nan;
  if (!format.isUnsignedZero && exponent == mostExponent) {
    const bool hasInfinity = bits == 2; // e4m3fn gives that code to a number
    if (hasInfinity)
      return mantissa ? nan : sign * std::numeric_limits<float>::infinity();
    if (mantissa == (1 << bits) - 1)
      return nan;
  }
  const int significand = exponent ? mantissa | 1 << bits : mantissa;
  return sign * std::ldexp(static_cast<float>(significand), std::max(exponent, 1) - format.bias - bits);
}

template <typename From, typename To, typename Convert>
static StatusOr<Ref<Storage>> converted(const Storage &storage, Convert convert) {
  const size_t count = storage.size() / sizeof(From);
  TSC_ASSIGN_OR_RETURN(Ref<Storage> result, Storage::allocate(count * sizeof(To)));
  const auto *from = static_cast<const From *>(storage.data());
  auto *to = static_cast<To *>(result->mutableData());
  for (size_t i = 0; i != count; ++i)
    to[i] = convert(from[i]);
  return result;
}

StatusOr<Ref<Storage>> tsc::widen(const NarrowFormat &format, const Storage &storage) {
  switch (format.stored) {
  case DType::UInt8: return converted<uint8_t, float>(storage, [&](uint8_t code) { return decode(format, code); });
  case DType::Int16: return converted<uint16_t, int32_t>(storage, [](uint16_t x) { return x; });
  case DType::Int32: return converted<uint32_t, int64_t>(storage, [](uint32_t x) { return x; });
  default: break;
  }
  bool isTooLarge = false;
  TSC_ASSIGN_OR_RETURN(Ref<Storage> result, (converted<uint64_t, int64_t>(storage, [&](uint64_t x) {
                         isTooLarge |= x > static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
                         return static_cast<int64_t>(x);
                       })));
  if (isTooLarge)
    return unimplemented("a tensor of uint64 has a number that is too large for int64, as which it would be read");
  return result;
}
