//===- Sorting.cpp - Lists in order ---------------------------------------===//
//
// Numbers and strings have an order of their own; tensors compare by their only
// element, tuples element by element, objects by __lt__. A comparison may fail
// or contradict itself (the program wrote it), so sorting merges runs and never
// relies on an order being one.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/IValue.h"
#include "tsc/Runtime/CallContext.h"
#include "tsc/Runtime/Code.h"
#include "tsc/Runtime/Ops/Comparison.h"
#include "tsc/Runtime/Ops/Containers.h"
#include "tsc/Runtime/Ops/Prims.h"
#include "tsc/Runtime/Unboxing.h"
#include "tsc/Support/WorkMeter.h"
using namespace tsc;

static StatusOr<bool> compareTensors(PointwiseKind kind, const Tensor &a, const Tensor &b) {
  const IValue values[] = {IValue(a), IValue(b)};
  const IValue *args[] = {&values[0], &values[1]};
  IValue result;
  TSC_RETURN_IF_ERROR(unboxing::pointwise(kind, args, &result));
  return ops::tensorToBool(result.asTensor());
}
StatusOr<bool> ops::singleElementEquals(const Tensor &a, const Tensor &b) {
  if (!a.defined() || !b.defined())
    return a.defined() == b.defined();
  return compareTensors(PointwiseKind::Aten_eq_Tensor, a, b);
}
StatusOr<bool> ops::singleElementLess(const Tensor &a, const Tensor &b) {
  return compareTensors(PointwiseKind::Aten_lt_Tensor, a, b);
}

namespace {

/// The order of values of one type.
class ValueOrder {
public:
  explicit ValueOrder(CallContext &context) : context(context) {}

  /// Whether a list of values like this one can be sorted; refuses with PyTorch's words.
  Status check(const IValue &value) {
    if (value.isTuple()) {
      for (const IValue &element : value.toTuple().elements)
        if (!isOrdered(element) && !value.toTuple().elements.empty())
          return invalidArgument("Contained elements in " + typeText(value) +
                                 " are not sortable. Only Int, Bool, Float, String, Tensor, a User Defined "
                                 "Class with __lt__ method defined or Tuples of aforementionted types can be sorted.");
      return okStatus();
    }
    if (value.isObject() && !lessMethod(value))
      return invalidArgument("To sort a list of " + typeText(value) +
                             " it must define a __lt__ method with two inputs of type " + typeText(value) +
                             " that returns a bool");
    if (!isOrdered(value))
      return invalidArgument("Only list of Tensors, ints, floats, bools, strs, a User Defined Class that defines the "
                             "__lt__ compare method or Tuples of "
                             "aforementioned types can be sorted, got list of " +
                             typeText(value));
    return okStatus();
  }

  StatusOr<bool> less(const IValue &a, const IValue &b) {
    if (a.isTuple() && b.isTuple())
      return lessTuple(a.toTuple().elements, b.toTuple().elements);
    if (a.getTag() != b.getTag())
      return invalidArgument("Only values of same type can be compared. Found " + typeText(a) + " and " + typeText(b));
    switch (a.getTag()) {
    case IValue::Tag::Bool:
    case IValue::Tag::Int: return a.toInt() < b.toInt();
    case IValue::Tag::Double: return a.toDouble() < b.toDouble();
    case IValue::Tag::String: return a.toString() < b.toString();
    case IValue::Tag::Tensor: return ops::singleElementLess(a.asTensor(), b.asTensor());
    case IValue::Tag::Object: return lessObject(a, b);
    default: return refusal(a);
    }
  }

