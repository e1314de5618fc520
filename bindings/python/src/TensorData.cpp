//===- TensorData.cpp - Numbers in nested lists ---------------------------===//
#include "Eager.h"
#include "TensorObject.h"
#include "script/EagerTrace.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/Promotion.h"
#include "tsc/Tensor/Quantizer.h"

using namespace tsc;
using namespace tsc::bindings;

static constexpr int64_t maxRank = 128;

nb::object bindings::makeNumber(const Scalar &number) {
  switch (number.kind()) {
  case Scalar::Kind::Bool: return nb::bool_(number.toBool());
  case Scalar::Kind::Int: return owned(PyLong_FromLongLong(number.toInt()));
  case Scalar::Kind::Double: return owned(PyFloat_FromDouble(number.toDouble()));
  case Scalar::Kind::Complex: return owned(PyComplex_FromDoubles(number.toComplex().real(), number.toComplex().imag()));
  }
  return nb::none();
}

//===----------------------------------------------------------------------===//
// From lists
//===----------------------------------------------------------------------===//

static bool isSequence(nb::handle object) { return PyList_Check(object.ptr()) || PyTuple_Check(object.ptr()); }

/// The length of a list or tuple, of which a subclass may say what it likes.
static Py_ssize_t lengthOf(nb::handle sequence) {
  const Py_ssize_t size = PySequence_Size(sequence.ptr());
  if (size < 0)
    raiseCurrent();
  return size;
}

/// The number that an object is; nothing where it is none.
static std::optional<Scalar> numberOf(nb::handle object) {
  PyObject *given = object.ptr();
  if (PyBool_Check(given))
    return Scalar(given == Py_True);
  if (PyFloat_Check(given))
    return Scalar(PyFloat_AsDouble(given));
  if (PyLong_Check(given)) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(given, &overflow);
    if (overflow)
      raise(PyExc_RuntimeError, "Overflow when unpacking long");
    return Scalar(int64_t{value});
  }
  if (PyComplex_Check(given))
    return Scalar(std::complex<double>(PyComplex_RealAsDouble(given), PyComplex_ImagAsDouble(given)));
  if (isTensor(object) && tensorOf(object).numel() == 1) {
    refuseReading(tensorOf(object));
    return orRaise(tensorOf(object).item());
  }
  if (nb::hasattr(object, "item") && nb::hasattr(object, "dtype")) { // a number of NumPy's
    nb::object number = object.attr("item")();
    if (PyLong_Check(number.ptr()) || PyFloat_Check(number.ptr()) || PyComplex_Check(number.ptr()))
      return numberOf(number);
  }
  return std::nullopt;
}

namespace {
/// Reads nested sequences: first their shape and the dtype that holds all numbers, then the numbers.
class NestedData {
public:
  explicit NestedData(nb::handle data) {
    measure(data);
    read(data, 0);
  }
  Tensor make(std::optional<DType> dtype) const;

private:
  void measure(nb::handle data);
  void read(nb::handle data, size_t depth);
  void note(const Scalar &number, DType dtype);
  Dims sizes;
  std::vector<Scalar> numbers;
  std::optional<DType> common; ///< Of the numbers seen so far.
};
} // namespace

void NestedData::measure(nb::handle data) {
  nb::object first = nb::borrow(data);
  while (isSequence(first)) {
    if (static_cast<int64_t>(sizes.size()) > maxRank)
      raise(PyExc_ValueError, "too many dimensions '" + typeNameOf(first) + "'");
    const Py_ssize_t size = lengthOf(first);
    sizes.push_back(size);
    if (size == 0)
      return;
    first = owned(PySequence_GetItem(first.ptr(), 0));
  }
}

/// Numbers of Python's are of the default dtype and int64, and do not make a tensor's dtype wider.
void NestedData::note(const Scalar &number, DType dtype) {
  common = common ? promoteTypes(*common, dtype) : dtype;
  numbers.push_back(number);
}

