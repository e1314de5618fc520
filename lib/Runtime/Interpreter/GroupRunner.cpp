//===- GroupRunner.cpp - Runs one fusion group ----------------------------===//
#include "GroupRunner.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/PointwiseKinds.h"
#include "tsc/Runtime/Dispatch/RequiresGrad.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "llvm/Support/Path.h"

using namespace tsc;

/// Elements from which it pays to plan a walk over blocks; below, the operators' own loops are as good.
static constexpr int64_t worthBlocks = 8192;

namespace tsc {

/// Translates a group whose nodes are all point-wise; null for any other.
class BlockwiseBuilder {
public:
  explicit BlockwiseBuilder(const Graph &group) : group(group), made(std::make_unique<GroupRunner::Blockwise>()) {}

  std::unique_ptr<GroupRunner::Blockwise> build() {
    for (const Node &node : group.block().nodes())
      if (node.kind() != prim::Constant && !addStep(node))
        return nullptr;
    for (const Value *output : group.outputs())
      if (!steps.contains(output))
        return nullptr;
    // Numbers that come in stand after the constants.
    for (auto &[step, operand] : numberInputs)
      pending[step].operands[operand].index += made->constants.size();
    for (PointwiseProgram::Step &step : pending)
      made->program.addStep(std::move(step));
    for (const Value *output : group.outputs())
      made->program.addOutput(steps.at(output));
    return pending.empty() ? nullptr : std::move(made);
  }

private:
  using Operand = PointwiseProgram::Operand;

  bool addStep(const Node &node) {
    auto kind = pointwiseKindOf(node.opKind());
    if (!kind || pointwiseParams(*kind).size() != node.numInputs())
      return false;
    PointwiseProgram::Step step{*kind, {}};
    for (unsigned i = 0; i != node.numInputs(); ++i) {
      auto operand = operandFor(node.input(i), pointwiseParams(*kind)[i].kind);
      if (!operand)
        return false;
      if (operand->kind == Operand::Number && !isConstant(node.input(i)))
        numberInputs.push_back({pending.size(), i});
      step.operands.push_back(std::move(*operand));
    }
    steps[node.output()] = static_cast<unsigned>(pending.size());
    pending.push_back(std::move(step));
    return true;
  }

  std::optional<Operand> operandFor(const Value *value, PointwiseParam::Kind kind) {
    if (auto constant = constantValue(value))
      return constantOperand(*constant, kind);
    if (auto step = steps.find(value); step != steps.end())
      return kind == PointwiseParam::Tensor ? std::optional(Operand{Operand::Step, step->second, {}}) : std::nullopt;
    if (value->node() != &group.block().paramNode() || (kind == PointwiseParam::Tensor) != value->type()->isTensor())
      return std::nullopt;
    if (kind == PointwiseParam::Text)
      return std::nullopt;
    bool isTensor = kind == PointwiseParam::Tensor;
    return Operand{isTensor ? Operand::Input : Operand::Number,
                   isTensor ? numberOf(made->tensors, value->offset()) : numberOf(made->numbers, value->offset()),
                   {}};
  }

  std::optional<Operand> constantOperand(const IValue &constant, PointwiseParam::Kind kind) {
    if (constant.isNone())
      return Operand{};
    if (kind == PointwiseParam::Text)
      return constant.isString() ? std::optional(Operand{Operand::Text, 0, constant.toString()}) : std::nullopt;
    bool isNumber = constant.isInt() || constant.isDouble() || constant.isBool();
    if (kind == PointwiseParam::Tensor || !isNumber)
      return std::nullopt;
    made->constants.push_back(constant.toScalar());
    return Operand{Operand::Number, static_cast<unsigned>(made->constants.size() - 1), {}};
  }

  /// The position of a group's input among those of its kind.
  template <typename List> static unsigned numberOf(List &list, unsigned input) {
    auto *at = llvm::find(list, input);
    if (at == list.end()) {
      list.push_back(input);
      return static_cast<unsigned>(list.size() - 1);
    }
    return static_cast<unsigned>(at - list.begin());
  }

  const Graph &group;
  std::unique_ptr<GroupRunner::Blockwise> made;
  std::vector<PointwiseProgram::Step> pending;
  llvm::DenseMap<const Value *, unsigned> steps;
  llvm::SmallVector<std::pair<size_t, unsigned>, 2> numberInputs; ///< Step and operand.
};

} // namespace tsc

/// Whether the node's result can require a gradient; none when its dtype is not known.
static std::optional<bool> canRequireGrad(const Value *result) {
  if (const auto *type = llvm::dyn_cast<TensorType>(result->type()); type && type->facts().dtype)
    return isFloating(*type->facts().dtype) || isComplex(*type->facts().dtype);
  const Node *node = result->node();
  if (node->hasTrait(Trait::KeepsDtype) || node->hasTrait(Trait::Promotes))
    return true; // if that of an operand can
  return std::nullopt;
}

