//===- TensorIndexing.cpp - x[…] as PyTorch reads it ----------------------===//
//
// From left to right, numbers, slices, None and bools make views of the tensor. Masks and
// tensors of indices are collected, each for its dimension, and applied at once.
//
//===----------------------------------------------------------------------===//
#include "Eager.h"
#include "TensorObject.h"
#include "Values.h"
#include "script/EagerTrace.h"

using namespace tsc;
using namespace tsc::bindings;

namespace {
/// What an index comes to: a view, and tensors that index it.
struct Indexed {
  Tensor view;
  std::vector<Tensor> indices; ///< One for each dimension of the view from the first on; undefined for all of it.
  bool hasIndices() const {
    return llvm::any_of(indices, [](const Tensor &one) { return one.defined(); });
  }
};

/// Applies the parts of an index one after the other.
class Indexer {
public:
  explicit Indexer(Tensor self) { result.view = std::move(self); }
  Indexed index(nb::handle index);

private:
  void apply(nb::handle part);
  void select(int64_t number, int64_t shown);
  void slice(nb::handle part);
  void addIndices(Tensor indices);
  Indexed result;
  int64_t dim = 0;      ///< The dimension of the view that the next part is for.
  int64_t realDims = 0; ///< How many dimensions of the tensor have had their part.
  int64_t rank = 0;
  int64_t extraMaskDims = 0; ///< By how many dimensions masks so far have more than their one entry.
};
} // namespace

/// Tells the trace that is under way, if there is one, with which numbers the next operator is called: the dimension,
/// and what Python gives, of which the trace may compute some. What is no int stands for the number beside it.
static void noteNumbers(int64_t dim, std::initializer_list<std::pair<nb::handle, int64_t>> given) {
  EagerTrace *trace = EagerTrace::current();
  if (!trace)
    return;
  trace->numbers.assign(1, TracedInt(dim));
  for (auto [object, value] : given)
    if (PyLong_Check(object.ptr()))
      noteNumber(*trace, object, value);
    else
      trace->numbers.emplace_back(value);
}

/// How many dimensions of the tensor a part of an index takes.
static int64_t dimsOf(nb::handle part) {
  if (part.is_none() || part.ptr() == Py_Ellipsis || PyBool_Check(part.ptr()))
    return 0;
  if (!isTensor(part))
    return 1;
  const Tensor &tensor = tensorOf(part);
  const bool isMask = tensor.dtype() == DType::Bool || tensor.dtype() == DType::UInt8;
  return isMask ? tensor.dim() : 1;
}

/// Whether a list in the place of an index is a list of parts, as old NumPy took it: x[[0, slice(1)]].
static bool isListOfParts(nb::handle index) {
  if (!PyList_Check(index.ptr()) || PyList_Size(index.ptr()) >= 32)
    return false;
  for (nb::handle part : nb::borrow<nb::list>(index))
    if (part.is_none() || part.ptr() == Py_Ellipsis || PySlice_Check(part.ptr()))
      return true;
  return false;
}

Indexed Indexer::index(nb::handle index) {
  rank = result.view.dim();
  std::vector<nb::object> parts;
  bool isList = false;
  if (PyTuple_Check(index.ptr()) || isListOfParts(index)) {
    isList = true;
    for (nb::handle part : nb::borrow(index))
      parts.push_back(nb::borrow(part));
  } else {
    parts.push_back(nb::borrow(index));
  }
  int64_t taken = 0;
  for (nb::object &part : parts) {
    const bool isData = PyList_Check(part.ptr()) || PyTuple_Check(part.ptr()) ||
                        (!isTensor(part) && isArrayLike(part) && !isNumberOfNumPy(part));
    if (isData)
      part = wrapTensor(isArrayLike(part) ? tensorOfArray(part, WhereStrange::Copy) : tensorOfData(part, std::nullopt));
    taken += dimsOf(part);
  }
  if (isList && taken > rank) // one part alone says by itself what is wrong
    raise(PyExc_IndexError, "too many indices for tensor of dimension " + std::to_string(rank));
  for (const nb::object &part : parts) {
    if (part.ptr() == Py_Ellipsis)
      dim += rank - taken;
    else
      apply(part);
  }
  return std::move(result);
}

void Indexer::apply(nb::handle part) {
  PyObject *given = part.ptr();
  if (part.is_none()) {
    result.view = callForTensor("aten::unsqueeze", {IValue(result.view), IValue(dim)});
    ++dim;
  } else if (PyBool_Check(given)) {
    result.view = callForTensor("aten::unsqueeze", {IValue(result.view), IValue(dim)});
    addIndices(orRaise(Tensor::full({1}, given == Py_True, DType::Bool)));
  } else if (PySlice_Check(given)) {
    slice(part);
  } else if (isTensor(part) && (tensorOf(part).dim() != 0 || tensorOf(part).dtype() == DType::Bool)) {
    const Tensor &indices = tensorOf(part);
    if (indices.dim() == 0 && indices.dtype() == DType::Bool) // as a bool
      result.view = callForTensor("aten::unsqueeze", {IValue(result.view), IValue(dim)});
    addIndices(indices.dim() == 0 ? callForTensor("aten::unsqueeze", {IValue(indices), IValue(0)}) : indices);
  } else if (PyIndex_Check(given)) {
    nb::object number = owned(PyNumber_Index(given));
    const long long value = PyLong_AsLongLong(number.ptr());
    if (value == -1 && PyErr_Occurred())
      raiseCurrent();
    noteNumbers(dim, {{number, value}});
    select(value, value);
  } else {
    raise(PyExc_TypeError, "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
                           "indices (got " +
                               typeNameOf(part) + ")");
  }
}

