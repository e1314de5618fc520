//===- DTypeRules.cpp - dtype, device and requires_grad of a result -------===//
//
// The dtype column is a list of alternatives, `dtype,self`: the first one that
// says something holds. An alternative is the name of an operand (a tensor's
// dtype, a dtype that was given, the dtype that torch.tensor gives a number), a
// dtype, or a rule of the table below; `Int if out_int32` depends on a flag and
// `Byte if self:Byte` on an operand's dtype.
//
//===----------------------------------------------------------------------===//
#include "OperatorInference.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/Promotion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tsc;
using llvm::StringRef;

namespace {
/// What an alternative says.
struct Answer {
  enum Kind : uint8_t { Absent, Unknown, Known } kind;
  DType dtype = DType::Float;
};
constexpr Answer absent{Answer::Absent}, unknown{Answer::Unknown};
Answer known(DType dtype) { return {Answer::Known, dtype}; }
} // namespace

static Answer answer(std::optional<DType> dtype) { return dtype ? known(*dtype) : unknown; }

/// What numbers of this type count as in promotion (Scalar::category); looks into lists.
static Answer numberCategory(const AbstractValue &value, const Type *type) {
  while (const auto *list = llvm::dyn_cast_or_null<ListType>(type))
    type = list->element();
  if (const auto *optional = llvm::dyn_cast_or_null<OptionalType>(type))
    type = optional->element();
  if (value.isNone())
    return absent;
  if (value.asBool() || (type && type->isBool()))
    return known(DType::Bool);
  if (value.asFloat() || (type && type->isFloat()))
    return known(DType::Float);
  if (!value.asInt().isUnknown() || (type && type->isInt()))
    return known(DType::Int64);
  return type && type->isComplex() ? known(DType::ComplexFloat) : unknown;
}

/// What torch.tensor makes of a value of this type; looks into lists.
static Answer numberDType(const AbstractValue &value, const Type *type) {
  Answer number = numberCategory(value, type);
  if (number.kind == Answer::Known && !isIntegral(number.dtype, /*includeBool=*/true))
    number.dtype = isComplex(number.dtype) ? defaultComplexDType() : defaultDType();
  return number;
}

static Answer listDType(const AbstractValue &value) {
  const auto *list = value.asList();
  if (!list || list->elements.empty())
    return unknown;
  std::optional<DType> common;
  for (const AbstractValue &element : list->elements) {
    const AbstractTensor *tensor = element.asTensor();
    if (!tensor || !tensor->dtype || (common && *common != *tensor->dtype))
      return unknown;
    common = tensor->dtype;
  }
  return known(*common);
}

static Answer operandDType(const InferredCall &call, StringRef name) {
  const AbstractValue &value = *call.operand(name);
  const Argument &argument = call.schema.arguments()[*call.schema.argumentIndex(name)];
  const Type *declared = argument.type;
  if (const auto *optional = llvm::dyn_cast<OptionalType>(declared))
    declared = optional->element();
  if (const AbstractTensor *tensor = value.asTensor())
    return answer(tensor->dtype);
  if (declared->isTensor())
    return value.isNone() ? absent : unknown;
  if (const auto *list = llvm::dyn_cast<ListType>(declared); list && list->element()->isTensor())
    return listDType(value);
  if (name == "dtype") { // given as a ScalarType or, by some overloads, an int
    if (value.isNone())
      return absent;
    auto number = value.asInt().value();
    return number && isValidDType(*number) ? known(static_cast<DType>(*number)) : unknown;
  }
  return numberDType(value, call.typeOf(name));
}

//===----------------------------------------------------------------------===//
// Promotion
//===----------------------------------------------------------------------===//

namespace {
/// What an operand may contribute to torch.result_type; more than one possibility where it is not known.
struct Contribution {
  struct Case {
    std::optional<DType> dtype; ///< Of a tensor.
    bool isZeroDim = false;
    Scalar::Kind number = Scalar::Kind::Int;
  };
  llvm::SmallVector<Case, 4> cases;
};
} // namespace

