//===- ClassType.cpp - Classes, interfaces and enums ----------------------===//
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "llvm/ADT/STLExtras.h"
#include <mutex>
using namespace tsc;

/// Returns the index of `name` in `indices`, or nothing.
static std::optional<unsigned> indexOf(const llvm::StringMap<unsigned> &indices, StringRef name) {
  auto it = indices.find(name);
  return it == indices.end() ? std::nullopt : std::optional<unsigned>(it->second);
}

/// Lets `indices` find the elements of `list` by the names that `nameOf` returns, the first of each name.
template <typename List, typename NameOf>
static void indexAgain(llvm::StringMap<unsigned> &indices, const List &list, NameOf nameOf) {
  indices.clear();
  for (auto [i, element] : llvm::enumerate(list))
    indices.try_emplace(nameOf(element), i);
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

const Type *ClassType::attributeType(StringRef name) const {
  std::optional<unsigned> slot = findAttribute(name);
  return slot ? attrs[*slot].type : nullptr;
}

StatusOr<unsigned> ClassType::addOrCheckAttribute(StringRef name, const Type *type, AttributeKind kind) {
  std::optional<unsigned> slot = findAttribute(name);
  if (!slot)
    return addAttribute(name, type, kind);
  if (const ClassAttribute &known = attrs[*slot]; known.type != type || known.kind != kind)
    return invalidArgument("'" + this->name() + "' has an attribute '" + name + "' of type '" + known.type->str() +
                           "' or of another kind already");
  return *slot;
}

void ClassType::unsafeRemoveAttribute(StringRef name) {
  std::optional<unsigned> slot = findAttribute(name);
  assert(slot && "the class has the attribute");
  attrs.erase(attrs.begin() + *slot);
  indexAgain(slots, attrs, [](const ClassAttribute &attribute) { return StringRef(attribute.name); });
}

unsigned ClassType::addConstant(StringRef name, IValue value) {
  bool isNew = constantIndices.try_emplace(name, constantList.size()).second;
  assert(isNew && "constant exists");
  (void)isNew;
  constantList.push_back({name.str(), std::move(value)});
  return constantList.size() - 1;
}
const IValue *ClassType::findConstant(StringRef name) const {
  std::optional<unsigned> index = indexOf(constantIndices, name);
  return index ? &constantList[*index].value : nullptr;
}
void ClassType::unsafeRemoveConstant(StringRef name) {
  std::optional<unsigned> index = indexOf(constantIndices, name);
  assert(index && "the class has the constant");
  constantList.erase(constantList.begin() + *index);
  indexAgain(constantIndices, constantList, [](const ClassConstant &constant) { return StringRef(constant.name); });
}

void ClassType::addMethod(Function *method) {
  assert(method && "there is a method to add");
  methodTable.add(method->name(), *method);
}
Function *ClassType::findMethod(StringRef name) const { return methodTable.find(name); }

void ClassType::unsafeRemoveMethod(StringRef name) {
  const Function *method = findMethod(name);
  assert(method && "the class has the method");
  const std::string removed = name.str(); // `name` may be a hook's own
  methodTable.remove(*method);
  for (std::vector<std::string> *names : {&hooks.before, &hooks.after})
    llvm::erase(*names, removed);
}

void ClassType::addStaticMethod(StringRef name, Function *function) {
  assert(function && "there is a method to add");
  bool isNew = staticIndices.try_emplace(name, staticMethodList.size()).second;
  assert(isNew && "static method exists");
  (void)isNew;
  staticMethodList.push_back({name.str(), function});
}
Function *ClassType::findStaticMethod(StringRef name) const {
  std::optional<unsigned> index = indexOf(staticIndices, name);
  return index ? staticMethodList[*index].function : nullptr;
}

Function *ClassType::findHook(StringRef name) const {
  const bool isHook = llvm::is_contained(hooks.before, name) || llvm::is_contained(hooks.after, name);
  return isHook ? findMethod(name) : nullptr;
}

namespace {
/// The number with which mangledName() begins to look, by qualified name: types stay, so that smaller ones are taken.
/// Without it, the names of many modules of one class would cost the square of their number.
struct MangledNumbers final : ContextExtension {
  explicit MangledNumbers(Context &) {}
  std::mutex mutex;
  llvm::StringMap<unsigned> next;
};
} // namespace

std::string tsc::mangledName(Context &context, StringRef qualifiedName) {
  MangledNumbers &numbers = context.extension<MangledNumbers>();
  std::lock_guard lock(numbers.mutex);
  unsigned &number = numbers.next[qualifiedName];
  auto [prefix, last] = qualifiedName.rsplit('.');
  if (last.empty())
    std::swap(prefix, last); // a name without dots
  for (;; ++number) {
    std::string name = "___torch_mangle_" + std::to_string(number) + "." + last.str();
    if (!prefix.empty())
      name = prefix.str() + "." + name;
    if (!context.findNamed(name))
      return name;
  }
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

bool tsc::isModuleObject(const IValue &value) { return value.isObject() && value.toObject().type->isModule(); }

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
