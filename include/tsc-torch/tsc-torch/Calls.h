//===- Calls.h - Calls of operators by their schemas ------------*- C++ -*-===//
//
// The generated functions and methods of ATen fill a Call with their arguments.
// What needs Tensor and the containers to be complete is at the end of
// ATen/core/ivalue.h.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TORCH_CALLS_H
#define TSC_TORCH_CALLS_H
#include <array>
#include <atomic>
#include <c10/core/Scalar.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/string_view.h>
#include <tsc-torch/Handles.h>
#include <vector>

namespace c10 {
inline namespace tsc_torch {
template <typename T> class List;
} // namespace tsc_torch
} // namespace c10
namespace at {
inline namespace tsc_torch {
class Tensor;
class Generator;
/// Tensors that belong to somebody else.
using TensorList = c10::ArrayRef<Tensor>;
/// The same, as LibTorch's newer functions name it.
using ITensorListRef = c10::ArrayRef<Tensor>;
} // namespace tsc_torch
} // namespace at

namespace tsc_torch_detail {

/// An overload of an operator, looked up when it is first called.
class Operator {
public:
  constexpr Operator(const char *name, const char *overload) : name(name), overload(overload), found(nullptr) {}
  /// Returns the overload. Several threads may ask at once. c10::Error where there is none of these names.
  const tsc_op *get() {
    const tsc_op *op = found.load(std::memory_order_acquire);
    if (C10_UNLIKELY(!op)) {
      check(tsc_op_find(name, overload, &op));
      found.store(op, std::memory_order_release);
    }
    return op;
  }

private:
  const char *name, *overload;
  std::atomic<const tsc_op *> found;
};

/// Makes a float, bool, complex number or int, which the caller frees.
inline tsc_value *newScalar(const c10::Scalar &number) {
  if (number.isFloatingPoint())
    return made(tsc_value_new_float(number.toDouble()));
  if (number.isBoolean())
    return made(tsc_value_new_bool(number.toBool()));
  if (number.isComplex()) {
    const c10::complex<double> z = number.toComplexDouble();
    return made(tsc_value_new_complex(z.real_, z.imag_));
  }
  return made(tsc_value_new_int(number.toLong()));
}
/// Returns the number that a value is. Another value is a c10::Error.
inline c10::Scalar readScalar(const tsc_value *value) {
  switch (tsc_value_kind(value)) {
  case TSC_KIND_BOOL: {
    int flag = 0;
    check(tsc_value_get_bool(value, &flag));
    return c10::Scalar(flag != 0);
  }
  case TSC_KIND_INT: {
    int64_t number = 0;
    check(tsc_value_get_int(value, &number));
    return c10::Scalar(number);
  }
  case TSC_KIND_COMPLEX: {
    double real = 0, imaginary = 0;
    check(tsc_value_get_complex(value, &real, &imaginary));
    return c10::Scalar(c10::complex<double>(real, imaginary));
  }
  default: {
    double number = 0;
    check(tsc_value_get_float(value, &number));
    return c10::Scalar(number);
  }
  }
}
/// Makes a device, which the caller frees. A kind that tsc does not know is a c10::Error.
inline tsc_value *newDevice(const c10::Device &device) {
  tsc_value *value = nullptr;
  check(tsc_value_new_device(static_cast<int>(device.type()), device.index(), &value));
  return value;
}

/// One call of an operator: its arguments in the order of the schema, then run(), then its results.
class Call {
public:
  explicit Call(Operator &op) : op(op.get()) {}
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;
  ~Call() {
    for (unsigned i = 0; i != count; ++i)
      if (owned >> i & 1)
        tsc_value_free(args[i]);
    for (unsigned i = 0; i != numResults; ++i)
      tsc_value_free(results[i]);
  }