void Indexer::select(int64_t number, int64_t shown) {
  if (result.view.dim() <= dim) // also where an __index__ has changed the tensor
    raise(PyExc_IndexError,
          "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ "
          "to convert a 0-dim tensor to a number");
  const int64_t size = result.view.size(dim);
  if (number < -size || number >= size)
    raise(PyExc_IndexError, "index " + std::to_string(shown) + " is out of bounds for dimension " +
                                std::to_string(realDims) + " with size " + std::to_string(size));
  result.view = callForTensor("aten::select", {IValue(result.view), IValue(dim), IValue(number)});
  ++realDims;
}

void Indexer::slice(nb::handle part) {
  Py_ssize_t start = 0, stop = 0, step = 0;
  if (PySlice_Unpack(part.ptr(), &start, &stop, &step) != 0)
    raiseCurrent();
  if (step <= 0)
    raise(PyExc_ValueError, "step must be greater than zero");
  if (result.view.dim() <= dim)
    raise(PyExc_IndexError, "slice() cannot be applied to a 0-dim tensor.");
  const nb::object from = part.attr("start"), to = part.attr("stop"), by = part.attr("step");
  // A trace has each slice with an end, since that need not be the end of other tensors.
  const bool isAll = start == 0 && step == 1 &&
                     (EagerTrace::current() ? from.is_none() && to.is_none() : stop >= result.view.size(dim));
  if (!isAll) {
    noteNumbers(dim, {{from, start}, {to, stop}, {by, step}});
    result.view = callForTensor("aten::slice", {IValue(result.view), IValue(dim), IValue(int64_t{start}),
                                                IValue(int64_t{stop}), IValue(int64_t{step})});
  }
  ++dim;
  ++realDims;
}

void Indexer::addIndices(Tensor indices) {
  const bool isMask = indices.dtype() == DType::Bool || indices.dtype() == DType::UInt8;
  const int64_t count = isMask ? indices.dim() : 1;
  // A mask of several dimensions is one entry of the list, though the view has a dimension for each of its own.
  result.indices.resize(static_cast<size_t>(dim - extraMaskDims));
  result.indices.push_back(std::move(indices));
  extraMaskDims += count - 1;
  dim += count;
  realDims += count;
}

/// The indices as the operators take them: a list in which None stands for all of a dimension.
static IValue listOf(const std::vector<Tensor> &indices) {
  std::vector<IValue> elements;
  for (const Tensor &one : indices)
    elements.emplace_back(one);
  return IValue(makeRef<GenericList>(Type::anyType(), std::move(elements)));
}

PyObject *tensor_slots::getItem(PyObject *self, PyObject *index) noexcept {
  return guardedObject([&] {
    Indexed found = Indexer(tensorOf(self)).index(index);
    if (found.hasIndices())
      return wrapTensor(callForTensor("aten::index", {IValue(found.view), listOf(found.indices)}));
    if (found.view.isSameAs(tensorOf(self))) // x[...] is a view of its own
      return wrapTensor(callForTensor("aten::alias", {IValue(found.view)}));
    return wrapTensor(std::move(found.view));
  });
}

/// The tensor to assign to `view`: a number in the view's dtype, or a tensor without leading dimensions of size 1 that
/// the view does not have.
static Tensor valueFor(const Tensor &view, nb::handle value, bool hasIndices) {
  IValue given = toIValue(value, nullptr);
  if (given.isScalar())
    return orRaise(Tensor::scalar(given.toScalar(), view.dtype()));
  Tensor tensor = given.isTensor() ? given.toTensor() : tensorOfData(value, std::nullopt);
  while (!hasIndices && tensor.dim() > view.dim() && tensor.size(0) == 1)
    tensor = callForTensor("aten::select", {IValue(tensor), IValue(0), IValue(0)});
  return tensor;
}

int tensor_slots::setItem(PyObject *self, PyObject *index, PyObject *value) noexcept {
  return guarded(
      [&] {
        if (!value)
          raise(PyExc_TypeError, "Tensor does not support deleting items");
        Indexed found = Indexer(tensorOf(self)).index(index);
        Tensor given = valueFor(found.view, value, found.hasIndices());
        if (found.hasIndices()) {
          if (given.dtype() != found.view.dtype() && given.dim() == 0)
            given = callForTensor("aten::to", {IValue(given), IValue(found.view.dtype())});
          (void)callEager("aten::index_put_", {IValue(found.view), listOf(found.indices), IValue(given)});
        } else {
          (void)callEager("aten::copy_", {IValue(found.view), IValue(given)});
        }
        return 0;
      },
      -1);
}
