//===- ClassType.cpp - Classes, interfaces and enums ----------------------===//
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
using namespace tsc;

std::optional<unsigned> ClassType::findAttribute(StringRef name) const {
  auto it = slots.find(name);
  return it == slots.end() ? std::nullopt : std::optional<unsigned>(it->second);
}

unsigned ClassType::addAttribute(StringRef name, const Type *type, AttributeKind kind) {
  bool isNew = slots.try_emplace(name, attrs.size()).second;
  assert(isNew && "attribute exists");
  (void)isNew;
  attrs.push_back({name.str(), type, kind});
  return attrs.size() - 1;
}

void ClassType::addMethod(Function *method) { methodList.push_back(method); }
Function *ClassType::findMethod(StringRef name) const {
  for (Function *method : methodList)
    if (method->name() == name)
      return method;
  return nullptr;
}

const ClassProperty *ClassType::findProperty(StringRef name) const {
  for (const ClassProperty &property : propertyList)
    if (property.name == name)
      return &property;
  return nullptr;
}

const FunctionSchema *InterfaceType::findMethod(StringRef name) const {
  for (const FunctionSchema &schema : schemas)
    if (schema.name() == name)
      return &schema;
  return nullptr;
}

const IValue *EnumType::find(StringRef member) const {
  for (const auto &[name, value] : entries)
    if (name == member)
      return &value;
  return nullptr;
}
