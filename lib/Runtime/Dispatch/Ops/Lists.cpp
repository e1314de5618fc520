//===- Lists.cpp - Kernels of List[T] -------------------------------------===//
//
// A list is stored as a vector of int64_t, double, bytes, Tensors or IValues;
// `visit` gives the vector, whichever it is, and each kernel is written once.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/IValue.h"
#include "tsc/Python/Slices.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/Ops/Comparison.h"
#include "tsc/Runtime/Dispatch/Ops/Containers.h"
#include "tsc/Support/WorkMeter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

namespace {

/// Calls f with the vector of elements of a list, which f may make longer.
template <typename T, typename F> auto visitElements(ListValue<T> &list, F &&f) {
  auto noted = llvm::make_scope_exit([&] { list.noteSize(); });
  return f(list.elements);
}
template <typename F> auto visit(const IValue &list, F &&f) {
  switch (list.getTag()) {
  case IValue::Tag::IntList: return visitElements(list.toIntList(), f);
  case IValue::Tag::DoubleList: return visitElements(list.toDoubleList(), f);
  case IValue::Tag::BoolList: return visitElements(list.toBoolList(), f);
  case IValue::Tag::TensorList: return visitElements(list.toTensorList(), f);
  default: return f(list.toGenericList().elements);
  }
}
template <typename V> using ElementOf = typename std::remove_reference_t<V>::value_type;

/// An element as the vector holds it, out of a value, and back.
template <typename T> T unboxed(const IValue &value) {
  if constexpr (std::is_same_v<T, int64_t>)
    return value.toInt();
  else if constexpr (std::is_same_v<T, double>)
    return value.toDouble();
  else if constexpr (std::is_same_v<T, uint8_t>)
    return value.toBool();
  else if constexpr (std::is_same_v<T, Tensor>)
    return value.toTensor();
  else
    return value;
}
template <typename T> IValue boxed(const T &element) {
  if constexpr (std::is_same_v<T, uint8_t>)
    return IValue(element != 0);
  else
    return IValue(element);
}
template <typename T> bool sameElement(const T &a, const T &b) {
  if constexpr (std::is_same_v<T, IValue>)
    return valuesEqual(a, b);
  else if constexpr (std::is_same_v<T, Tensor>)
    return a.isSameAs(b);
  else
    return a == b;
}
template <typename T> bool lessElement(const T &a, const T &b) {
  if constexpr (std::is_same_v<T, IValue>)
    return a.isString() && b.isString() && a.toString() < b.toString();
  else if constexpr (std::is_same_v<T, Tensor>)
    return false;
  else
    return a < b;
}

/// A list of the same representation (and element type) with these elements.
template <typename T> IValue likeList(const IValue &model, std::vector<T> elements) {
  work::count(static_cast<int64_t>(elements.size()));
  if constexpr (std::is_same_v<T, IValue>)
    return IValue(makeRef<GenericList>(model.toGenericList().elementType, std::move(elements)));
  else
    return IValue(makeRef<ListValue<T>>(std::move(elements)));
}

/// 0 <= index < size after counting from the end, or IndexError.
StatusOr<size_t> wrapIndex(int64_t index, size_t size, const char *message = "list index out of range") {
  const std::optional<int64_t> place = python::elementPlace(index, static_cast<int64_t>(size));
  if (!place)
    return outOfRange(message);
  return static_cast<size_t>(*place);
}

/// Those behind it move.
template <typename V> void eraseAt(V &elements, size_t at) {
  work::count(static_cast<int64_t>(elements.size() - at));
  elements.erase(elements.begin() + at);
}

constexpr size_t maxListLength = size_t{1} << 31;

/// For lists whose length is a number of the program's.
bool hasRoomFor(size_t length, size_t elementSize) {
  return length <= maxListLength && memory::hasRoom(length * elementSize);
}

} // namespace

Status ops::listLength(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = static_cast<int64_t>(args[0]->listSize());
  return okStatus();
}
Status ops::listGet(CallContext &, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(size_t at, wrapIndex(args[1]->toInt(), args[0]->listSize()));
  results[0] = args[0]->listElement(at);
  return okStatus();
}
Status ops::listSet(CallContext &, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(size_t at, wrapIndex(args[1]->toInt(), args[0]->listSize()));
  visit(*args[0], [&](auto &v) { v[at] = unboxed<ElementOf<decltype(v)>>(*args[2]); });
  results[0] = *args[0];
  return okStatus();
}
Status ops::listDelete(CallContext &, const IValue *const *args, IValue *) {
  TSC_ASSIGN_OR_RETURN(size_t at, wrapIndex(args[1]->toInt(), args[0]->listSize()));
  visit(*args[0], [&](auto &v) { eraseAt(v, at); });
  return okStatus();
}
Status ops::listAppend(CallContext &, const IValue *const *args, IValue *results) {
  visit(*args[0], [&](auto &v) { v.push_back(unboxed<ElementOf<decltype(v)>>(*args[1])); });
  results[0] = *args[0];
  return okStatus();
}

