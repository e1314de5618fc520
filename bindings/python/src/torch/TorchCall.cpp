//===- TorchCall.cpp - Calls of compiled code with torch's tensors --------===//
//
// A tensor of torch's is lent to compiled code for the call. Where that keeps it, torch is
// asked for an object that keeps the memory in its place, which the tensor itself does not:
// its owner may resize it.
//
// Lists, tuples and dicts are copied, as Values.cpp copies them, and the tensors in them
// lent.
//
//===----------------------------------------------------------------------===//
#include "TorchCall.h"
#include "../Calls.h"
#include "../Elements.h"
#include "../TensorObject.h"
#include "../Values.h"
#include "tsc/IR/Type.h"
#include "tsc/Tensor/DefaultDType.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/ScopeExit.h"

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
    nb::object object; ///< torch's. A list that was given may lose it while the call lasts.
    Tensor tensor;
    Ref<Storage> storage;            ///< That of `tensor` when the call began.
    KeptTorchTensor *kept = nullptr; ///< Null for a tensor that a module has anyway.
    TorchTensor place;
  };
  bool take(nb::handle object, IValue &value, unsigned depth = 0);
  bool takeDict(nb::handle dict, IValue &value, unsigned depth);
  bool share(nb::handle object, IValue &value);
  void noteGiven(Given made);
  const Given *givenFor(nb::handle object) const;
  const Given *givenAs(const Tensor &tensor) const;
  IValue callCompiled();
  void keepWhatIsUsed();
  nb::object give(const IValue &result);
  bool isUsual(const IValue &value, unsigned depth = 0);
  bool recordHistories();
  nb::object toTorch(const IValue &value) const;
  nb::object toTorch(const Tensor &tensor) const;
  nb::object finish(const IValue &value) const;
  template <typename F> void forEachLeaf(F &&body) const;

  const TorchLibrary &torch;
  Callee &callee;
  llvm::ArrayRef<SharedTensor *> shared;
  ThreadState &thread;
  bool records; ///< Whether torch's grad mode is on.
  llvm::SmallVector<Given, 3> given;
  /// The places in `given` by torch's objects and by tsc's tensors. They are filled where there are many.
  llvm::DenseMap<const void *, unsigned> placeOfObject, placeOfTensor;
  llvm::SmallVector<unsigned, 3> leaves; ///< Those of `given` that gradients are computed for, and no module has.
  bool isGiven = false;                  ///< Whether an argument requires gradients.
  bool holdsGradients = false;           ///< Whether one does for compiled code.
  /// The tensors of the result that require gradients, and torch's in their places.
  llvm::SmallMapVector<const void *, std::pair<Tensor, nb::object>, 2> histories;
  std::vector<IValue> args;
  KeywordArguments kwargs;
};
} // namespace

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Whether an argument is torch's tensor, a number, a text, or a list, tuple or dict of these. Sets `hasTensor` where
/// it is or holds a tensor.
static bool isUsualArgument(const TorchLibrary &torch, nb::handle object, bool &hasTensor) {
  return isMadeOf(object, [&](nb::handle one) {
    const bool isTensor = torch.isTensor(one);
    hasTensor |= isTensor;
    return isTensor || isNumberOrText(one);
  });
}

/// Up to so many tensors are looked for one by one.
static constexpr size_t few = 8;

void TorchCall::noteGiven(Given made) {
  given.push_back(std::move(made));
  if (given.size() > few)
    for (size_t i = placeOfObject.size(); i != given.size(); ++i) {
      placeOfObject[given[i].object.ptr()] = static_cast<unsigned>(i);
      placeOfTensor[given[i].tensor.get()] = static_cast<unsigned>(i);
    }
}

/// Returns what was noted of an object of torch's, or null.
const TorchCall::Given *TorchCall::givenFor(nb::handle object) const {
  if (given.size() > few) {
    const auto found = placeOfObject.find(object.ptr());
    return found == placeOfObject.end() ? nullptr : &given[found->second];
  }
  const auto *found = llvm::find_if(given, [&](const Given &one) { return one.object.ptr() == object.ptr(); });
  return found == given.end() ? nullptr : found;
}

