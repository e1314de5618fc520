//===- Prompt.cpp - Statements behind those of a file ---------------------===//
#include "Evaluator.h"

using namespace tsc;
using namespace tsc::python;

bool Evaluator::runStatement(const Tree *statement, std::optional<std::string> *shown) {
  Walk walking(*this);
  steps = 0; // each may take as many as a file
  isRefused = isRaisedInside = false;
  calls.clear();
  noteAssignedNames(statement, false);
  if (auto *expression = llvm::dyn_cast<ExprStmt>(statement); expression && shown) {
    Result value = eval(expression->value(), user->frame);
    if (value && !value->isNone())
      *shown = repr(*value);
    return value.has_value();
  }
  AnyValue returned;
  return run(statement, user->frame, returned) == Flow::Next;
}

std::vector<std::string> Evaluator::globalNames() {
  std::vector<std::string> names;
  for (auto &[name, value] : user->globals)
    names.push_back(name);
  return names;
}

std::optional<IValue> Evaluator::globalData(StringRef name) {
  AnyValue *value = user->globals.find(name);
  if (!value)
    return std::nullopt;
  if (auto *instance = value->as<InstanceObject>()) {
    if (!instance->type->isModule)
      return std::nullopt;
    ObjectValue *object = compiledModule(*instance, {});
    return object ? std::optional(IValue(Ref<ObjectValue>::share(object))) : std::nullopt;
  }
  if (value->object && !value->as<ListObject>() && !value->as<TupleObject>() && !value->as<DictObject>())
    return std::nullopt;
  return toData(*value, {});
}

std::optional<std::string> Evaluator::reprOfModule(const IValue &value) {
  for (const std::unique_ptr<Object> &object : objects)
    if (auto *instance = llvm::dyn_cast<InstanceObject>(object.get());
        instance && value.isObject() && instance->compiled.get() == &value.toObject())
      return reprModule(*instance);
  return std::nullopt;
}

void Evaluator::setGlobal(StringRef name, const IValue &value) {
  if (AnyValue *known = user->globals.find(name))
    if (auto *instance = known->as<InstanceObject>();
        instance && value.isObject() && instance->compiled.get() == &value.toObject())
      return;
  user->globals[name] = fromData(value);
}
