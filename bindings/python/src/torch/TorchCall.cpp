//===- TorchCall.cpp - Calls of compiled code with torch's tensors --------===//
//
// A tensor of torch's is lent to compiled code for the call. Where that keeps it, torch is
// asked for an object that keeps the memory in its place, which the tensor itself does not:
// its owner may resize it.
//
//===----------------------------------------------------------------------===//
#include "TorchCall.h"
#include "../Calls.h"
#include "../TensorObject.h"
#include "../Values.h"
#include "tsc/IR/Type.h"
#include "tsc/Tensor/DefaultDType.h"

using namespace tsc;
using namespace tsc::bindings;

namespace {
/// Sets the thread's grad mode while it lives.
class GradModeScope {
public:
  GradModeScope(ThreadState &thread, bool mode) : thread(thread), before(thread.gradMode) { thread.gradMode = mode; }
  ~GradModeScope() { thread.gradMode = before; }
  GradModeScope(const GradModeScope &) = delete;

private:
  ThreadState &thread;
  bool before;
};

/// One call.
class TorchCall {
public:
  TorchCall(const TorchLibrary &torch, Callee &callee, llvm::ArrayRef<SharedTensor *> shared)
      : torch(torch), callee(callee), shared(shared), thread(ThreadState::get()), records(torch.isGradEnabled()) {}
  /// Shares the tensors of the arguments with compiled code. Returns false where one cannot be shared so.
  bool take(const CallArguments &arguments);
  nb::object run();
  bool isGivenGradients() const { return isGiven; }

private:
  /// A tensor that was given.
  struct Given {
    nb::handle object; ///< torch's, which the caller has as long as the call lasts.
    Tensor tensor;
    Ref<Storage> storage;            ///< That of `tensor` when the call began.
    KeptTorchTensor *kept = nullptr; ///< Null for a tensor that a module has anyway.
    TorchTensor place;
  };
  bool take(nb::handle object, IValue &value);
  bool share(nb::handle object, IValue &value);
  IValue callCompiled();
  void keepWhatIsUsed();
  bool isPlain(const IValue &value, unsigned depth = 0) const;
  nb::object toPlain(const IValue &value) const;
  nb::object toTorch(const Tensor &tensor) const;
  nb::object withHistory(const Tensor &tensor) const;
  nb::object finish(const IValue &value) const;
  template <typename F> void forEachLeaf(F &&body) const;

  const TorchLibrary &torch;
  Callee &callee;
  llvm::ArrayRef<SharedTensor *> shared;
  ThreadState &thread;
  bool records; ///< Whether torch's grad mode is on.
  llvm::SmallVector<Given, 3> given;
  llvm::SmallVector<unsigned, 3> leaves; ///< Those of `given` that gradients are computed for, and no module has.
  bool isGiven = false;                  ///< Whether an argument requires gradients.
  bool holdsGradients = false;           ///< Whether one does for compiled code.
  std::vector<IValue> args;
  KeywordArguments kwargs;
};
} // namespace

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Whether an object is what compiled code takes as it is, and is no tensor.
static bool isNumberOrText(nb::handle object) {
  PyTypeObject *type = Py_TYPE(object.ptr());
  return type == &PyLong_Type || type == &PyFloat_Type || type == &PyBool_Type || type == &PyUnicode_Type ||
         type == &PyComplex_Type || object.is_none();
}