/// Returns what was noted of an object that was shared as a tensor, or null.
const TorchCall::Given *TorchCall::givenAs(const Tensor &tensor) const {
  if (given.size() > few) {
    const auto found = placeOfTensor.find(tensor.get());
    return found == placeOfTensor.end() ? nullptr : &given[found->second];
  }
  const auto *found = llvm::find_if(given, [&](const Given &one) { return one.tensor.isSameAs(tensor); });
  return found == given.end() ? nullptr : found;
}

bool TorchCall::share(nb::handle object, IValue &value) {
  if (const Given *known = givenFor(object)) {
    value = known->tensor;
    return true;
  }
  Given made;
  made.object = nb::borrow(object);
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
  noteGiven(std::move(made));
  return true;
}

bool TorchCall::takeDict(nb::handle dict, IValue &value, unsigned depth) {
  auto made = makeRef<DictValue>(Type::anyType(), Type::anyType());
  const bool isTaken = allItems(dict, [&](nb::handle key, nb::handle element) {
    IValue takenKey, taken;
    if (key.is_none() || !take(key, takenKey, deepestTold) || !take(element, taken, depth + 1))
      return false;
    made->set(std::move(takenKey), std::move(taken));
    return true;
  });
  value = IValue(std::move(made));
  return isTaken;
}

bool TorchCall::take(nb::handle object, IValue &value, unsigned depth) {
  if (torch.isTensor(object))
    return share(object, value);
  if (isNumberOrText(object)) {
    value = toIValue(object, callee.program.get());
    return true;
  }
  if (depth == deepestTold)
    return false;
  if (isExactDict(object))
    return takeDict(object, value, depth);
  if (!isExactList(object) && !isExactTuple(object))
    return false;
  std::vector<IValue> elements;
  if (!allElements(object, [&](nb::handle one) { return take(one, elements.emplace_back(), depth + 1); }))
    return false;
  value = isExactTuple(object) ? makeTuple(std::move(elements)) : makeListOf(std::move(elements));
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

/// Whether a value is made of tensors, numbers and texts in lists, tuples and dicts. Notes the tensors that require
/// gradients.
bool TorchCall::isUsual(const IValue &value, unsigned depth) {
  switch (value.getTag()) {
  case IValue::Tag::Tensor:
    if (value.toTensor().defined() && value.toTensor().requiresGrad())
      histories.insert({value.toTensor().get(), {value.toTensor(), nb::object()}});
    return true;
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
      if (depth == deepestTold || !isUsual(value.listElement(i), depth + 1))
        return false;
    return true;
  case IValue::Tag::Dict: {
    bool isMadeOfUsual = depth != deepestTold;
    if (isMadeOfUsual)
      value.toDict().forEach([&](const IValue &key, const IValue &one) {
        isMadeOfUsual = isMadeOfUsual && isUsual(key, depth + 1) && isUsual(one, depth + 1);
      });
    return isMadeOfUsual;
  }
  case IValue::Tag::Tuple: {
    const TupleValue &tuple = value.toTuple();
    return depth != deepestTold && !(tuple.type && tuple.type->isNamed()) &&
           llvm::all_of(tuple.elements, [&](const IValue &one) { return isUsual(one, depth + 1); });
  }
  default: return false;
  }
}

/// Lets torch record the code as one function, with torch's tensors for what it has computed: torch's backward goes on
/// through that. Returns false, and does nothing, where compiled code has made leaves of its own.
bool TorchCall::recordHistories() {
  nb::list inputs, ofTorch, outputs;
  forEachLeaf([&](nb::handle object, const Tensor &made) {
    if (auto found = histories.find(made.get()); found != histories.end())
      found->second.second = nb::borrow(object);
    inputs.append(wrapTensor(made));
    ofTorch.append(object);
  });
  for (auto &[place, one] : histories)
    if (!one.second.is_valid()) {
      if (Tape::isLeaf(one.first))
        return false;
      outputs.append(wrapTensor(one.first));
    }
  if (nb::len(outputs) == 0)
    return true;
  nb::object recorded = torch.record(outputs, inputs, *ofTorch);
  Py_ssize_t next = 0;
  for (auto &[place, one] : histories)
    if (!one.second.is_valid())
      one.second = recorded[next++];
  return true;
}

/// Returns torch's tensor for one of tsc's: the same one that was given, where that comes back.
nb::object TorchCall::toTorch(const Tensor &tensor) const {
  if (const auto *found = histories.find(tensor.get()); found != histories.end())
    return found->second.second;
  const Given *known = givenAs(tensor);
  if (known && tensor.get()->storage && tensor.data() == known->place.data &&
      tensor.sizes() == ArrayRef<int64_t>(known->place.sizes) &&
      tensor.strides() == ArrayRef<int64_t>(known->place.strides))
    return known->object;
  return torch.make(tensor);
}

/// Returns what Python is given for a value of which isUsual() holds.
nb::object TorchCall::toTorch(const IValue &value) const {
  if (value.isTensor())
    return value.toTensor().defined() ? toTorch(value.toTensor()) : nb::none();
  if (value.getTag() == IValue::Tag::TensorList || value.getTag() == IValue::Tag::GenericList) {
    const size_t size = value.listSize();
    nb::object list = owned(PyList_New(static_cast<Py_ssize_t>(size)));
    for (size_t i = 0; i != size; ++i)
      PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(i), toTorch(value.listElement(i)).release().ptr());
    return list;
  }
  if (value.getTag() == IValue::Tag::Tuple) {
    const std::vector<IValue> &elements = value.toTuple().elements;
    nb::object tuple = owned(PyTuple_New(static_cast<Py_ssize_t>(elements.size())));
    for (auto [i, element] : llvm::enumerate(elements))
      PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), toTorch(element).release().ptr());
    return tuple;
  }
  if (value.getTag() == IValue::Tag::Dict) {
    nb::object dict = owned(PyDict_New());
    value.toDict().forEach([&](const IValue &key, const IValue &one) {
      if (PyDict_SetItem(dict.ptr(), toTorch(key).ptr(), toTorch(one).ptr()) != 0)
        raiseCurrent();
    });
    return dict;
  }
  return toPython(value, callee.program);
}

