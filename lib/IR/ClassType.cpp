//===- ClassType.cpp - Classes, interfaces and enums ----------------------===//
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
using namespace tsc;

/// Returns the index of `name` in `indices`, or nothing.
static std::optional<unsigned> indexOf(const llvm::StringMap<unsigned> &indices, StringRef name) {
  auto it = indices.find(name);
  return it == indices.end() ? std::nullopt : std::optional<unsigned>(it->second);
}

std::optional<unsigned> ClassType::findAttribute(StringRef name) const { return indexOf(slots, name); }

unsigned ClassType::addAttribute(StringRef name, const Type *type, AttributeKind kind) {
  assert(type && "an attribute has a type");
  bool isNew = slots.try_emplace(name, attrs.size()).second;
  assert(isNew && "attribute exists");
  (void)isNew;
  attrs.push_back({name.str(), type, kind});
  return attrs.size() - 1;
}

void ClassType::addMethod(Function *method) {
  assert(method && "there is a method to add");
  methodIndices.try_emplace(method->name(), methodList.size());
  methodList.push_back(method);
}
Function *ClassType::findMethod(StringRef name) const {
  std::optional<unsigned> index = indexOf(methodIndices, name);
  return index ? methodList[*index] : nullptr;
}

void ClassType::addProperty(ClassProperty property) {
  assert(property.getter && "a property can be read");
  propertyIndices.try_emplace(property.name, propertyList.size());
  propertyList.push_back(std::move(property));
}
const ClassProperty *ClassType::findProperty(StringRef name) const {
  std::optional<unsigned> index = indexOf(propertyIndices, name);
  return index ? &propertyList[*index] : nullptr;
}

void InterfaceType::addMethod(FunctionSchema schema) {
  indices.try_emplace(schema.name(), schemas.size());
  schemas.push_back(std::move(schema));
}
const FunctionSchema *InterfaceType::findMethod(StringRef name) const {
  std::optional<unsigned> index = indexOf(indices, name);
  return index ? &schemas[*index] : nullptr;
}

void EnumType::addMember(std::string name, IValue v) {
  indices.try_emplace(name, entries.size());
  entries.emplace_back(std::move(name), std::move(v));
}
const IValue *EnumType::find(StringRef member) const {
  std::optional<unsigned> index = indexOf(indices, member);
  return index ? &entries[*index].second : nullptr;
}
