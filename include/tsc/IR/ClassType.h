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
#include "tsc/Support/NameTable.h"
#include "tsc/Support/Status.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace tsc {

class Function;

/// Whether an attribute of a module is a parameter, a buffer, or neither.
enum class AttributeKind : uint8_t { Regular, Parameter, Buffer };

/// A declared attribute of a class.
struct ClassAttribute {
  std::string name;
  const Type *type;
  AttributeKind kind = AttributeKind::Regular;
};

/// The hooks around a module's `forward`, by the names of their methods: `before(self, inputs)` and
/// `after(self, inputs, result)`, where `inputs` is a tuple.
struct ForwardHooks {
  std::vector<std::string> before, after;
  bool empty() const { return before.empty() && after.empty(); }
};

/// A property of a class. The setter is null where the property is read-only.
struct ClassProperty {
  std::string name;
  Function *getter = nullptr;
  Function *setter = nullptr;
};

/// A constant of a class: a value that all its objects share, and that nobody sets.
struct ClassConstant {
  std::string name;
  IValue value;
};

/// A static method of a class: a function without `self`, under the name that programs call it by.
struct StaticMethod {
  std::string name;
  Function *function;
};

/// The prefix of the names of PyTorch's C++ classes. No archive defines these, and programs cannot name their
/// attributes.
inline constexpr llvm::StringLiteral nativeClasses = "__torch__.torch.classes.";

/// A class or a module type: its attributes, constants, methods and properties. Its Context owns it; the methods belong
/// to compilation units.
///
/// Threads:  one thread at a time while its definition is compiled or loaded, any number afterwards. Methods may come
///           later, since those of modules from source are declared when somebody first asks for them: methods() and
///           findMethod() take no lock, and see those that were there. What comes with such a method, a static method
///           or a property, is for compilers alone, which look under CompilationUnit::lockDefinitions().
class ClassType final : public NamedType {
public:
  ClassType(std::string name, bool isModule) : NamedType(TypeKind::Class, std::move(name)), module(isModule) {}
  bool isModule() const { return module; }
  /// Whether it is one of PyTorch's C++ classes.
  bool isNative() const { return name().starts_with(nativeClasses); }
  void setIsModule(bool value) { module = value; }
  /// Whether the class has a definition. A class without one is opaque: a name alone.
  bool isDefined() const { return defined; }
  void setDefined() { defined = true; }

  ArrayRef<ClassAttribute> attributes() const { return attrs; }
  unsigned numAttributes() const { return attrs.size(); }
  /// Returns the slot of an attribute, or nullopt.
  std::optional<unsigned> findAttribute(StringRef name) const;
  const ClassAttribute &attribute(unsigned slot) const {
    assert(slot < attrs.size() && "one of the attributes");
    return attrs[slot];
  }
  bool hasAttribute(StringRef name) const { return findAttribute(name).has_value(); }
  /// Returns the declared type of an attribute, or null.
  const Type *attributeType(StringRef name) const;
  /// Adds an attribute and returns its slot. The name must be new.
  unsigned addAttribute(StringRef name, const Type *type, AttributeKind kind = AttributeKind::Regular);
  /// Adds an attribute, or finds the one of that name, and returns its slot. InvalidArgument where that one has another
  /// type or kind.
  StatusOr<unsigned> addOrCheckAttribute(StringRef name, const Type *type, AttributeKind kind = AttributeKind::Regular);
  /// Removes an attribute, which the class has. The slots behind it move up by one; objects that exist keep theirs
  /// until ObjectValue::unsafeRemoveSlot() is called on each. Code that was compiled before knows the old slots, so it
  /// must not run any more.
  void unsafeRemoveAttribute(StringRef name);

  ArrayRef<ClassConstant> constants() const { return constantList; }
  unsigned numConstants() const { return constantList.size(); }
  bool hasConstant(StringRef name) const { return findConstant(name) != nullptr; }
  /// Returns the value of a constant, or null. Valid until constants are added or removed.
  const IValue *findConstant(StringRef name) const;
  /// Adds a constant and returns its position in constants(). The name must be new. An attribute of the same name hides
  /// it.
  unsigned addConstant(StringRef name, IValue value);
  /// Removes a constant, which the class has. Code that was compiled before goes on using its value.
  void unsafeRemoveConstant(StringRef name);

