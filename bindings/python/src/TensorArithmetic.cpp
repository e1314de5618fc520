//===- TensorArithmetic.cpp - Operators of Python on tensors --------------===//
#include "Eager.h"
#include "TensorObject.h"
#include "Values.h"
#include "script/EagerTrace.h"
#include "tsc/Tensor/DefaultDType.h"

using namespace tsc;
using namespace tsc::bindings;

/// Whether an object may stand beside a tensor in arithmetic: a tensor, an array, or a number.
static bool isOperand(nb::handle object) {
  PyObject *given = object.ptr();
  return isTensor(object) || PyFloat_Check(given) || PyLong_Check(given) || PyComplex_Check(given) ||
         isArrayLike(object);
}

static nb::object notImplemented() { return nb::borrow(Py_NotImplemented); }

static IValue operandOf(nb::handle object) { return toIValue(object, nullptr); }

static nb::object resultOf(llvm::StringRef name, std::vector<IValue> args, KeywordArguments kwargs = {}) {
  return resultsOf(name, callEager(name, std::move(args), std::move(kwargs)));
}

/// Calls an operator of two operands, of which one at least is a tensor.
static PyObject *binary(const char *name, PyObject *a, PyObject *b) noexcept {
  return guardedObject([&]() -> nb::object {
    if (!isOperand(a) || !isOperand(b))
      return notImplemented();
    return resultOf(name, {operandOf(a), operandOf(b)});
  });
}

/// Calls one operator where the first operand is a tensor, and `reflected` with (second, first) where that is a number:
/// those of PyTorch take a tensor first.
static PyObject *reflecting(const char *name, const char *reflected, PyObject *a, PyObject *b) noexcept {
  return guardedObject([&]() -> nb::object {
    if (!isOperand(a) || !isOperand(b))
      return notImplemented();
    IValue first = operandOf(a), second = operandOf(b);
    if (first.isTensor())
      return resultOf(name, {std::move(first), std::move(second)});
    return resultOf(reflected, {std::move(second), std::move(first)});
  });
}

/// Calls an operator in place.
static PyObject *inPlace(const char *name, PyObject *a, PyObject *b) noexcept {
  return guardedObject([&]() -> nb::object {
    if (!isOperand(b))
      return notImplemented();
    (void)callEager(name, {operandOf(a), operandOf(b)});
    return nb::borrow(a);
  });
}

static PyObject *unary(const char *name, PyObject *a) noexcept {
  return guardedObject([&] { return resultOf(name, {operandOf(a)}); });
}

#define TSC_BINARY(SLOT, NAME)                                                                                         \
  static PyObject *SLOT(PyObject *a, PyObject *b) noexcept { return binary(NAME, a, b); }
#define TSC_REFLECTING(SLOT, NAME, REFLECTED)                                                                          \
  static PyObject *SLOT(PyObject *a, PyObject *b) noexcept { return reflecting(NAME, REFLECTED, a, b); }
#define TSC_IN_PLACE(SLOT, NAME)                                                                                       \
  static PyObject *SLOT(PyObject *a, PyObject *b) noexcept { return inPlace(NAME, a, b); }
TSC_REFLECTING(add, "aten::add", "aten::add")
TSC_REFLECTING(subtract, "aten::sub", "aten::rsub")
TSC_REFLECTING(multiply, "aten::mul", "aten::mul")
TSC_REFLECTING(bitAnd, "aten::__and__", "aten::__and__")
TSC_REFLECTING(bitOr, "aten::__or__", "aten::__or__")
TSC_REFLECTING(bitXor, "aten::__xor__", "aten::__xor__")
TSC_BINARY(matrixMultiply, "aten::matmul")
TSC_BINARY(leftShift, "aten::__lshift__")
TSC_BINARY(rightShift, "aten::__rshift__")
TSC_IN_PLACE(addInPlace, "aten::add_")
TSC_IN_PLACE(subtractInPlace, "aten::sub_")
TSC_IN_PLACE(multiplyInPlace, "aten::mul_")
TSC_IN_PLACE(divideInPlace, "aten::div_")
TSC_IN_PLACE(floorDivideInPlace, "aten::floor_divide_")
TSC_IN_PLACE(remainderInPlace, "aten::remainder_")
TSC_IN_PLACE(andInPlace, "aten::__iand__")
TSC_IN_PLACE(orInPlace, "aten::__ior__")
TSC_IN_PLACE(xorInPlace, "aten::__ixor__")
TSC_IN_PLACE(leftShiftInPlace, "aten::__ilshift__")
TSC_IN_PLACE(rightShiftInPlace, "aten::__irshift__")
#undef TSC_BINARY
#undef TSC_REFLECTING
#undef TSC_IN_PLACE