/// Appends the elements of one list to another of the same type; they may be the same list.
static Status appendAll(const IValue &to, const IValue &from) {
  if (to.getTag() != from.getTag())
    return invalidArgument("a list can only be extended by one of the same element type");
  return visit(to, [&](auto &v) -> Status {
    using T = ElementOf<decltype(v)>;
    if (!hasRoomFor(v.size() + from.listSize(), sizeof(T)))
      return resourceExhausted("MemoryError: a list of " + llvm::Twine(v.size() + from.listSize()) + " elements");
    work::count(static_cast<int64_t>(from.listSize()));
    std::vector<T> copy = visit(from, [](auto &w) {
      if constexpr (std::is_same_v<ElementOf<decltype(w)>, T>)
        return w;
      else
        return std::vector<T>();
    });
    v.insert(v.end(), copy.begin(), copy.end());
    return okStatus();
  });
}
Status ops::listExtend(CallContext &, const IValue *const *args, IValue *) { return appendAll(*args[0], *args[1]); }
Status ops::listExtendInPlace(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = *args[0];
  return appendAll(*args[0], *args[1]);
}
Status ops::listCopy(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = visit(*args[0], [&](auto &v) { return likeList(*args[0], v); });
  return okStatus();
}
Status ops::listConcat(CallContext &context, const IValue *const *args, IValue *results) {
  // An empty list literal may have been given another representation; the other operand decides then.
  bool isFirstEmpty = args[0]->listSize() == 0;
  const IValue &model = isFirstEmpty ? *args[1] : *args[0];
  results[0] = visit(model, [&](auto &v) { return likeList(model, v); });
  return isFirstEmpty || args[1]->listSize() == 0 ? okStatus() : appendAll(results[0], *args[1]);
}
Status ops::listInsert(CallContext &, const IValue *const *args, IValue *) {
  int64_t size = static_cast<int64_t>(args[0]->listSize());
  const int64_t at = python::insertionPlace(args[1]->toInt(), size);
  work::count(size - at);
  visit(*args[0], [&](auto &v) { v.insert(v.begin() + at, unboxed<ElementOf<decltype(v)>>(*args[2])); });
  return okStatus();
}
Status ops::listPop(CallContext &, const IValue *const *args, IValue *results) {
  if (args[0]->listSize() == 0)
    return outOfRange("pop from empty list");
  TSC_ASSIGN_OR_RETURN(size_t at, wrapIndex(args[1]->toInt(), args[0]->listSize(), "pop index out of range"));
  visit(*args[0], [&](auto &v) {
    results[0] = boxed(v[at]);
    eraseAt(v, at);
  });
  return okStatus();
}
Status ops::listClear(CallContext &, const IValue *const *args, IValue *) {
  work::count(static_cast<int64_t>(args[0]->listSize()));
  visit(*args[0], [](auto &v) { v.clear(); });
  return okStatus();
}
Status ops::listReverse(CallContext &, const IValue *const *args, IValue *) {
  work::count(static_cast<int64_t>(args[0]->listSize()));
  visit(*args[0], [](auto &v) { std::reverse(v.begin(), v.end()); });
  return okStatus();
}

Status ops::listSlice(CallContext &, const IValue *const *args, IValue *results) {
  const int64_t step = args[3]->toInt();
  if (step == 0)
    return invalidArgument("List slice should have non-zero step");
  if (step == std::numeric_limits<int64_t>::min())
    return invalidArgument("List slice step is out of bounds");
  auto bound = [](const IValue &given) {
    return given.isNone() ? std::nullopt : std::optional<int64_t>(given.toInt());
  };
  const python::SliceElements taken =
      python::sliceElements(bound(*args[1]), bound(*args[2]), step, static_cast<int64_t>(args[0]->listSize()));
  results[0] = visit(*args[0], [&](auto &v) {
    std::vector<ElementOf<decltype(v)>> part;
    for (int64_t i = 0; i != taken.count; ++i)
      part.push_back(v[taken[i]]);
    return likeList(*args[0], std::move(part));
  });
  return okStatus();
}

