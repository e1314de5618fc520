//===- HostModules.h - Modules that a host has made -------------*- C++ -*-===//
//
// A module that Python made is an object with a class, attributes and other modules in
// it. The host says what these are, and the compiler makes a class of its own for modules
// of one structure. The text of a method is asked for when compiled code wants it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FRONTEND_HOSTMODULES_H
#define TSC_FRONTEND_HOSTMODULES_H

#include "tsc/IR/ClassType.h"
#include "tsc/IR/IValue.h"
#include <memory>
#include <optional>

namespace tsc {

class Compiler;
class Function;
class HostModuleClass;
struct HostModuleType;
class ModuleClass;
class Resolver;
class SourceBuffer;
class SugaredValue;

/// The text of a method in a class of a host's.
struct HostMethod {
  /// How the method is bound where it is read: to the object, to nothing, or called at once.
  enum class Binding : uint8_t { Method, Static, Property };
  const SourceBuffer *text = nullptr;     ///< One definition.
  Resolver *names = nullptr;              ///< What the names in it mean.
  const HostModuleClass *owner = nullptr; ///< The class that has the text.
  Binding binding = Binding::Method;
};

/// A class of modules as a host has it.
///
/// Ownership: the host owns it; it outlives the compiler.
/// Errors:    the host reports its own to the compiler's diagnostics; results then say that there is nothing.
class HostModuleClass {
public:
  /// `name` is what messages call the class. `isLibrary`: it is one of torch.nn.
  HostModuleClass(std::string name, bool isLibrary);
  virtual ~HostModuleClass();
  HostModuleClass(const HostModuleClass &) = delete;
  HostModuleClass &operator=(const HostModuleClass &) = delete;
  llvm::StringRef name() const;

  /// Returns the method that the class, or the first of those it derives from that has the attribute, has under a name.
  /// With `after`, only the classes behind that one are asked. Nothing where there is none.
  virtual std::optional<HostMethod> findMethod(llvm::StringRef name, const HostModuleClass *after) = 0;
  /// Whether the class is one of torch.nn of that name, or derives from it.
  virtual bool derivesFrom(llvm::StringRef library) = 0;
  /// Whether the class is another one of that name, or derives from it.
  virtual bool derivesFromUsers(llvm::StringRef name) = 0;
  /// Returns the names of the attributes of the class and those that it derives from.
  virtual std::vector<std::string> attributeNames() = 0;

private:
  friend ClassType *declareModule(Compiler &, llvm::StringRef, HostModuleType);
  class Adapter;
  std::unique_ptr<Adapter> adapter;
};

/// What modules of one structure have in common.
struct HostModuleType {
  /// An attribute that has a place in each object.
  struct Attribute {
    std::string name;
    const Type *type = nullptr;
    AttributeKind kind = AttributeKind::Regular;
  };
  HostModuleClass *type = nullptr;
  std::vector<Attribute> attributes;
  std::vector<std::string> children;                          ///< Modules and parameters, in their order.
  std::vector<std::pair<std::string, IValue>> constants;      ///< Attributes that never change.
  std::vector<std::pair<std::string, SugaredValue *>> values; ///< Attributes that hold functions and their like.
  std::vector<std::pair<std::string, std::string>> untyped;   ///< Others, each with what it holds.
  bool isList = false, isDict = false;                        ///< A container: children are its elements.
};

/// Makes the class for modules of one structure. The name must be new. Its methods are those that
/// Compiler::findMethod() gives, which are declared when they are asked for.
ClassType *declareModule(Compiler &compiler, llvm::StringRef qualifiedName, HostModuleType made);
/// Sets the methods of a class that calls of `name` choose from, by their arguments, in this order.
void setOverloads(Compiler &compiler, const ClassType &type, llvm::StringRef name, std::vector<Function *> overloads);

} // namespace tsc

#endif
