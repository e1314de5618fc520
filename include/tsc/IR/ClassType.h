//===- ClassType.h - Classes, interfaces and enums --------------*- C++ -*-===//
//
// Nominal types grow while their definition is compiled or loaded and are
// constant afterwards. A class mentioned in IR text without a definition is
// opaque: it has a name and nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_CLASSTYPE_H
#define TSC_IR_CLASSTYPE_H

#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Type.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace tsc {

class Function;

enum class AttributeKind : uint8_t { Regular, Parameter, Buffer };

struct ClassAttribute {
  std::string name;
  const Type *type;
  AttributeKind kind = AttributeKind::Regular;
};

/// Names of methods: `before(self, inputs)` and `after(self, inputs, result)`, where `inputs` is a tuple.
struct ForwardHooks {
  std::vector<std::string> before, after;
  bool empty() const { return before.empty() && after.empty(); }
};

struct ClassProperty {
  std::string name;
  Function *getter = nullptr;
  Function *setter = nullptr;
};

/// What names of PyTorch's C++ classes begin with. No archive defines them, and programs have no names for their
/// attributes.
inline constexpr llvm::StringLiteral nativeClasses = "__torch__.torch.classes.";

class ClassType final : public NamedType {
public:
  ClassType(std::string name, bool isModule) : NamedType(TypeKind::Class, std::move(name)), module(isModule) {}
  bool isModule() const { return module; }
  bool isNative() const { return name().starts_with(nativeClasses); }
  void setIsModule(bool value) { module = value; }
  /// False for a name that nobody defined.
  bool isDefined() const { return defined; }
  void setDefined() { defined = true; }

  ArrayRef<ClassAttribute> attributes() const { return attrs; }
  unsigned numAttributes() const { return attrs.size(); }
  std::optional<unsigned> findAttribute(StringRef name) const;
  const ClassAttribute &attribute(unsigned slot) const { return attrs[slot]; }
  /// Returns the slot. The name must be new.
  unsigned addAttribute(StringRef name, const Type *type, AttributeKind kind = AttributeKind::Regular);

  ArrayRef<Function *> methods() const { return methodList; }
  Function *findMethod(StringRef name) const;
  void addMethod(Function *method);
  const ClassProperty *findProperty(StringRef name) const;
  void addProperty(ClassProperty property);
  /// Methods that run around `forward` when the module itself is called, in this order; one may stand there twice.
  ForwardHooks &forwardHooks() { return hooks; }
  const ForwardHooks &forwardHooks() const { return hooks; }

  static bool classof(const Type *t) { return t->kind() == TypeKind::Class; }

private:
  bool module;
  bool defined = false;
  std::vector<ClassAttribute> attrs;
  llvm::StringMap<unsigned> slots;
  std::vector<Function *> methodList;
  std::vector<ClassProperty> propertyList;
  ForwardHooks hooks;
  /// By name, of the first one where several have it: a stranger's class may have any number of them.
  llvm::StringMap<unsigned> methodIndices, propertyIndices;
};

class InterfaceType final : public NamedType {
public:
  InterfaceType(std::string name, bool isModule) : NamedType(TypeKind::Interface, std::move(name)), module(isModule) {}
  bool isModule() const { return module; }
  ArrayRef<FunctionSchema> methods() const { return schemas; }
  const FunctionSchema *findMethod(StringRef name) const;
  void addMethod(FunctionSchema schema);
  static bool classof(const Type *t) { return t->kind() == TypeKind::Interface; }

private:
  bool module;
  std::vector<FunctionSchema> schemas;
  llvm::StringMap<unsigned> indices; ///< By name.
};

class EnumType final : public NamedType {
public:
  EnumType(std::string name, const Type *valueType) : NamedType(TypeKind::Enum, std::move(name)), value(valueType) {}
  const Type *valueType() const { return value; }
  const std::vector<std::pair<std::string, IValue>> &members() const { return entries; }
  const IValue *find(StringRef member) const;
  void addMember(std::string name, IValue v);
  static bool classof(const Type *t) { return t->kind() == TypeKind::Enum; }

private:
  const Type *value;
  std::vector<std::pair<std::string, IValue>> entries;
  llvm::StringMap<unsigned> indices; ///< By name.
};

} // namespace tsc

#endif
