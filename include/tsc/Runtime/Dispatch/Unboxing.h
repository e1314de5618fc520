//===- Unboxing.h - Between IValues and the parameters of kernels -*- C++ -*-===//
//
// What the wrappers that tsc-tblgen generates are made of. Readers take an
// argument that the verifier has type-checked; `finish` boxes what a kernel gave.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_UNBOXING_H
#define TSC_RUNTIME_DISPATCH_UNBOXING_H

#include "tsc/IR/IValue.h"
#include "tsc/Kernels/PointwiseOps.h"
#include <optional>
#include <tuple>

namespace tsc {
class CallContext;
enum class OpKind : uint16_t;
} // namespace tsc

namespace tsc::unboxing {

// Readers, one for each kind of parameter that unboxed kernels have.
inline const Tensor &tensor(const IValue &v) { return v.asTensor(); }

/// Reads a List[Tensor], which it borrows, or a List[Optional[Tensor]], which it copies with None as undefined tensors.
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
/// Returns the elements of a List[bool], which the list keeps as bytes of 0 and 1.
inline ArrayRef<bool> booleanList(const IValue &v) {
  static_assert(sizeof(bool) == 1);
  const std::vector<uint8_t> &bytes = v.toBoolList().elements;
  return ArrayRef<bool>(reinterpret_cast<const bool *>(bytes.data()), bytes.size());
}
/// Returns the generator that a random operator draws from: the argument `given`, or the call's where that is None.
Generator &generatorOf(CallContext &context, const IValue &given);
/// Checks that an argument is None or the number of a dtype. Programs give dtypes, layouts and memory formats as ints,
/// so wrappers check each before they read it.
Status checkDType(const IValue &v);
/// Checks that an argument is None or the number of a layout.
Status checkLayout(const IValue &v);
/// Checks that an argument is None or the number of a memory format.
Status checkMemoryFormat(const IValue &v);
/// Fails with PyTorch's error where the tensor `written` shares memory with an operand that is still to be read: a
/// tensor, a list of tensors, or None.
Status checkDisjoint(const IValue &written, const IValue &read);
inline DType dtype(const IValue &v) { return static_cast<DType>(v.toInt()); }
inline Layout layout(const IValue &v) { return static_cast<Layout>(v.toInt()); }
inline Device device(const IValue &v) { return v.toDevice(); }
inline MemoryFormat memoryFormat(const IValue &v) { return static_cast<MemoryFormat>(v.toInt()); }

/// Reads an argument with `Read`, or returns nothing where it is None.
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

// Each finish() boxes what a kernel returned into the results at `r`, and returns the status of the call. One for each
// form of return value: a status, a value, an optional (None where it is empty), a tuple, and a StatusOr of these.
inline Status finish(Status status, IValue *) { return status; }
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

/// Writes `value` to the tensor `args[0]`, with PyTorch's checks of dtype and shape, and returns that tensor in `r[0]`.
Status writeInPlace(const Tensor &value, const IValue *const *args, IValue *r);

/// The boxed kernel of an operator in functional form, from which its other forms are made.
using FunctionalForm = Status (*)(CallContext &context, const IValue *const *args, IValue *r);
/// Runs the in-place form of an operator: writes the result of its functional form to `args[0]`, which is the result.
Status inPlaceOf(FunctionalForm form, CallContext &context, const IValue *const *args, IValue *r);
/// Runs the out form of an operator of `arguments` arguments: writes the results of its functional form to the `outs`
/// tensors that follow them, which are resized to fit and are the results.
Status outOf(FunctionalForm form, CallContext &context, const IValue *const *args, unsigned arguments, unsigned outs,
             IValue *r);

/// Runs the definition of a composite operator that has no kernel of its own.
Status runDefinition(CallContext &context, OpKind kind, ArrayRef<const IValue *> args,
                     llvm::MutableArrayRef<IValue> results);

/// Runs a point-wise operator on boxed arguments in schema order, and returns its result in `r[0]`.
Status pointwise(PointwiseKind kind, const IValue *const *args, IValue *r);
/// Writes the result of a point-wise operator to its first argument.
Status pointwiseInPlace(PointwiseKind kind, const IValue *const *args, IValue *r);
/// Writes the result of a point-wise operator to the argument that follows the operator's own.
Status pointwiseOut(PointwiseKind kind, const IValue *const *args, IValue *r);

} // namespace tsc::unboxing

#endif
