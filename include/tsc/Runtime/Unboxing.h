//===- Unboxing.h - Between IValues and the parameters of kernels -*- C++ -*-===//
//
// What the wrappers that tsc-tblgen generates are made of. Readers take an
// argument that the verifier has type-checked; `finish` boxes what a kernel gave.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_UNBOXING_H
#define TSC_RUNTIME_UNBOXING_H

#include "tsc/IR/IValue.h"
#include "tsc/Kernels/PointwiseOps.h"
#include <optional>
#include <tuple>

namespace tsc {
class CallContext;
enum class OpKind : uint16_t;
} // namespace tsc

namespace tsc::unboxing {

inline const Tensor &tensor(const IValue &v) { return v.asTensor(); }

/// Reads List[Tensor] and List[Optional[Tensor]]; the latter is copied.
class TensorListReader {
public:
  explicit TensorListReader(const IValue &v);
  operator ArrayRef<Tensor>() const { return view; }

private:
  std::vector<Tensor> copies;
  ArrayRef<Tensor> view;
};
inline TensorListReader tensorList(const IValue &v) { return TensorListReader(v); }

inline int64_t integer(const IValue &v) { return v.toInt(); }
inline double floating(const IValue &v) { return v.isDouble() ? v.toDouble() : static_cast<double>(v.toInt()); }
inline bool boolean(const IValue &v) { return v.toBool(); }
inline Scalar scalar(const IValue &v) { return v.toScalar(); }
inline std::complex<double> complexNumber(const IValue &v) { return v.toScalar().toComplex(); }
inline llvm::StringRef string(const IValue &v) { return v.toString(); }
inline ArrayRef<int64_t> integerList(const IValue &v) { return v.toIntList().elements; }
inline ArrayRef<double> floatingList(const IValue &v) { return v.toDoubleList().elements; }
inline ArrayRef<bool> booleanList(const IValue &v) {
  static_assert(sizeof(bool) == 1);
  const std::vector<uint8_t> &bytes = v.toBoolList().elements;
  return ArrayRef<bool>(reinterpret_cast<const bool *>(bytes.data()), bytes.size());
}
/// What a random operator draws from: the generator that it is given, or the call's.
Generator &generatorOf(CallContext &context, const IValue &given);
/// A program writes dtypes, layouts and memory formats as plain ints: the wrapper looks at each before it is read as
/// one.
Status checkDType(const IValue &v);
Status checkLayout(const IValue &v);
Status checkMemoryFormat(const IValue &v);
/// PyTorch's refusal to write into memory that an operand (a tensor, a list of them, None) has still to give.
Status checkDisjoint(const IValue &written, const IValue &read);
inline DType dtype(const IValue &v) { return static_cast<DType>(v.toInt()); }
inline Layout layout(const IValue &v) { return static_cast<Layout>(v.toInt()); }
inline Device device(const IValue &v) { return v.toDevice(); }
inline MemoryFormat memoryFormat(const IValue &v) { return static_cast<MemoryFormat>(v.toInt()); }

template <auto Read> auto optional(const IValue &v) {
  using T = decltype(Read(v));
  return v.isNone() ? std::optional<T>() : std::optional<T>(Read(v));
}
inline auto optionalInteger(const IValue &v) { return optional<integer>(v); }
inline auto optionalFloating(const IValue &v) { return optional<floating>(v); }
inline auto optionalBoolean(const IValue &v) { return optional<boolean>(v); }
inline auto optionalScalar(const IValue &v) { return optional<scalar>(v); }
inline auto optionalString(const IValue &v) { return optional<string>(v); }
inline auto optionalIntegerList(const IValue &v) { return optional<integerList>(v); }
inline auto optionalFloatingList(const IValue &v) { return optional<floatingList>(v); }
inline auto optionalDType(const IValue &v) { return optional<dtype>(v); }
inline auto optionalLayout(const IValue &v) { return optional<layout>(v); }
inline auto optionalDevice(const IValue &v) { return optional<device>(v); }
inline auto optionalMemoryFormat(const IValue &v) { return optional<memoryFormat>(v); }

inline Status finish(Status status, IValue *) { return status; }
/// A kernel that cannot fail gives its value as it is.
template <typename T>
  requires std::is_constructible_v<IValue, T>
Status finish(T value, IValue *r) {
  r[0] = IValue(std::move(value));
  return okStatus();
}
template <typename T> Status finish(std::optional<T> value, IValue *r) {
  if (value)
    r[0] = IValue(*std::move(value));
  return okStatus();
}
template <typename... T> Status finish(std::tuple<T...> values, IValue *r) {
  std::apply([&](auto &...value) { ((*r++ = IValue(std::move(value))), ...); }, values);
  return okStatus();
}
template <typename T> Status finish(StatusOr<T> result, IValue *r) {
  if (!result.ok()) [[unlikely]]
    return std::move(result).status();
  r[0] = IValue(*std::move(result));
  return okStatus();
}
template <typename... T> Status finish(StatusOr<std::tuple<T...>> result, IValue *r) {
  if (!result.ok()) [[unlikely]]
    return std::move(result).status();
  std::apply([&](auto &...values) { ((*r++ = IValue(std::move(values))), ...); }, *result);
  return okStatus();
}

/// self <- value, with PyTorch's checks of dtype and shape; the result is self.
Status writeInPlace(const Tensor &value, const IValue *const *args, IValue *r);

/// The forms of an operator that write what its functional form gives: into self, and into the `outs` tensors after its
/// `arguments`, which are resized. The results are what was written.
using FunctionalForm = Status (*)(CallContext &context, const IValue *const *args, IValue *r);
Status inPlaceOf(FunctionalForm form, CallContext &context, const IValue *const *args, IValue *r);
Status outOf(FunctionalForm form, CallContext &context, const IValue *const *args, unsigned arguments, unsigned outs,
             IValue *r);

/// Runs the definition of a composite that has no kernel of its own.
Status runDefinition(CallContext &context, OpKind kind, ArrayRef<const IValue *> args,
                     llvm::MutableArrayRef<IValue> results);

/// Runs a point-wise operator on boxed arguments in schema order. For InPlace the first argument receives the result,
/// for Out the one after the operator's own arguments does.
Status pointwise(PointwiseKind kind, const IValue *const *args, IValue *r);
Status pointwiseInPlace(PointwiseKind kind, const IValue *const *args, IValue *r);
Status pointwiseOut(PointwiseKind kind, const IValue *const *args, IValue *r);

} // namespace tsc::unboxing

#endif