/// The elements n times over.
static StatusOr<IValue> repeated(const IValue &list, int64_t n) {
  return visit(list, [&](auto &v) -> StatusOr<IValue> {
    std::vector<ElementOf<decltype(v)>> all;
    size_t times = std::max<int64_t>(n, 0);
    if (!v.empty() &&
        (times > maxListLength / v.size() || !hasRoomFor(v.size() * times, sizeof(ElementOf<decltype(v)>))))
      return resourceExhausted("MemoryError: a list of " + llvm::Twine(v.size()) + " elements repeated " +
                               llvm::Twine(n) + " times");
    all.reserve(v.size() * times);
    for (size_t i = 0; !v.empty() && i != times; ++i)
      all.insert(all.end(), v.begin(), v.end());
    return likeList(list, std::move(all));
  });
}
Status ops::listRepeat(CallContext &, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], repeated(*args[0], args[1]->toInt()));
  return okStatus();
}
Status ops::listRepeatRight(CallContext &, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], repeated(*args[1], args[0]->toInt()));
  return okStatus();
}
Status ops::listRepeatInPlace(CallContext &, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(IValue all, repeated(*args[0], args[1]->toInt()));
  visit(*args[0], [](auto &v) { v.clear(); });
  results[0] = *args[0];
  return appendAll(*args[0], all);
}

/// Tensors are equal where their only element is.
template <typename T> static StatusOr<bool> isElement(const T &element, const T &wanted) {
  if constexpr (std::is_same_v<T, Tensor>)
    return ops::singleElementEquals(element, wanted);
  else
    return sameElement(element, wanted);
}
/// Where an equal element is first; the size when there is none.
static StatusOr<size_t> positionOf(const IValue &list, const IValue &element) {
  return visit(list, [&](auto &v) -> StatusOr<size_t> {
    auto wanted = unboxed<ElementOf<decltype(v)>>(element);
    work::LongLoop turns;
    for (size_t i = 0; i != v.size() && turns.goOn(); ++i) {
      TSC_ASSIGN_OR_RETURN(bool same, isElement<ElementOf<decltype(v)>>(v[i], wanted));
      if (same)
        return i;
    }
    return v.size();
  });
}
Status ops::listRemove(CallContext &, const IValue *const *args, IValue *) {
  TSC_ASSIGN_OR_RETURN(size_t at, positionOf(*args[0], *args[1]));
  if (at == args[0]->listSize())
    return invalidArgument("list.remove(x): x not in list");
  visit(*args[0], [&](auto &v) { eraseAt(v, at); });
  return okStatus();
}
Status ops::listIndex(CallContext &, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(size_t at, positionOf(*args[0], *args[1]));
  if (at == args[0]->listSize()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    printValue(os, *args[1]);
    if (args[1]->isTensor()) { // whose type PyTorch names here as Python does
      const std::string name = irName(args[1]->asTensor().dtype()).str(), printed = "[ CPU" + name + "Type{";
      if (size_t found = text.rfind(printed); found != std::string::npos)
        text.replace(found, printed.size(), "[ torch." + name + "Tensor{");
    }
    return invalidArgument("'" + text + "' is not in list");
  }
  results[0] = static_cast<int64_t>(at);
  return okStatus();
}
Status ops::listContains(CallContext &, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(size_t at, positionOf(*args[0], *args[1]));
  results[0] = at != args[0]->listSize();
  return okStatus();
}
Status ops::listCount(CallContext &, const IValue *const *args, IValue *results) {
  return visit(*args[0], [&](auto &v) -> Status {
    auto wanted = unboxed<ElementOf<decltype(v)>>(*args[1]);
    int64_t count = 0;
    work::LongLoop turns;
    for (const auto &element : v) {
      if (!turns.goOn())
        break;
      TSC_ASSIGN_OR_RETURN(bool same, isElement<ElementOf<decltype(v)>>(element, wanted));
      count += same;
    }
    results[0] = count;
    return okStatus();
  });
}

Status ops::listEquals(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = valuesEqual(*args[0], *args[1]);
  return okStatus();
}
Status ops::listDiffers(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = !valuesEqual(*args[0], *args[1]);
  return okStatus();
}