  /// Returns the methods in the order in which they were added. The list stays as it is when methods are added.
  ArrayRef<Function *> methods() const { return methodTable.all(); }
  Function *findMethod(StringRef name) const; ///< Returns the first method of that name, or null.
  /// Adds a method, which the class borrows. findMethod() goes on giving the first one of a name.
  void addMethod(Function *method);
  /// Removes the method that findMethod() gives, which exists, with its places among the hooks. Its function stays.
  void unsafeRemoveMethod(StringRef name);
  ArrayRef<StaticMethod> staticMethods() const { return staticMethodList; }
  Function *findStaticMethod(StringRef name) const; ///< Returns the static method of that name, or null.
  /// Adds a static method, which the class borrows. The name must be new.
  void addStaticMethod(StringRef name, Function *function);
  const ClassProperty *findProperty(StringRef name) const; ///< Returns the first property of that name, or null.
  /// Adds a property. findProperty() goes on giving the first one of a name.
  void addProperty(ClassProperty property);
  /// Returns the hooks that run around `forward` when the module itself is called, in their order. One may occur twice.
  ForwardHooks &forwardHooks() { return hooks; }
  const ForwardHooks &forwardHooks() const { return hooks; }
  /// Returns the method of that name if it is one of the forwardHooks(), or null.
  Function *findHook(StringRef name) const;

  /// Returns the text that the class begins with in its source, as Python's `__doc__`, or "".
  StringRef docString() const { return doc; }
  void setDocString(std::string text) { doc = std::move(text); }
  /// Returns the names of attributes that the class or its objects have in the source and that compiled code cannot
  /// use, since their values have no TorchScript type.
  ArrayRef<std::string> unresolvedAttributes() const { return unresolved; }
  void addUnresolvedAttribute(std::string name) { unresolved.push_back(std::move(name)); }

  static bool classof(const Type *t) { return t->kind() == TypeKind::Class; }

private:
  bool module;
  bool defined = false;
  std::vector<ClassAttribute> attrs;
  llvm::StringMap<unsigned> slots;
  NameTable<Function> methodTable;
  std::vector<ClassProperty> propertyList;
  std::vector<ClassConstant> constantList;
  std::vector<StaticMethod> staticMethodList;
  ForwardHooks hooks;
  std::string doc;
  std::vector<std::string> unresolved;
  /// Positions by name, of the first where several share it. Tables, since an archive's class may have any number of
  /// them.
  llvm::StringMap<unsigned> propertyIndices, constantIndices, staticIndices;
};

/// Whether a value is an object whose class is one of modules.
bool isModuleObject(const IValue &value);

/// Returns a name for a class beside that of `qualifiedName`, which no named type of the context has yet:
/// `__torch__.a.___torch_mangle_0.B` for `__torch__.a.B`, with the first number that is free.
std::string mangledName(Context &context, StringRef qualifiedName);

/// An interface: the signatures of methods. A class that has them is a subtype of it; for a module interface, only a
/// module.
class InterfaceType final : public NamedType {
public:
  InterfaceType(std::string name, bool isModule) : NamedType(TypeKind::Interface, std::move(name)), module(isModule) {}
  bool isModule() const { return module; }
  ArrayRef<FunctionSchema> methods() const { return schemas; }
  const FunctionSchema *findMethod(StringRef name) const; ///< Returns the signature of that method, or null.
  /// Adds the signature of a method, which has the schema's name. findMethod() goes on giving the first one of a name.
  void addMethod(FunctionSchema schema);
  static bool classof(const Type *t) { return t->kind() == TypeKind::Interface; }

private:
  bool module;
  std::vector<FunctionSchema> schemas;
  llvm::StringMap<unsigned> indices; ///< Positions in `schemas` by name.
};

/// An enum: its members in order, whose values are all of one type.
class EnumType final : public NamedType {
public:
  EnumType(std::string name, const Type *valueType) : NamedType(TypeKind::Enum, std::move(name)), value(valueType) {}
  const Type *valueType() const { return value; }
  const std::vector<std::pair<std::string, IValue>> &members() const { return entries; }
  const IValue *find(StringRef member) const; ///< Returns the value of that member, or null.
  /// Adds a member behind the others, with a value of valueType(). find() goes on giving the first one of a name.
  void addMember(std::string name, IValue v);
  static bool classof(const Type *t) { return t->kind() == TypeKind::Enum; }

private:
  const Type *value;
  std::vector<std::pair<std::string, IValue>> entries;
  llvm::StringMap<unsigned> indices; ///< Positions in `entries` by name.
};

} // namespace tsc

#endif
