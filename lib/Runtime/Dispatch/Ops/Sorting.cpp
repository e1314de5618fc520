//===- Sorting.cpp - Lists in order ---------------------------------------===//
//
// Numbers and strings have an order of their own; tensors compare by their only
// element, tuples element by element, objects by __lt__. Sorting is Python's (tsc/Python/Sorting.h).
//
//===----------------------------------------------------------------------===//
#include "tsc/Python/Sorting.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/OperatorServices.h"
#include "tsc/Runtime/Dispatch/Ops/Comparison.h"
#include "tsc/Runtime/Dispatch/Ops/Containers.h"
#include "tsc/Runtime/Dispatch/Ops/Prims.h"
#include "tsc/Runtime/Dispatch/Unboxing.h"
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
    OperatorServices *services = servicesOf(context.context());
    if (!services || !context.site || !context.site->codes)
      return unimplemented("objects are compared only by a running program");
    const CallSite *site = context.site;
    StatusOr<std::vector<IValue>> results = services->callMethod(context, *method, {a, b});
    context.site = site;
    if (!results.ok())
      return results.status();
    if (results->size() != 1 || !results->front().isBool())
      return refusal(a);
    return results->front().toBool();
  }

  CallContext &context;
};

} // namespace

static Status sortElements(CallContext &context, const IValue &list, bool descending) {
  const auto order = descending ? python::SortOrder::Descending : python::SortOrder::Ascending;
  switch (list.getTag()) {
  case IValue::Tag::IntList: python::stableSortNumbers(list.toIntList().elements, order); return okStatus();
  case IValue::Tag::DoubleList: python::stableSortNumbers(list.toDoubleList().elements, order); return okStatus();
  case IValue::Tag::BoolList: python::stableSortNumbers(list.toBoolList().elements, order); return okStatus();
  case IValue::Tag::TensorList: return python::stableSort(list.toTensorList().elements, order, ops::singleElementLess);
  default: break;
  }
  std::vector<IValue> &elements = list.toGenericList().elements;
  ValueOrder values(context);
  if (elements.empty())
    return okStatus();
  for (const IValue &element : elements)
    if (element.dynamicType(context.context()) != elements[0].dynamicType(context.context()))
      return invalidArgument("Only values of same type can be compared. Found " + values.typeText(elements[0]) +
                             " and " + values.typeText(element));
  TSC_RETURN_IF_ERROR(values.check(elements[0]));
  return python::stableSort(elements, order, [&](const IValue &a, const IValue &b) { return values.less(a, b); });
}
Status ops::listSort(CallContext &context, const IValue *const *args, IValue *) {
  return sortElements(context, *args[0], args[1]->toBool());
}
Status ops::listSorted(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_RETURN_IF_ERROR(listCopy(context, args, results));
  return sortElements(context, results[0], false);
}
