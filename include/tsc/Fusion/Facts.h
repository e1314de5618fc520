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

/// A tensor without storage; offsets count from the first element. Empty when there are too many elements.
std::optional<Tensor> tensorWithoutStorage(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, DType dtype);

class Facts {
public:
  Facts(const Group &group, Device device, CallContext &context) : group(group), device(device), context(context) {}
  /// False when the operators refuse the operands, when there is no code for such, or when some are on another device.
  bool find(ArrayRef<const IValue *> inputs);

  const Tensor &tensor(unsigned value) const { return values[value].asTensor(); }
  const IValue &value(unsigned value) const { return values[value]; }
  const PointwiseCall &call(unsigned step) const { return *calls[step]; }
  const FoldFacts &fold(unsigned step) const { return *folds[step]; }
  /// What a Fill step fills with, as an element of its result.
  const Scalar &filling(unsigned step) const { return *fillings[step]; }
  /// The results of an IndexMap or Reshape step on a tensor in place of its operand. Empty when it refuses.
  std::vector<Tensor> applyIndexMap(const GroupStep &step, const Tensor &self) const;
  /// Inputs whose value decides whether the operators take them.
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