template <typename T> static bool isTrue(const T &element) {
  if constexpr (std::is_same_v<T, IValue>)
    return element.isString() ? !element.toString().empty() : true;
  else if constexpr (std::is_same_v<T, Tensor>)
    return element.defined();
  else
    return element != 0;
}
Status ops::listAny(CallContext &, const IValue *const *args, IValue *results) {
  work::count(static_cast<int64_t>(args[0]->listSize()));
  results[0] = visit(*args[0], [](auto &v) { return llvm::any_of(v, [](const auto &e) { return isTrue(e); }); });
  return okStatus();
}
Status ops::listAll(CallContext &, const IValue *const *args, IValue *results) {
  work::count(static_cast<int64_t>(args[0]->listSize()));
  results[0] = visit(*args[0], [](auto &v) { return llvm::all_of(v, [](const auto &e) { return isTrue(e); }); });
  return okStatus();
}

Status ops::listMin(CallContext &, const IValue *const *args, IValue *results) {
  return visit(*args[0], [&](auto &v) -> Status {
    if (v.empty())
      return invalidArgument("min() arg is an empty sequence");
    work::count(static_cast<int64_t>(v.size()));
    results[0] =
        boxed(*std::min_element(v.begin(), v.end(), [](const auto &a, const auto &b) { return lessElement(a, b); }));
    return okStatus();
  });
}
Status ops::listMax(CallContext &, const IValue *const *args, IValue *results) {
  return visit(*args[0], [&](auto &v) -> Status {
    if (v.empty())
      return invalidArgument("max() arg is an empty sequence");
    work::count(static_cast<int64_t>(v.size()));
    results[0] =
        boxed(*std::max_element(v.begin(), v.end(), [](const auto &a, const auto &b) { return lessElement(a, b); }));
    return okStatus();
  });
}

Status ops::tupleIndex(CallContext &, const IValue *const *args, IValue *results) {
  if (!args[0]->isTuple())
    return invalidArgument("expected a value of type Tuple here; the program's types do not agree with its values");
  const std::vector<IValue> &elements = args[0]->toTuple().elements;
  TSC_ASSIGN_OR_RETURN(size_t at, wrapIndex(args[1]->toInt(), elements.size(), "Tuple list index out of range"));
  results[0] = elements[at];
  return okStatus();
}

/// Lists order lexicographically.
static bool lessList(const IValue &a, const IValue &b) {
  work::count(static_cast<int64_t>(std::min(a.listSize(), b.listSize())));
  return visit(a, [&](auto &v) {
    return visit(b, [&](auto &w) {
      if constexpr (std::is_same_v<decltype(v), decltype(w)>)
        return std::lexicographical_compare(v.begin(), v.end(), w.begin(), w.end(),
                                            [](const auto &x, const auto &y) { return lessElement(x, y); });
      else
        return v.empty() && !w.empty();
    });
  });
}
Status ops::lesserList(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = lessList(*args[1], *args[0]) ? *args[1] : *args[0];
  return okStatus();
}
Status ops::greaterList(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = lessList(*args[0], *args[1]) ? *args[1] : *args[0];
  return okStatus();
}

Status ops::listSum(CallContext &, const IValue *const *args, IValue *results) {
  work::count(static_cast<int64_t>(args[0]->listSize()));
  results[0] = visit(*args[0], [](auto &v) -> IValue {
    using T = ElementOf<decltype(v)>;
    if constexpr (std::is_same_v<T, double>) {
      double sum = 0;
      for (double x : v)
        sum += x;
      return sum;
    } else if constexpr (std::is_integral_v<T>) {
      uint64_t sum = 0; // wraps
      for (T x : v)
        sum += static_cast<uint64_t>(x);
      return static_cast<int64_t>(sum);
    } else {
      std::complex<double> sum = 0;
      if constexpr (std::is_same_v<T, IValue>)
        for (const IValue &x : v)
          sum += x.toScalar().toComplex();
      return sum;
    }
  });
  return okStatus();
}
Status ops::rangeList(CallContext &, const IValue *const *args, IValue *results) {
  int64_t n = std::max<int64_t>(args[0]->toInt(), 0);
  if (!hasRoomFor(static_cast<size_t>(n), sizeof(int64_t)))
    return resourceExhausted("MemoryError: a list of " + llvm::Twine(n) + " elements");
  work::count(n);
  std::vector<int64_t> numbers(n);
  for (int64_t i = 0; i != n; ++i)
    numbers[i] = i;
  results[0] = IValue(std::move(numbers));
  return okStatus();
}
