//===- Gradients.cpp - Recorded gradients against the tape's --------------===//
//
// The file is a dict (torch.save): `wrt`, paths of arguments and parameters;
// `outputs`, paths of results; `grad_outputs`, weights of these; `grads`, the
// gradients; `grad_weights` and `grads2`, weights of the gradients and the gradients of
// their sum.
//
//===----------------------------------------------------------------------===//
#include "Gradients.h"
#include "Options.h"
#include "tsc/IR/ClassType.h"
#include "tsc/Runtime/Module.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Serialization/ValueFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;
using namespace tsc::run;

/// The value at `[0]['x'].weight`, from a value on.
static StatusOr<IValue> follow(IValue value, llvm::StringRef path) {
  llvm::StringRef whole = path;
  auto wrong = [&] { return dataLoss("there is nothing at '" + whole + "'"); };
  while (!path.empty()) {
    if (path.consume_front(".")) {
      llvm::StringRef name = path.take_until([](char c) { return c == '.' || c == '['; });
      path = path.drop_front(name.size());
      if (!value.isObject())
        return wrong();
      const ObjectValue &object = value.toObject();
      auto slot = object.type->findAttribute(name);
      if (!slot)
        return wrong();
      value = IValue(object.slots[*slot]);
      continue;
    }
    if (!path.consume_front("["))
      return wrong();
    auto [index, rest] = path.split(']');
    path = rest;
    int64_t number;
    if (index.consume_front("'") && index.consume_back("'")) {
      const IValue *found = value.isDict() ? value.toDict().find(IValue(index.str())) : nullptr;
      if (!found)
        return wrong();
      value = IValue(*found);
    } else if (index.getAsInteger(10, number)) {
      return wrong();
    } else if (value.isDict()) {
      const IValue *found = value.toDict().find(IValue(number));
      if (!found)
        return wrong();
      value = IValue(*found);
    } else if (value.isTuple() && static_cast<size_t>(number) < value.toTuple().elements.size()) {
      value = IValue(value.toTuple().elements[number]);
    } else if (value.isList() && static_cast<size_t>(number) < value.listSize()) {
      value = value.listElement(number);
    } else {
      return wrong();
    }
  }
  return value;
}

namespace {

class GradientChecker {
public:
  GradientChecker(const Program &program, CallContext &context, const Call &call, const Options &options)
      : program(program), context(context), call(call), options(options), tape(context.context()) {}

  GradientCheck run() {
    llvm::SaveAndRestore<OperatorObserver *> observing(context.observer, &tape);
    GradientCheck check;
    check.status = compare(check.difference);
    return check;
  }

private:
  Status compare(std::string &difference) {
    TSC_ASSIGN_OR_RETURN(IValue value, loadValue(context.context(), options.checkGrad));
    if (!value.isDict())
      return dataLoss("'" + llvm::Twine(options.checkGrad) + "' does not hold a dict of gradients");
    file = &value.toDict();
    for (const IValue &argument : call.args)
      args.push_back(unshared(argument));
    for (const auto &[name, argument] : call.kwargs)
      kwargs.emplace_back(name, unshared(argument));
    TSC_RETURN_IF_ERROR(findLeaves());
    TSC_ASSIGN_OR_RETURN(IValue result, program.run(context, call.entry, args, kwargs));
    if (call.expected)
      if (auto found = findMismatch(withoutMarks(result), withoutMarks(*call.expected), options.tolerance)) {
        difference = *found;
        return okStatus();
      }
    // First order.
    GradientRequest request;
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> outputs, elements("outputs"));
    for (const IValue &path : outputs) {
      if (!path.isString() || !llvm::StringRef(path.toString()).starts_with("result"))
        return dataLoss("outputs: there is no path of a result");
      TSC_ASSIGN_OR_RETURN(IValue output, follow(result, llvm::StringRef(path.toString()).drop_front(6)));
      if (!output.isTensor())
        return dataLoss("outputs: '" + llvm::Twine(path.toString()) + "' is no tensor");
      request.outputs.push_back(output.asTensor());
    }
    TSC_ASSIGN_OR_RETURN(request.weights, tensors("grad_outputs"));
    request.inputs = leaves;
    request.createGraph = request.allowUnused = true;
    auto gradients = tape.backward(context, request);
    if (!gradients.ok())
      return withContext(gradients.status(), "first-order gradients: ");
    TSC_ASSIGN_OR_RETURN(std::vector<Tensor> expected, tensors("grads"));
    if (difference = compareAll("first-order gradient", expected, *gradients); !difference.empty())
      return okStatus();
    return compareSecond(*gradients, difference);
  }

  Status compareSecond(const std::vector<Tensor> &gradients, std::string &difference) {
    const IValue *recorded = file->find(IValue("grads2"));
    if (!recorded || recorded->isNone())
      return okStatus();
    TSC_ASSIGN_OR_RETURN(std::vector<Tensor> weights, tensors("grad_weights"));
    TSC_ASSIGN_OR_RETURN(std::vector<Tensor> expected, tensors("grads2"));
    GradientRequest request;
    for (auto [gradient, weight] : llvm::zip(gradients, weights))
      if (weight.defined() && gradient.defined() && gradient.requiresGrad())
        request.outputs.push_back(gradient), request.weights.push_back(weight);
    request.inputs = leaves;
    request.allowUnused = true;
    auto second = tape.backward(context, request);
    if (!second.ok())
      return withContext(second.status(), "second-order gradients: ");
    difference = compareAll("second-order gradient", expected, *second);
    return okStatus();
  }