static std::optional<Contribution> tensorContribution(const AbstractTensor &tensor) {
  if (!tensor.dtype)
    return std::nullopt;
  Contribution contribution;
  if (!tensor.sizes || tensor.sizes->empty())
    contribution.cases.push_back({tensor.dtype, true});
  if (!tensor.sizes || !tensor.sizes->empty())
    contribution.cases.push_back({tensor.dtype, false});
  return contribution;
}

static Contribution numberContribution(const AbstractValue &value, const Type *type) {
  using Kind = Scalar::Kind;
  Contribution contribution;
  switch (Answer a = numberCategory(value, type); a.kind == Answer::Known ? a.dtype : DType::QInt8) {
  case DType::Bool: contribution.cases.push_back({std::nullopt, false, Kind::Bool}); break;
  case DType::Int64: contribution.cases.push_back({std::nullopt, false, Kind::Int}); break;
  case DType::Float: contribution.cases.push_back({std::nullopt, false, Kind::Double}); break;
  case DType::ComplexFloat: contribution.cases.push_back({std::nullopt, false, Kind::Complex}); break;
  default:
    for (Kind kind : {Kind::Bool, Kind::Int, Kind::Double, Kind::Complex})
      contribution.cases.push_back({std::nullopt, false, kind});
  }
  return contribution;
}

/// What the promoting operands contribute; nullopt when a tensor's dtype is unknown.
static std::optional<std::vector<Contribution>> contributions(const InferredCall &call) {
  std::vector<Contribution> all;
  auto add = [&](const AbstractTensor *tensor) {
    auto contribution = tensor ? tensorContribution(*tensor) : std::nullopt;
    if (contribution)
      all.push_back(std::move(*contribution));
    return contribution.has_value();
  };
  uint32_t promoting = shapeColumns(call.record.kind).promoting;
  for (auto [i, operand] : llvm::enumerate(call.operands)) {
    if (i >= 32 || !(promoting >> i & 1) || operand.isNone())
      continue;
    const Type *declared = call.schema.arguments()[i].type;
    if (const auto *optional = llvm::dyn_cast<OptionalType>(declared))
      declared = optional->element();
    if (declared->isTensor() && !operand.asTensor())
      return std::nullopt;
    if (const auto *list = operand.asList()) {
      for (const AbstractValue &element : list->elements)
        if (!add(element.asTensor()))
          return std::nullopt;
    } else if (llvm::isa<ListType>(declared)) {
      return std::nullopt;
    } else if (operand.asTensor()) {
      if (!add(operand.asTensor()))
        return std::nullopt;
    } else {
      all.push_back(numberContribution(operand, call.types[i]));
    }
  }
  return all;
}

/// torch.result_type of the promoting operands, when it does not depend on what is unknown.
static std::optional<DType> promotedDType(const InferredCall &call) {
  auto all = contributions(call);
  if (!all)
    return std::nullopt;
  unsigned combinations = 1;
  for (const Contribution &c : *all)
    if ((combinations *= c.cases.size()) > 64)
      return std::nullopt;
  std::optional<DType> common;
  for (unsigned i = 0; i != combinations; ++i) {
    ResultType type;
    unsigned rest = i;
    for (const Contribution &c : *all) {
      const auto &chosen = c.cases[rest % c.cases.size()];
      rest /= c.cases.size();
      chosen.dtype ? type.addTensor(*chosen.dtype, chosen.isZeroDim) : type.addNumber(chosen.number);
    }
    if (common && *common != type.get())
      return std::nullopt;
    common = type.get();
  }
  return common;
}

static Answer promoted(const InferredCall &call, DTypeRule rule) {
  // A comparison's dtype needs no operand.
  if (rule == DTypeRule::Bool)
    return known(DType::Bool);
  auto common = promotedDType(call);
  if (!common)
    return unknown;
  bool rounds = llvm::any_of(call.operands, [](const AbstractValue &v) { return v.asString(); });
  if (rule == DTypeRule::Division && !rounds)
    if (const AbstractValue *mode = call.operand("rounding_mode");
        mode && mode->isUnknown() && isIntegral(*common, true))
      return unknown;
  return known(pointwiseDTypes(rule, *common, rounds).result);
}