/// A number as a tensor without dimensions, for operators that take no number first.
static IValue asTensor(IValue operand) {
  if (operand.isTensor())
    return operand;
  Scalar number = operand.toScalar();
  return orRaise(Tensor::scalar(number, dtypeOfNumber(number.kind())));
}

static PyObject *divide(PyObject *a, PyObject *b) noexcept {
  return guardedObject([&]() -> nb::object {
    if (!isOperand(a) || !isOperand(b))
      return notImplemented();
    IValue first = operandOf(a), second = operandOf(b);
    if (first.isTensor())
      return resultOf("aten::div", {std::move(first), std::move(second)});
    return resultOf("aten::mul", {callForTensor("aten::reciprocal", {std::move(second)}), std::move(first)});
  });
}

static PyObject *floorDivide(PyObject *a, PyObject *b) noexcept {
  return guardedObject([&]() -> nb::object {
    if (!isOperand(a) || !isOperand(b))
      return notImplemented();
    return resultOf("aten::floor_divide", {asTensor(operandOf(a)), operandOf(b)});
  });
}

static PyObject *remainderOf(PyObject *a, PyObject *b) noexcept { return binary("aten::remainder", a, b); }

static PyObject *power(PyObject *a, PyObject *b, PyObject *modulus) noexcept {
  return guardedObject([&]() -> nb::object {
    if (modulus != Py_None || !isOperand(a) || !isOperand(b))
      return notImplemented();
    return resultOf("aten::pow", {operandOf(a), operandOf(b)});
  });
}
static PyObject *powerInPlace(PyObject *a, PyObject *b, PyObject *) noexcept { return inPlace("aten::pow_", a, b); }

static PyObject *negate(PyObject *a) noexcept { return unary("aten::neg", a); }
static PyObject *absolute(PyObject *a) noexcept { return unary("aten::abs", a); }
static PyObject *invert(PyObject *a) noexcept { return unary("aten::bitwise_not", a); }
static PyObject *positive(PyObject *a) noexcept {
  Py_INCREF(a);
  return a;
}

static PyObject *compare(PyObject *a, PyObject *b, int how) noexcept {
  static const char *const names[] = {"aten::lt", "aten::le", "aten::eq", "aten::ne", "aten::gt", "aten::ge"};
  static_assert(Py_LT == 0 && Py_LE == 1 && Py_EQ == 2 && Py_NE == 3 && Py_GT == 4 && Py_GE == 5);
  return binary(names[how], a, b);
}

//===----------------------------------------------------------------------===//
// As numbers and truth
//===----------------------------------------------------------------------===//

static Scalar onlyElement(PyObject *self) {
  const Tensor &tensor = tensorOf(self);
  if (tensor.numel() != 1)
    raise(PyExc_ValueError, "only one element tensors can be converted to Python scalars");
  refuseReading(tensor);
  return orRaise(tensor.item());
}

static int isTrue(PyObject *self) noexcept {
  return guarded(
      [&] {
        const Tensor &tensor = tensorOf(self);
        if (tensor.numel() != 1)
          raise(PyExc_RuntimeError, tensor.numel() == 0
                                        ? "Boolean value of Tensor with no values is ambiguous"
                                        : "Boolean value of Tensor with more than one value is ambiguous");
        refuseReading(tensor);
        return orRaise(tensor.item()).toBool() ? 1 : 0;
      },
      -1);
}
static PyObject *toInt(PyObject *self) noexcept {
  return guardedObject([&] {
    Scalar number = onlyElement(self);
    // Python's own int() knows what is not finite, and large numbers.
    return number.isFloating() ? owned(PyNumber_Long(makeNumber(number).ptr()))
                               : owned(PyLong_FromLongLong(number.toInt()));
  });
}
static PyObject *toFloat(PyObject *self) noexcept {
  return guardedObject([&] { return owned(PyFloat_FromDouble(onlyElement(self).toDouble())); });
}
static PyObject *toIndex(PyObject *self) noexcept {
  return guardedObject([&] {
    const Tensor &tensor = tensorOf(self);
    if (tensor.numel() != 1 || !isIntegral(tensor.dtype(), /*includeBool=*/true))
      raise(PyExc_TypeError, "only integer tensors of a single element can be converted to an index");
    return owned(PyLong_FromLongLong(onlyElement(self).toInt()));
  });
}