  /// The tensors that `wrt` names, which become leaves.
  Status findLeaves() {
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> paths, elements("wrt"));
    for (const IValue &path : paths) {
      if (!path.isString())
        return dataLoss("wrt: there is no path");
      TSC_ASSIGN_OR_RETURN(IValue value, atPath(path.toString()));
      if (!value.isTensor() || !value.asTensor().defined())
        return dataLoss("wrt: '" + llvm::Twine(path.toString()) + "' is no tensor");
      leaves.push_back(value.asTensor());
      names.push_back(path.toString());
      leaves.back().get()->requiresGrad = true;
      leaves.back().get()->history = nullptr;
    }
    return okStatus();
  }

  StatusOr<IValue> atPath(llvm::StringRef path) {
    if (path.consume_front("self")) {
      if (!program.module())
        return dataLoss("wrt: there is no module for 'self" + path + "'");
      return follow(IValue(program.module()->object()), path);
    }
    if (path.consume_front("args["))
      if (size_t index; !path.consumeInteger(10, index) && path.consume_front("]") && index < args.size())
        return follow(args[index], path);
    if (path.consume_front("kwargs['")) {
      auto [name, rest] = path.split("']");
      for (const auto &[known, value] : kwargs)
        if (known == name)
          return follow(value, rest);
    }
    return dataLoss("wrt: there is no argument at '" + path + "'");
  }

  StatusOr<std::vector<IValue>> elements(llvm::StringRef name) const {
    const IValue *value = file->find(IValue(name.str()));
    std::vector<IValue> all;
    if (!value || !value->isList())
      return dataLoss("'" + llvm::Twine(options.checkGrad) + "' has no list '" + name + "'");
    for (size_t i = 0; i != value->listSize(); ++i)
      all.push_back(value->listElement(i));
    return all;
  }
  /// None is an undefined one.
  StatusOr<std::vector<Tensor>> tensors(llvm::StringRef name) const {
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> values, elements(name));
    std::vector<Tensor> all;
    for (const IValue &value : values)
      all.push_back(value.isTensor() ? value.asTensor() : Tensor());
    return all;
  }

  /// None and zeros mean the same.
  std::string compareAll(llvm::StringRef what, const std::vector<Tensor> &expected, const std::vector<Tensor> &found) {
    if (expected.size() != found.size())
      return "mismatch: " + std::to_string(expected.size()) + " gradients are recorded, there are " +
             std::to_string(found.size());
    for (size_t i = 0; i != found.size(); ++i) {
      if (!expected[i].defined() && !found[i].defined())
        continue;
      Tensor a = expected[i], b = found[i];
      if (!a.defined())
        a = *Tensor::full(b.sizes(), Scalar(0), b.dtype());
      if (!b.defined())
        b = *Tensor::full(a.sizes(), Scalar(0), a.dtype());
      if (auto difference = findMismatch(IValue(Tape::detached(b)), IValue(Tape::detached(a)), options.tolerance))
        return (what + " with respect to " + names[i] + ": mismatch: " + *difference).str();
    }
    return "";
  }

  /// A copy in which a tensor that occurs twice is two, each a leaf of its own.
  static IValue unshared(const IValue &value) {
    if (value.isTuple()) {
      std::vector<IValue> elements;
      for (const IValue &element : value.toTuple().elements)
        elements.push_back(unshared(element));
      return makeTuple(std::move(elements), value.toTuple().type);
    }
    if (value.isGenericList()) {
      IValue list = deepCopy(value);
      list.toGenericList().elements.clear();
      for (size_t i = 0; i != value.listSize(); ++i)
        appendToList(list, unshared(value.listElement(i)));
      return list;
    }
    if (value.isTensorList()) {
      IValue list = deepCopy(value);
      for (auto [copy, element] : llvm::zip(list.toTensorList().elements, value.toTensorList().elements))
        copy = deepCopy(IValue(element)).asTensor();
      return list;
    }
    if (!value.isDict())
      return deepCopy(value);
    auto dict = makeRef<DictValue>(value.toDict().keyType, value.toDict().valueType);
    value.toDict().forEach([&](const IValue &key, const IValue &element) { dict->set(key, unshared(element)); });
    return IValue(std::move(dict));
  }

  /// requires_grad left aside.
  static IValue withoutMarks(const IValue &value) {
    IValue copy = deepCopy(value);
    clear(copy);
    return copy;
  }
  static void clear(const IValue &value) {
    if (value.isTensor() && value.asTensor().defined())
      value.asTensor().get()->requiresGrad = false;
    else if (value.isTuple())
      llvm::for_each(value.toTuple().elements, clear);
    else if (value.isList())
      for (size_t i = 0; i != value.listSize(); ++i)
        clear(value.listElement(i));
    else if (value.isDict())
      value.toDict().forEach([](const IValue &, const IValue &element) { clear(element); });
  }

  const Program &program;
  CallContext &context;
  const Call &call;
  const Options &options;
  Tape tape;
  const DictValue *file = nullptr;
  std::vector<IValue> args;
  KeywordArguments kwargs;
  std::vector<Tensor> leaves;
  std::vector<std::string> names;
};

} // namespace

GradientCheck run::checkGradients(const Program &program, CallContext &context, const Call &call,
                                  const Options &options) {
  return GradientChecker(program, context, call, options).run();
}