/// Sums of integers are int64.
static Answer sumDType(const InferredCall &call) {
  auto common = promotedDType(call);
  return common ? known(isIntegral(*common, true) ? DType::Int64 : *common) : unknown;
}

static Answer complexDType(const InferredCall &call) {
  auto common = promotedDType(call);
  return common ? known(toComplexDType(pointwiseDTypes(DTypeRule::PromoteFloat, *common, false).result)) : unknown;
}

/// What a sequence between numbers has: int64, or the default float type when one is a float.
static Answer numbersDType(const InferredCall &call) {
  for (auto [i, argument] : llvm::enumerate(call.schema.arguments())) {
    if (!argument.type->isNumber())
      continue;
    Answer number = numberDType(call.operands[i], call.types[i]);
    if (number.kind != Answer::Known || isFloating(number.dtype))
      return number;
  }
  return known(DType::Int64);
}

/// What a 0-dimensional tensor of a number has: the dtype that holds all such numbers.
static Answer numberInFull(const InferredCall &call) {
  Answer number = numberDType(call.operands.front(), call.types.front());
  if (number.kind == Answer::Known && !isIntegral(number.dtype, true))
    number.dtype = isComplex(number.dtype) ? DType::ComplexDouble : DType::Double;
  return number;
}

/// Of integers it is the sizes that say whether something is summed, in int64.
static Answer einsumDType(const InferredCall &call) {
  const Answer common = operandDType(call, "tensors");
  return common.kind == Answer::Known && isIntegral(common.dtype, true) ? unknown : common;
}

/// Of integers it depends on the reduction.
static Answer realUnlessIntegers(const InferredCall &call) {
  const Answer real = promoted(call, DTypeRule::Real);
  return real.kind == Answer::Known && isIntegral(real.dtype, true) ? unknown : real;
}

/// The default dtype; nothing where a number may be complex, which some operators make a complex tensor of.
static Answer defaultAnswer(const InferredCall &call) {
  for (auto [i, argument] : llvm::enumerate(call.schema.arguments())) {
    if (!argument.type->isNumber())
      continue;
    const Answer number = numberDType(call.operands[i], call.types[i]);
    if (number.kind != Answer::Known || isComplex(number.dtype))
      return unknown;
  }
  return known(defaultDType());
}

static Answer byRule(const InferredCall &call, StringRef name) {
  using Rule = Answer (*)(const InferredCall &);
  Rule rule = llvm::StringSwitch<Rule>(name)
                  .Case("promote", [](const InferredCall &c) { return promoted(c, DTypeRule::Promote); })
                  .Case("promote_int", [](const InferredCall &c) { return promoted(c, DTypeRule::PromoteInt); })
                  .Case("promote_float", [](const InferredCall &c) { return promoted(c, DTypeRule::PromoteFloat); })
                  .Case("bool", [](const InferredCall &c) { return promoted(c, DTypeRule::Bool); })
                  .Case("real", [](const InferredCall &c) { return promoted(c, DTypeRule::Real); })
                  .Case("real_not_int", realUnlessIntegers)
                  .Case("real_float", [](const InferredCall &c) { return promoted(c, DTypeRule::RealFloat); })
                  .Case("double", [](const InferredCall &c) { return promoted(c, DTypeRule::Double); })
                  .Case("division", [](const InferredCall &c) { return promoted(c, DTypeRule::Division); })
                  .Case("sum", sumDType)
                  .Case("einsum", einsumDType)
                  .Case("complex", complexDType)
                  .Case("numbers", numbersDType)
                  .Case("number", numberInFull)
                  .Case("default", defaultAnswer)
                  .Default(nullptr);
  return rule ? rule(call) : unknown;
}

