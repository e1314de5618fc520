//===- Facts.h - Shapes and dtypes of a group's values ----------*- C++ -*-===//
//
// What every value of a group is on given inputs, found without computing anything:
// tensors of the sizes, strides and dtypes that the operators would give, without
// storage.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSION_FACTS_H
#define TSC_FUSION_FACTS_H

#include "tsc/Fusion/Folds.h"
#include "tsc/Fusion/Group.h"
#include "tsc/Kernels/PointwiseCall.h"
#include "tsc/Support/Status.h"

namespace tsc {
class CallContext;
}

namespace tsc::fuser {

/// Returns a tensor of these sizes and strides that has no storage and whose offset is 0, or nothing when it would have
/// too many elements. Strides count elements.
std::optional<Tensor> tensorWithoutStorage(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, DType dtype);

/// The sizes, strides and dtypes that the values of a group have for given inputs.
///
/// Ownership:  borrows the group and the context of the call.
/// Threads:    one at a time.
class Facts {
public:
  Facts(const Group &group, Device device, CallContext &context) : group(group), device(device), context(context) {}
  /// Finds the facts of all values. Returns false where kernels cannot run the group: an operator refuses its operands
  /// or has no code for them, an input is on another device, or a requirement of the group does not hold. All that
  /// follows asks for true.
  bool find(ArrayRef<const IValue *> inputs);

  /// Returns a tensor without storage that shows the sizes, strides and dtype of a value, which must be a tensor.
  const Tensor &tensor(unsigned value) const {
    assert(value < values.size() && values[value].isTensor() && "the value is a tensor");
    return values[value].asTensor();
  }
  /// Returns a value: a tensor without storage, or a number, list, string or None as it is.
  const IValue &value(unsigned value) const {
    assert(value < values.size() && "a value of the group");
    return values[value];
  }
  /// Returns the scalar body, the dtypes and the shape of a Pointwise step.
  const PointwiseCall &call(unsigned step) const {
    assert(step < calls.size() && calls[step] && "a Pointwise step, of which find() has found the facts");
    return *calls[step];
  }
  /// Returns what a Fold step folds and gives.
  const FoldFacts &fold(unsigned step) const {
    assert(step < folds.size() && folds[step] && "a Fold step, of which find() has found the facts");
    return *folds[step];
  }
  /// Returns the number that a Fill step fills its result with, rounded to the result's dtype.
  const Scalar &filling(unsigned step) const {
    assert(step < fillings.size() && fillings[step] && "a Fill step, of which find() has found the facts");
    return *fillings[step];
  }
  /// Returns the results of an IndexMap or Reshape step for `self` in the place of operand 0, or no tensors where the
  /// operator refuses it.
  std::vector<Tensor> applyIndexMap(const GroupStep &step, const Tensor &self) const;
  /// Returns, for each input, whether it goes to an operator that accepts or refuses numbers by their values.
  const std::vector<bool> &checkedInputs() const { return checked; }

private:
  bool findStep(unsigned index);
  bool findPointwise(unsigned index);
  bool isReadOnce(unsigned value) const;
  bool findCast(const GroupStep &step);
  bool findRowMajor(const GroupStep &step);
  bool findReshape(const GroupStep &step);
  bool findFill(unsigned index);
  bool findJoin(const GroupStep &step);
  bool findReduction(unsigned index);
  bool findNumber(const GroupStep &step);
  Status ask(OpKind op, ArrayRef<const IValue *> args, IValue &result) const;
  bool holds(const GroupRequirement &requirement) const;

  const Group &group;
  const Device device;
  CallContext &context;
  std::vector<IValue> values;
  std::vector<std::optional<PointwiseCall>> calls;
  std::vector<std::optional<FoldFacts>> folds;
  std::vector<std::optional<Scalar>> fillings;
  std::vector<bool> checked;
};

} // namespace tsc::fuser

#endif