static Py_ssize_t length(PyObject *self) noexcept {
  return guarded(
      [&]() -> Py_ssize_t {
        if (tensorOf(self).dim() == 0)
          raise(PyExc_TypeError, "len() of a 0-d tensor");
        return tensorOf(self).size(0);
      },
      Py_ssize_t{-1});
}

static PyObject *iterate(PyObject *self) noexcept {
  return guardedObject([&] {
    if (tensorOf(self).dim() == 0)
      raise(PyExc_TypeError, "iteration over a 0-d tensor");
    nb::object parts = resultOf("aten::unbind", {IValue(tensorOf(self)), IValue(0)});
    return owned(PyObject_GetIter(parts.ptr()));
  });
}

static int contains(PyObject *self, PyObject *element) noexcept {
  return guarded(
      [&] {
        if (!isOperand(element))
          raise(PyExc_RuntimeError,
                "Tensor.__contains__ only supports Tensor or scalar, but you passed in a " + typeNameOf(element) + ".");
        Tensor equal = callForTensor("aten::eq", {IValue(tensorOf(self)), operandOf(element)});
        return orRaise(callForTensor("aten::any", {equal}).item()).toBool() ? 1 : 0;
      },
      -1);
}

llvm::ArrayRef<PyType_Slot> tensor_slots::arithmetic() {
#define TSC_SLOT(NAME, FUNCTION) {NAME, reinterpret_cast<void *>(FUNCTION)}
  static PyType_Slot slots[] = {
      TSC_SLOT(Py_nb_add, add),
      TSC_SLOT(Py_nb_subtract, subtract),
      TSC_SLOT(Py_nb_multiply, multiply),
      TSC_SLOT(Py_nb_true_divide, divide),
      TSC_SLOT(Py_nb_floor_divide, floorDivide),
      TSC_SLOT(Py_nb_remainder, remainderOf),
      TSC_SLOT(Py_nb_power, power),
      TSC_SLOT(Py_nb_matrix_multiply, matrixMultiply),
      TSC_SLOT(Py_nb_and, bitAnd),
      TSC_SLOT(Py_nb_or, bitOr),
      TSC_SLOT(Py_nb_xor, bitXor),
      TSC_SLOT(Py_nb_lshift, leftShift),
      TSC_SLOT(Py_nb_rshift, rightShift),
      TSC_SLOT(Py_nb_inplace_add, addInPlace),
      TSC_SLOT(Py_nb_inplace_subtract, subtractInPlace),
      TSC_SLOT(Py_nb_inplace_multiply, multiplyInPlace),
      TSC_SLOT(Py_nb_inplace_true_divide, divideInPlace),
      TSC_SLOT(Py_nb_inplace_floor_divide, floorDivideInPlace),
      TSC_SLOT(Py_nb_inplace_remainder, remainderInPlace),
      TSC_SLOT(Py_nb_inplace_power, powerInPlace),
      TSC_SLOT(Py_nb_inplace_and, andInPlace),
      TSC_SLOT(Py_nb_inplace_or, orInPlace),
      TSC_SLOT(Py_nb_inplace_xor, xorInPlace),
      TSC_SLOT(Py_nb_inplace_lshift, leftShiftInPlace),
      TSC_SLOT(Py_nb_inplace_rshift, rightShiftInPlace),
      TSC_SLOT(Py_nb_negative, negate),
      TSC_SLOT(Py_nb_positive, positive),
      TSC_SLOT(Py_nb_absolute, absolute),
      TSC_SLOT(Py_nb_invert, invert),
      TSC_SLOT(Py_nb_bool, isTrue),
      TSC_SLOT(Py_nb_int, toInt),
      TSC_SLOT(Py_nb_float, toFloat),
      TSC_SLOT(Py_nb_index, toIndex),
      TSC_SLOT(Py_tp_richcompare, compare),
      TSC_SLOT(Py_mp_length, length),
      TSC_SLOT(Py_sq_contains, contains),
      TSC_SLOT(Py_tp_iter, iterate),
  };
#undef TSC_SLOT
  return slots;
}