static std::optional<std::vector<llvm::SmallBitVector>> findGradientInputs(const Graph &group) {
  unsigned count = group.inputs().size();
  llvm::DenseMap<const Value *, llvm::SmallBitVector> sources;
  for (auto [i, input] : llvm::enumerate(group.inputs())) {
    llvm::SmallBitVector &own = sources[input];
    own.resize(count);
    own.set(i);
  }
  for (const Node &node : group.block().nodes()) {
    uint32_t operands = gradientOperands(node);
    llvm::SmallBitVector all(count);
    for (unsigned i = 0; i != node.numInputs(); ++i)
      if (node.kind() == prim::ListConstruct || (i < 32 && operands >> i & 1))
        if (auto known = sources.find(node.input(i)); known != sources.end())
          all |= known->second;
    if (all.none())
      continue;
    for (const Value *output : node.outputs()) {
      std::optional<bool> can = node.kind() == prim::ListConstruct ? true : canRequireGrad(output);
      if (!can)
        return std::nullopt;
      if (*can)
        sources[output] = all;
    }
  }
  std::vector<llvm::SmallBitVector> found;
  for (const Value *output : group.outputs()) {
    auto known = sources.find(output);
    found.push_back(known == sources.end() ? llvm::SmallBitVector(count) : known->second);
  }
  return found;
}

std::string tsc::describeOperators(const Graph &graph) {
  std::string text;
  SourceRange first;
  for (const Node &node : graph.block().nodes())
    if (node.kind() != prim::Constant) {
      text += (text.empty() ? "" : ", ") + node.kind().qualified().str();
      first = first.isValid() ? first : node.range();
    }
  if (first.isValid())
    text += (llvm::Twine(" (") + llvm::sys::path::filename(first.buffer()->name()) + ":" +
             llvm::Twine(first.lineColumn().line) + ")")
                .str();
  return text;
}

GroupRunner::GroupRunner(const Graph &group, const FuserRegistry &fusers) {
  gradientInputs = findGradientInputs(group);
  for (const auto &[device, fuser] : fusers)
    if (std::shared_ptr<FusedGroup> found = fuser->get(group))
      fused.emplace_back(device, std::move(found));
  blockwise = BlockwiseBuilder(group).build();
  text = describeOperators(group);
}

StatusOr<bool> GroupRunner::run(CallContext &context, llvm::ArrayRef<const IValue *> inputs, IValue *results) const {
  if (!context.gradMode || llvm::none_of(inputs, [](const IValue *input) { return requiresGrad(*input); })) [[likely]]
    return runTiers(context, inputs, results);
  if (!gradientInputs)
    return false;
  TSC_ASSIGN_OR_RETURN(bool done, runTiers(context, inputs, results));
  if (!done)
    return false;
  for (auto [i, from] : llvm::enumerate(*gradientInputs))
    if (llvm::any_of(from.set_bits(), [&](unsigned input) { return requiresGrad(*inputs[input]); }))
      setRequiresGrad(results[i], /*writes=*/false, inputs);
  return true;
}

FusedGroup *GroupRunner::fusedFor(llvm::ArrayRef<const IValue *> inputs) const {
  if (fused.empty())
    return nullptr;
  if (fused.size() == 1) // it looks at the devices of its operands itself
    return fused.front().second.get();
  const auto *first = llvm::find_if(inputs, [](const IValue *input) { return input->isTensor(); });
  DeviceKind device = first == inputs.end() ? DeviceKind::CPU : (*first)->asTensor().device().kind;
  for (const auto &[kind, group] : fused)
    if (kind == device)
      return group.get();
  return nullptr;
}

/// That the plain nodes can run: their kernels are the processor's. (A number that the processor holds as a tensor may
/// go along with tensors of any device.)
static Status checkDevices(const CallContext &context, llvm::ArrayRef<const IValue *> inputs) {
  Device found;
  const Tensor *first = nullptr;
  for (const IValue *input : inputs) {
    if (!input->isTensor() || !input->asTensor().defined())
      continue;
    const Tensor &tensor = input->asTensor();
    Device device = tensor.device();
    if (tensor.dim() == 0 && device.kind == DeviceKind::CPU)
      continue;
    if (first && !(device == found))
      return invalidArgument("Expected all tensors to be on the same device, but found at least two devices, " +
                             found.str() + " and " + device.str() + "!");
    first = &tensor, found = device;
  }
  if (found.kind != DeviceKind::CPU && !acceleratorOf(context.context()))
    return unimplemented("no fuser of " + found.str() +
                         " takes these operands, and operators one by one run on the processor alone");
  return okStatus();
}

StatusOr<bool> GroupRunner::runTiers(CallContext &context, llvm::ArrayRef<const IValue *> inputs,
                                     IValue *results) const {
  if (FusedGroup *group = fusedFor(inputs)) {
    StatusOr<bool> done = group->run(context, inputs, results);
    if (!done.ok() || *done)
      return done;
  }
  TSC_RETURN_IF_ERROR(checkDevices(context, inputs));
  return blockwise ? runBlockwise(inputs, results) : false;
}

StatusOr<bool> GroupRunner::runBlockwise(llvm::ArrayRef<const IValue *> inputs, IValue *results) const {
  int64_t largest = 0;
  llvm::SmallVector<Tensor, 8> tensors;
  for (unsigned number : blockwise->tensors) {
    if (!inputs[number]->isTensor() || !inputs[number]->asTensor().defined() ||
        inputs[number]->asTensor().device().kind != DeviceKind::CPU)
      return false;
    tensors.push_back(inputs[number]->asTensor());
    largest = std::max(largest, tensors.back().numel());
  }
  if (largest < worthBlocks)
    return false;
  llvm::SmallVector<Scalar, 8> numbers(blockwise->constants.begin(), blockwise->constants.end());
  for (unsigned number : blockwise->numbers)
    numbers.push_back(inputs[number]->toScalar());
  StatusOr<std::vector<Tensor>> made = blockwise->program.run(tensors, numbers);
  if (!made.ok())
    return false; // the plain nodes tell which operator refuses
  for (Tensor &tensor : *made)
    *results++ = IValue(std::move(tensor));
  return true;
}