bool TorchCall::share(nb::handle object, IValue &value) {
  for (const Given &one : given)
    if (one.object.ptr() == object.ptr()) {
      value = one.tensor;
      return true;
    }
  Given made{object};
  if (!torch.read(object, made.place))
    return false;
  const bool requiresGrad = torch.requiresGrad(object);
  isGiven |= requiresGrad;
  if (requiresGrad) // it may be one that the module has
    for (SharedTensor *one : shared)
      if (one->tensor().ptr() == object.ptr() && one->requiresGrad())
        made.tensor = one->madeTensor();
  if (!made.tensor.defined()) {
    std::optional<LentTensor> lent = torch.lend(object, made.place);
    if (!lent)
      return false;
    made.tensor = std::move(lent->tensor);
    made.kept = lent->kept;
    made.storage = made.tensor.get()->storage;
    if (requiresGrad && records) {
      made.tensor.get()->setLeafOfFile(true);
      leaves.push_back(static_cast<unsigned>(given.size()));
    }
  }
  holdsGradients |= made.tensor.requiresGrad();
  value = made.tensor;
  given.push_back(std::move(made));
  return true;
}

bool TorchCall::take(nb::handle object, IValue &value) {
  if (torch.isTensor(object))
    return share(object, value);
  value = toIValue(object, callee.program.get());
  return true;
}

bool TorchCall::take(const CallArguments &arguments) {
  args.reserve(arguments.numArgs + 1); // a method's object goes before them
  for (size_t i = 0; i != arguments.numArgs; ++i)
    if (!take(arguments.args[i], args.emplace_back()))
      return false;
  for (size_t i = 0; i != arguments.numKeywords(); ++i)
    if (!take(arguments.keywordValue(i), kwargs.emplace_back(textOf(arguments.keyword(i)), IValue()).second))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Calls `body` with torch's and tsc's tensor for each pair that gradients are computed for.
template <typename F> void TorchCall::forEachLeaf(F &&body) const {
  for (const SharedTensor *one : shared)
    if (one->requiresGrad())
      body(one->tensor(), one->madeTensor());
  for (unsigned index : leaves)
    body(given[index].object, given[index].tensor);
}

/// Whether a value is made of tensors without histories, numbers and texts in lists and tuples.
bool TorchCall::isPlain(const IValue &value, unsigned depth) const {
  constexpr unsigned deepest = 20; // what is deeper is left to those who look for cycles
  switch (value.getTag()) {
  case IValue::Tag::Tensor: return !value.toTensor().defined() || !value.toTensor().requiresGrad();
  case IValue::Tag::None:
  case IValue::Tag::Bool:
  case IValue::Tag::Int:
  case IValue::Tag::Double:
  case IValue::Tag::Complex:
  case IValue::Tag::String:
  case IValue::Tag::IntList:
  case IValue::Tag::DoubleList:
  case IValue::Tag::BoolList: return true;
  case IValue::Tag::TensorList:
  case IValue::Tag::GenericList:
    for (size_t i = 0; i != value.listSize(); ++i)
      if (depth == deepest || !isPlain(value.listElement(i), depth + 1))
        return false;
    return true;
  case IValue::Tag::Tuple: {
    const TupleValue &tuple = value.toTuple();
    return depth != deepest && !(tuple.type && tuple.type->isNamed()) &&
           llvm::all_of(tuple.elements, [&](const IValue &one) { return isPlain(one, depth + 1); });
  }
  default: return false;
  }
}

/// Returns torch's tensor for one without a history: the same one that was given, where that comes back.
nb::object TorchCall::toTorch(const Tensor &tensor) const {
  for (const Given &one : given)
    if (one.tensor.isSameAs(tensor) && tensor.get()->storage && tensor.data() == one.place.data &&
        tensor.sizes() == ArrayRef<int64_t>(one.place.sizes) &&
        tensor.strides() == ArrayRef<int64_t>(one.place.strides))
      return nb::borrow(one.object);
  return torch.make(tensor);
}

nb::object TorchCall::toPlain(const IValue &value) const {
  if (value.isTensor())
    return value.toTensor().defined() ? toTorch(value.toTensor()) : nb::none();
  if (value.getTag() == IValue::Tag::TensorList || value.getTag() == IValue::Tag::GenericList) {
    const size_t size = value.listSize();
    nb::object list = owned(PyList_New(static_cast<Py_ssize_t>(size)));
    for (size_t i = 0; i != size; ++i)
      PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(i), toPlain(value.listElement(i)).release().ptr());
    return list;
  }
  if (value.getTag() == IValue::Tag::Tuple) {
    const std::vector<IValue> &elements = value.toTuple().elements;
    nb::object tuple = owned(PyTuple_New(static_cast<Py_ssize_t>(elements.size())));
    for (auto [i, element] : llvm::enumerate(elements))
      PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), toPlain(element).release().ptr());
    return tuple;
  }
  return toPython(value, callee.program);
}