  // Each of these appends an argument. Those that are optional append None for nothing. Tensors are borrowed until the
  // call is over; what is made for the call, such as numbers and lists, is the call's.
  void tensor(const at::Tensor &tensor);
  void optionalTensor(const c10::optional<at::Tensor> &tensor);
  void tensors(at::TensorList tensors);
  void optionalTensors(const c10::List<c10::optional<at::Tensor>> &tensors);
  void optionalGenerator(const c10::optional<at::Generator> &generator);
  void scalar(const c10::Scalar &number) { give(newScalar(number)); }
  void optionalScalar(const c10::optional<c10::Scalar> &number) { number ? scalar(*number) : nothing(); }
  void scalars(c10::ArrayRef<c10::Scalar> numbers) {
    std::vector<Value> values;
    std::vector<tsc_value *> raw;
    for (const c10::Scalar &number : numbers) {
      values.emplace_back(newScalar(number));
      raw.push_back(values.back().get());
    }
    tsc_value *list = nullptr;
    check(tsc_value_new_list(raw.data(), raw.size(), &list));
    give(list);
  }
  void integer(int64_t number) { give(made(tsc_value_new_int(number))); }
  void optionalInteger(c10::optional<int64_t> number) { number ? integer(*number) : nothing(); }
  void integers(c10::IntArrayRef numbers) {
    tsc_value *list = nullptr;
    check(tsc_value_new_int_list(numbers.data(), numbers.size(), &list));
    give(list);
  }
  void optionalIntegers(const c10::OptionalIntArrayRef &numbers) { numbers ? integers(*numbers) : nothing(); }
  void real(double number) { give(made(tsc_value_new_float(number))); }
  void optionalReal(c10::optional<double> number) { number ? real(*number) : nothing(); }
  void reals(c10::ArrayRef<double> numbers) {
    tsc_value *list = nullptr;
    check(tsc_value_new_float_list(numbers.data(), numbers.size(), &list));
    give(list);
  }
  void optionalReals(c10::optional<c10::ArrayRef<double>> numbers) { numbers ? reals(*numbers) : nothing(); }
  void boolean(bool flag) { give(made(tsc_value_new_bool(flag))); }
  void optionalBoolean(c10::optional<bool> flag) { flag ? boolean(*flag) : nothing(); }
  void booleans(c10::ArrayRef<bool> flags) {
    const std::vector<uint8_t> bytes(flags.begin(), flags.end());
    tsc_value *list = nullptr;
    check(tsc_value_new_bool_list(bytes.data(), bytes.size(), &list));
    give(list);
  }
  void text(c10::string_view text) { give(made(tsc_value_new_string(text.data(), text.size()))); }
  void optionalText(c10::optional<c10::string_view> given) { given ? text(*given) : nothing(); }
  void dtype(c10::ScalarType type) { integer(static_cast<int64_t>(type)); }
  void optionalDtype(c10::optional<c10::ScalarType> type) { type ? dtype(*type) : nothing(); }
  void optionalLayout(c10::optional<c10::Layout> layout) {
    layout ? integer(static_cast<int64_t>(*layout)) : nothing();
  }
  void device(const c10::Device &device) { give(newDevice(device)); }
  void optionalDevice(const c10::optional<c10::Device> &given) { given ? device(*given) : nothing(); }
  void memoryFormat(c10::MemoryFormat format) { integer(static_cast<int64_t>(format)); }
  void optionalMemoryFormat(c10::optional<c10::MemoryFormat> format) { format ? memoryFormat(*format) : nothing(); }
  /// dtype, layout, device and pin_memory. What the call makes requires a gradient where the options say so.
  void options(const c10::TensorOptions &options) {
    optionalDtype(c10::optTypeMetaToScalarType(options.dtype_opt()));
    optionalLayout(options.layout_opt());
    optionalDevice(options.device_opt());
    optionalBoolean(options.pinned_memory_opt());
    requiresGrad = options.requires_grad();
  }
  void value(tsc_value *borrowed) { *next() = borrowed; }
  /// Appends an argument, and takes it over.
  void give(tsc_value *value) {
    Value owner(value);
    tsc_value **slot = next();
    owned |= uint32_t{1} << (count - 1);
    *slot = owner.release();
  }
  void nothing() { *next() = none(); }

  /// Calls the operator, which has `wanted` results. Errors are thrown.
  void run(unsigned wanted) {
    TORCH_INTERNAL_ASSERT(wanted <= mostResults, "an operator with ", wanted, " results");
    check(tsc_op_run(op, args, count, results, wanted));
    numResults = wanted;
  }
  /// Hands a result to the caller, who frees it.
  tsc_value *take(unsigned index) {
    tsc_value *value = results[index];
    results[index] = nullptr;
    return value;
  }
  /// Hands a result over, once, as a tensor; it is undefined where the result is None.
  at::Tensor giveTensor(unsigned index);
  /// Returns the tensors of a list.
  std::vector<at::Tensor> giveTensors(unsigned index);
  c10::Scalar giveScalar(unsigned index) { return readScalar(results[index]); }
  int64_t giveInteger(unsigned index) { return giveScalar(index).toLong(); }
  double giveReal(unsigned index) { return giveScalar(index).toDouble(); }
  bool giveBoolean(unsigned index) { return giveScalar(index).toBool(); }
  c10::ScalarType giveDtype(unsigned index) { return static_cast<c10::ScalarType>(giveInteger(index)); }
  /// Returns a copy of a list of ints.
  std::vector<int64_t> giveIntegers(unsigned index) {
    const int64_t *numbers = nullptr;
    size_t size = 0;
    check(tsc_value_get_int_list(results[index], &numbers, &size));
    return std::vector<int64_t>(numbers, numbers + size);
  }

private:
  // tsc-tblgen writes no function for an operator with more.
  static constexpr unsigned mostArguments = 32, mostResults = 8;

  tsc_value **next() {
    TORCH_INTERNAL_ASSERT(count != mostArguments, "an operator with more than ", unsigned{mostArguments}, " arguments");
    return &args[count++];
  }

  const tsc_op *op;
  tsc_value *args[mostArguments];
  tsc_value *results[mostResults] = {};
  uint32_t owned = 0;
  unsigned count = 0, numResults = 0;
  bool requiresGrad = false;
};

} // namespace tsc_torch_detail

#endif