/// Returns what Python is given for a result.
nb::object TorchCall::give(const IValue &result) {
  const bool isMadeHere = isUsual(result) && (histories.empty() || recordHistories());
  nb::object made = isMadeHere ? toTorch(result) : finish(result);
  histories.clear();
  return made;
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
    nb::object made = give(result);
    result = IValue();
    keepWhatIsUsed();
    return made;
  } catch (...) {
    histories.clear();
    keepWhatIsUsed();
    throw;
  }
}

/// Lets compiled code have the tensors of live modules as they are now. Returns false where one has no elements in
/// memory, such as one that torch.func wraps.
static bool refreshAll(llvm::ArrayRef<SharedTensor *> shared) {
  try {
    for (SharedTensor *one : shared)
      one->refresh();
  } catch (nb::python_error &error) { // Python's code says what is wrong with it, or lets torch make the call
    if (!error.matches(PyExc_RuntimeError) && !error.matches(PyExc_TypeError))
      throw;
    return false;
  }
  return true;
}

TorchResult bindings::callWithTorch(Callee &callee, llvm::ArrayRef<SharedTensor *> shared,
                                    const CallArguments &arguments, bool needsTensor) {
  const TorchLibrary *torch = TorchLibrary::get();
  const ThreadState &thread = ThreadState::get();
  if (!torch || thread.trace || thread.isTraced)
    return {};
  bool hasTensor = false;
  for (size_t i = 0; i != arguments.numArgs + arguments.numKeywords(); ++i)
    if (!isUsualArgument(*torch, arguments.args[i], hasTensor))
      return {};
  if ((needsTensor && !hasTensor) || !torch->isUninvolved())
    return {};
  const Callee::Traits traits = callee.traits();
  if (traits.mayDraw || traits.usesGradients || traits.callsPython)
    return {};
  if (!refreshAll(shared))
    return {};
  ClearsReleased clears;
  auto atEnd = llvm::make_scope_exit([] { clearReleased(); }); // also where the call fails
  TorchCall call(*torch, callee, shared);
  if (!call.take(arguments))
    return {};
  nb::object result = call.run();
  return {std::move(result), call.isGivenGradients()};
}