  std::string typeText(const IValue &value) {
    const Type *type = value.dynamicType(context.context());
    return type ? type->annotation() : "unknown";
  }

private:
  /// __lt__ of two objects of the class that gives a bool; null when there is none.
  static Function *lessMethod(const IValue &object) {
    const ClassType *type = object.toObject().type;
    Function *method = type->findMethod("__lt__");
    if (!method || !method->hasSchema())
      return nullptr;
    ArrayRef<Argument> parameters = method->schema().arguments(), results = method->schema().returns();
    bool fits = parameters.size() == 2 && parameters[1].type == type && (results.empty() || results[0].type->isBool());
    return fits ? method : nullptr;
  }
  Status refusal(const IValue &value) {
    Status why = check(value);
    return why.ok() ? invalidArgument("values of type " + typeText(value) + " have no order") : why;
  }
  static bool isOrdered(const IValue &value) {
    if (value.isTuple())
      return llvm::all_of(value.toTuple().elements, isOrdered);
    if (value.isObject())
      return lessMethod(value);
    return value.isBool() || value.isInt() || value.isDouble() || value.isString() || value.isTensor();
  }
  StatusOr<bool> equal(const IValue &a, const IValue &b) {
    return a.isTensor() && b.isTensor() ? ops::singleElementEquals(a.asTensor(), b.asTensor()) : valuesEqual(a, b);
  }
  StatusOr<bool> lessTuple(const std::vector<IValue> &a, const std::vector<IValue> &b) {
    for (size_t i = 0; i != std::min(a.size(), b.size()); ++i) {
      TSC_ASSIGN_OR_RETURN(bool same, equal(a[i], b[i]));
      if (!same)
        return less(a[i], b[i]);
    }
    return a.size() < b.size();
  }
  StatusOr<bool> lessObject(const IValue &a, const IValue &b) {
    Function *method = lessMethod(a);
    if (!method)
      return refusal(a);
    if (!context.site || !context.site->codes)
      return unimplemented("objects are compared only by a running program");
    TSC_ASSIGN_OR_RETURN(const Code *code, context.site->codes->get(*method));
    const CallSite *site = context.site;
    StatusOr<std::vector<IValue>> results = code->run(context, {a, b});
    context.site = site;
    if (!results.ok())
      return results.status();
    if (results->size() != 1 || !results->front().isBool())
      return refusal(a);
    return results->front().toBool();
  }

  CallContext &context;
};

/// Stable; `less` is asked O(n log n) times and may fail.
template <typename T, typename Less> Status mergeSort(std::vector<T> &v, Less less) {
  std::vector<T> merged(v.size());
  work::LongLoop turns(4);
  for (size_t width = 1; width < v.size(); width *= 2) {
    for (size_t begin = 0; begin < v.size(); begin += 2 * width) {
      size_t middle = std::min(begin + width, v.size()), end = std::min(begin + 2 * width, v.size());
      size_t left = begin, right = middle;
      for (size_t to = begin; to != end; ++to) {
        if (!turns.goOn())
          return work::stopped();
        bool takeRight = left == middle;
        if (!takeRight && right != end) {
          TSC_ASSIGN_OR_RETURN(takeRight, less(v[right], v[left]));
        }
        merged[to] = std::move(v[takeRight ? right++ : left++]);
      }
    }
    v.swap(merged);
  }
  return okStatus();
}

template <typename T, typename Less> Status sortVector(std::vector<T> &v, bool descending, Less less) {
  std::vector<T> sorted = v; // a failure leaves the list as it was
  TSC_RETURN_IF_ERROR(mergeSort(
      sorted, [&](const T &a, const T &b) -> StatusOr<bool> { return descending ? less(b, a) : less(a, b); }));
  v = std::move(sorted);
  return okStatus();
}

template <typename T> void sortNumbers(std::vector<T> &v, bool descending) {
  work::count(8 * static_cast<int64_t>(v.size()));
  std::stable_sort(v.begin(), v.end(), [&](const T &a, const T &b) { return descending ? b < a : a < b; });
}

} // namespace

static Status sortElements(CallContext &context, const IValue &list, bool descending) {
  switch (list.getTag()) {
  case IValue::Tag::IntList: sortNumbers(list.toIntList().elements, descending); return okStatus();
  case IValue::Tag::DoubleList: sortNumbers(list.toDoubleList().elements, descending); return okStatus();
  case IValue::Tag::BoolList: sortNumbers(list.toBoolList().elements, descending); return okStatus();
  case IValue::Tag::TensorList: return sortVector(list.toTensorList().elements, descending, ops::singleElementLess);
  default: break;
  }
  std::vector<IValue> &elements = list.toGenericList().elements;
  ValueOrder order(context);
  if (elements.empty())
    return okStatus();
  for (const IValue &element : elements)
    if (element.dynamicType(context.context()) != elements[0].dynamicType(context.context()))
      return invalidArgument("Only values of same type can be compared. Found " + order.typeText(elements[0]) +
                             " and " + order.typeText(element));
  TSC_RETURN_IF_ERROR(order.check(elements[0]));
  return sortVector(elements, descending, [&](const IValue &a, const IValue &b) { return order.less(a, b); });
}
Status ops::listSort(CallContext &context, const IValue *const *args, IValue *) {
  return sortElements(context, *args[0], args[1]->toBool());
}
Status ops::listSorted(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_RETURN_IF_ERROR(listCopy(context, args, results));
  return sortElements(context, results[0], false);
}