static Answer alternative(const InferredCall &call, StringRef text) {
  auto [name, condition] = text.split(" if ");
  if (!condition.empty()) {
    auto [operandName, dtypeName] = condition.split(':');
    const AbstractValue *operand = call.operand(operandName);
    if (!operand)
      return unknown;
    if (dtypeName.empty())
      return !operand->asBool() ? unknown : *operand->asBool() ? alternative(call, name) : absent;
    const AbstractTensor *tensor = operand->asTensor();
    if (!tensor || !tensor->dtype)
      return unknown;
    return irName(*tensor->dtype) == dtypeName ? alternative(call, name) : absent;
  }
  if (name == "self" && !call.operand("self")) { // of a point-wise record: the first tensor
    auto tensors = call.tensors();
    return tensors.empty() ? unknown : answer(tensors.front()->dtype);
  }
  if (call.operand(name))
    return operandDType(call, name);
  if (auto dtype = dtypeFromIRName(name))
    return known(*dtype);
  return byRule(call, name);
}

std::optional<DType> tsc::inferDType(const InferredCall &call, StringRef column, unsigned index) {
  llvm::SmallVector<StringRef, 4> entries, alternatives;
  column.split(entries, ';');
  if (index >= entries.size())
    return std::nullopt;
  entries[index].split(alternatives, ',');
  for (StringRef text : alternatives) {
    Answer said = alternative(call, text.trim());
    if (said.kind == Answer::Known)
      return said.dtype;
    if (said.kind == Answer::Unknown)
      return std::nullopt;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Device and requires_grad
//===----------------------------------------------------------------------===//

/// The device that was asked for; else that of the operands, where a 0-dimensional CPU tensor goes with any.
std::optional<Device> tsc::inferDevice(const InferredCall &call) {
  if (const AbstractValue *device = call.operand("device"); device && !device->isNone()) {
    std::optional<Device> asked = device->asDevice() ? std::optional(*device->asDevice()) : std::nullopt;
    const bool isNumbered = asked && (asked->kind == DeviceKind::CPU || asked->index >= 0);
    return isNumbered ? asked : std::nullopt; // without a number it is the host's choice
  }
  if (call.hasUnknownTensor())
    return std::nullopt;
  if (call.has(Trait::MovesDevice) &&
      !call.schema.deviceArgument()) { // to that of the last operand, or to a kind of device
    if (call.tensors().size() > 1)
      return call.tensors().back()->device;
    return deviceKindOf(call.record.kind) == DeviceKind::CPU ? std::optional(Device()) : std::nullopt;
  }
  std::optional<Device> common, zeroDim;
  for (const AbstractTensor *tensor : call.tensors()) {
    if (!tensor->device)
      return std::nullopt;
    bool follows = tensor->device->kind == DeviceKind::CPU && tensor->sizes && tensor->sizes->empty();
    std::optional<Device> &into = follows ? zeroDim : common;
    if (into && !(*into == *tensor->device))
      return std::nullopt;
    into = tensor->device;
  }
  if (common || zeroDim)
    return common ? common : zeroDim;
  return Device();
}

std::optional<bool> tsc::inferRequiresGrad(const InferredCall &call, std::optional<DType> dtype) {
  if (const AbstractValue *asked = call.operand("requires_grad"))
    return asked->asBool() ? std::optional(*asked->asBool()) : std::nullopt;
  bool differentiable = dtype && (isFloating(*dtype) || isComplex(*dtype));
  if ((dtype && !differentiable) || call.has(Trait::Detached) || call.has(Trait::Factory))
    return false;
  bool unknown = call.hasUnknownTensor();
  for (const AbstractTensor *tensor : call.tensors()) {
    if (tensor->dtype && isIntegral(*tensor->dtype, true))
      continue;
    if (tensor->requiresGrad == true && call.gradModeKnown && differentiable)
      return true;
    unknown |= tensor->requiresGrad != false;
  }
  return unknown ? std::nullopt : std::optional(false);
}
