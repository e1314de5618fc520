//===- NativeState.cpp - States of PyTorch's C++ classes ------------------===//
//
// The packed parameters of quantized convolutions have had three versions. The numbers
// in all of them: how many dimensions there are; stride, padding, dilation and output
// padding of each; groups; whether the convolution is transposed.
//
//   1  (weight, bias, [stride], [padding], [dilation], groups), each number a tensor
//   2  ("2", [numbers as a tensor of int16, weight], [bias])
//   3  (3, [numbers], [None, weight, bias])
//
//===----------------------------------------------------------------------===//
#include "NativeState.h"
#include "tsc/Serialization/Convert.h"
#include "tsc/Support/Status.h"

using namespace tsc;

/// The numbers of a list of tensors of one element each.
static StatusOr<std::vector<int64_t>> numbersOf(const IValue &value, Context &context) {
  TSC_ASSIGN_OR_RETURN(IValue list, convertTo(value, context.listOf(Type::tensorType()), context));
  std::vector<int64_t> numbers;
  for (const Tensor &tensor : list.toTensorList().elements) {
    if (!tensor.defined() || tensor.numel() != 1)
      return dataLoss("a number of a packed convolution is no tensor of one element");
    numbers.push_back(tensor.at(0).toInt());
  }
  return numbers;
}

/// Version 2 of a convolution with these numbers.
static StatusOr<IValue> packed(const std::vector<int64_t> &numbers, IValue weight, IValue bias) {
  TSC_ASSIGN_OR_RETURN(Tensor config, Tensor::empty({static_cast<int64_t>(numbers.size())}, DType::Int16));
  for (auto [i, number] : llvm::enumerate(numbers))
    config.set(static_cast<int64_t>(i), Scalar(number));
  auto list = [](std::vector<IValue> elements) {
    IValue made = makeList(Type::anyType(), elements.size());
    for (IValue &element : elements)
      appendToList(made, std::move(element));
    return made;
  };
  return makeTuple({IValue("2"), list({IValue(config), std::move(weight)}), list({std::move(bias)})});
}

static StatusOr<IValue> upgradedFirst(llvm::ArrayRef<IValue> parts, Context &context) {
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> strides, numbersOf(parts[2], context));
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> paddings, numbersOf(parts[3], context));
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> dilations, numbersOf(parts[4], context));
  if (paddings.size() != strides.size() || dilations.size() != strides.size() || !parts[5].isTensor() ||
      !parts[5].asTensor().defined() || parts[5].asTensor().numel() != 1)
    return dataLoss("a packed convolution of version 1 whose numbers do not fit together");
  std::vector<int64_t> numbers = {static_cast<int64_t>(strides.size())};
  for (const auto *list : {&strides, &paddings, &dilations})
    numbers.insert(numbers.end(), list->begin(), list->end());
  numbers.insert(numbers.end(), strides.size(), 0); // there was no output padding then, nor a transposed convolution
  numbers.insert(numbers.end(), {parts[5].asTensor().at(0).toInt(), 0});
  return packed(numbers, parts[0], parts[1]);
}

static StatusOr<IValue> upgradedThird(llvm::ArrayRef<IValue> parts, Context &context) {
  TSC_ASSIGN_OR_RETURN(IValue numbers, convertTo(parts[1], context.listOf(Type::intType()), context));
  TSC_ASSIGN_OR_RETURN(IValue tensors,
                       convertTo(parts[2], context.listOf(context.optionalOf(Type::tensorType())), context));
  const auto &elements = tensors.toGenericList().elements;
  if (elements.size() != 3)
    return dataLoss("a packed convolution of version 3 whose tensors are not three");
  return packed(numbers.toIntList().elements, elements[1], elements[2]);
}

StatusOr<IValue> tsc::upgradedState(const ClassType &type, const IValue &state, Context &context) {
  const StringRef name = type.name();
  const bool isConvolution = name == "__torch__.torch.classes.quantized.Conv2dPackedParamsBase" ||
                             name == "__torch__.torch.classes.quantized.Conv3dPackedParamsBase";
  if (!isConvolution || !state.isTuple())
    return state;
  const auto &parts = state.toTuple().elements;
  if (parts.size() == 6 && parts[0].isTensor())
    return upgradedFirst(parts, context);
  if (parts.size() == 3 && parts[0].isInt() && parts[0].toInt() == 3)
    return upgradedThird(parts, context);
  return state;
}