/// Returns torch's tensor for one that compiled code has a history of: torch's backward goes on through that.
nb::object TorchCall::withHistory(const Tensor &tensor) const {
  nb::object known;
  nb::list inputs, ofTorch;
  forEachLeaf([&](nb::handle object, const Tensor &made) {
    if (made.isSameAs(tensor))
      known = nb::borrow(object);
    inputs.append(wrapTensor(made));
    ofTorch.append(object);
  });
  if (known.is_valid())
    return known;
  if (Tape::isLeaf(tensor)) // which compiled code has made
    return finish(tensor);
  nb::list outputs;
  outputs.append(wrapTensor(tensor));
  return torch.record(outputs, inputs, *ofTorch)[0];
}

/// Lets Python's part make of a result what Python is given.
nb::object TorchCall::finish(const IValue &value) const {
  nb::list arguments, pairs;
  for (const Given &one : given)
    arguments.append(nb::make_tuple(one.object, wrapTensor(one.tensor)));
  forEachLeaf([&](nb::handle object, const Tensor &made) { pairs.append(nb::make_tuple(object, wrapTensor(made))); });
  return torch.finish(toPython(value, callee.program), arguments, pairs);
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

/// Lets torch keep the memory in its place that somebody goes on to use.
void TorchCall::keepWhatIsUsed() {
  for (Given &one : given) {
    const bool isOver = !one.kept || (one.tensor.get()->useCount() == 1 && one.storage->useCount() == 2 &&
                                      one.tensor.get()->storage.get() == one.storage.get());
    if (!isOver && one.storage->data() == one.place.data && one.place.hasElements())
      one.kept->owner = torch.keepMemory(one.object);
  }
}

IValue TorchCall::callCompiled() {
  GradModeScope mode(thread, records && thread.gradMode);
  return callee.call(std::move(args), std::move(kwargs), holdsGradients);
}

nb::object TorchCall::run() {
  try {
    DefaultDTypeScope dtype(torch.defaultDType());
    IValue result = callCompiled();
    nb::object made = isPlain(result)     ? toPlain(result)
                      : result.isTensor() ? withHistory(result.toTensor())
                                          : finish(result);
    result = IValue();
    keepWhatIsUsed();
    return made;
  } catch (...) {
    keepWhatIsUsed();
    throw;
  }
}

TorchResult bindings::callWithTorch(Callee &callee, llvm::ArrayRef<SharedTensor *> shared,
                                    const CallArguments &arguments, bool needsTensor) {
  const TorchLibrary *torch = TorchLibrary::get();
  const ThreadState &thread = ThreadState::get();
  if (!torch || thread.trace || thread.isTraced)
    return {};
  bool hasTensor = false;
  for (size_t i = 0; i != arguments.numArgs + arguments.numKeywords(); ++i) {
    const bool isTensor = torch->isTensor(arguments.args[i]);
    if (!isTensor && !isNumberOrText(arguments.args[i]))
      return {};
    hasTensor |= isTensor;
  }
  if ((needsTensor && !hasTensor) || !torch->isUnobserved())
    return {};
  const Callee::Traits &traits = callee.traits();
  if (traits.mayDraw || traits.usesGradients || traits.callsPython)
    return {};
  ClearsReleased clears;
  TorchResult result;
  {
    TorchCall call(*torch, callee, shared);
    if (call.take(arguments))
      result = {call.run(), call.isGivenGradients()};
  }
  clearReleased();
  return result;
}