void NestedData::read(nb::handle data, size_t depth) {
  if (depth == sizes.size()) {
    std::optional<Scalar> number = isSequence(data) ? std::nullopt : numberOf(data);
    if (!number) {
      if (isSequence(data) || PyUnicode_Check(data.ptr()))
        raise(PyExc_ValueError, "too many dimensions '" + typeNameOf(data) + "'");
      raise(PyExc_RuntimeError, "Could not infer dtype of " + typeNameOf(data));
    }
    note(*number, isTensor(data) ? tensorOf(data).dtype() : dtypeOfNumber(number->kind()));
    return;
  }
  if (!isSequence(data))
    raise(PyExc_TypeError, "not a sequence: expected one of length " + std::to_string(sizes[depth]) + " at dim " +
                               std::to_string(depth) + ", but got a " + typeNameOf(data));
  const Py_ssize_t size = lengthOf(data);
  if (size != sizes[depth])
    raise(PyExc_ValueError, "expected sequence of length " + std::to_string(sizes[depth]) + " at dim " +
                                std::to_string(depth) + " (got " + std::to_string(size) + ")");
  for (Py_ssize_t i = 0; i != size; ++i)
    read(owned(PySequence_GetItem(data.ptr(), i)), depth + 1);
}

Tensor NestedData::make(std::optional<DType> dtype) const {
  const DType wanted = dtype.value_or(common.value_or(defaultDType()));
  Tensor made = orRaise(Tensor::empty(sizes, wanted));
  switch (wanted) { // those of numbers that Python has, without a switch for each
  case DType::Float:
    for (size_t i = 0; i != numbers.size(); ++i)
      made.mutableData<float>()[i] = static_cast<float>(numbers[i].toDouble());
    break;
  case DType::Double:
    for (size_t i = 0; i != numbers.size(); ++i)
      made.mutableData<double>()[i] = numbers[i].toDouble();
    break;
  case DType::Int64:
    for (size_t i = 0; i != numbers.size(); ++i)
      made.mutableData<int64_t>()[i] = numbers[i].toInt();
    break;
  default:
    for (size_t i = 0; i != numbers.size(); ++i)
      made.set(static_cast<int64_t>(i), numbers[i]);
  }
  return made;
}

Tensor bindings::tensorOfData(nb::handle data, std::optional<DType> dtype) {
  Tensor made;
  if (isTensor(data))
    made = Tape::detached(tensorOf(data));
  else if (isArrayLike(data))
    made = tensorOfArray(data, WhereStrange::Copy);
  else
    return NestedData(data).make(dtype);
  made = orRaise(cpu::clone(made)); // of what somebody else has
  if (dtype && made.dtype() != *dtype)
    made = callForTensor("aten::to", {IValue(made), IValue(*dtype)});
  return made;
}

//===----------------------------------------------------------------------===//
// To lists
//===----------------------------------------------------------------------===//

static nb::object listOf(const Tensor &tensor, int64_t dim, int64_t first) {
  if (dim == tensor.dim())
    return makeNumber(tensor.at(first));
  int64_t step = 1; // elements in each part, in row-major order
  for (int64_t d = dim + 1; d < tensor.dim(); ++d)
    step *= tensor.size(d);
  nb::object list = owned(PyList_New(static_cast<Py_ssize_t>(tensor.size(dim))));
  for (int64_t i = 0; i != tensor.size(dim); ++i)
    PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(i), listOf(tensor, dim + 1, first + i * step).release().ptr());
  return list;
}

nb::object bindings::makeNestedLists(const Tensor &tensor) {
  refuseReading(tensor);
  Tensor plain = tensor.get()->storage ? tensor : callForTensor("aten::to_dense", {IValue(tensor)});
  if (isQuantized(plain.dtype()))
    plain = callForTensor("aten::dequantize", {IValue(plain)});
  return listOf(plain, 0, 0);
}
