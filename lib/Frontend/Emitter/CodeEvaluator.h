//===- CodeEvaluator.h - Who runs code that is not compiled -----*- C++ -*-===//
//
// Constructors and the top level of a file with modules run as Python does. What
// runs them stands above the compiler (tsc::Evaluator) and hands itself in
// (Compiler::setEvaluator). The compiler asks for what compiled code can use of
// the objects that such code made, and for the text of their methods.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FRONTEND_CODEEVALUATOR_H
#define TSC_LIB_FRONTEND_CODEEVALUATOR_H

#include "tsc/Frontend/Tree.h"
#include "tsc/IR/IValue.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/LogicalResult.h"
#include <optional>

namespace tsc {

class ModuleClass;
class Resolver;
class SourceResolver;
class SugaredValue;

/// A method in the text of a class of modules.
struct ModuleMethod {
  /// How it is bound where it is read: to the object, to nothing, to the class, or called at once.
  enum class Binding : uint8_t { Method, Static, Class, Property };
  const ModuleClass *owner = nullptr; ///< The class that has the text.
  const Def *tree = nullptr;
  Resolver *resolver = nullptr; ///< What the names in the text mean.
  Binding binding = Binding::Method;
};

/// A class of modules as Python has it, with the classes that it derives from. The evaluator owns it, as long as the
/// compiler lives.
class ModuleClass {
public:
  virtual ~ModuleClass() = default;
  /// Whether the class is one of torch.nn of that name, or derives from it.
  virtual bool derivesFrom(StringRef library) const = 0;
  /// Whether the class is one of the user's files of that name, or derives from such a class.
  virtual bool derivesFromUsers(StringRef name) const = 0;
  /// Returns the method that the class, or else the first of those it derives from that has the attribute, has under
  /// that name. With `after`, only the classes behind that one are asked. Nothing where the attribute is something
  /// else, or there is none.
  virtual std::optional<ModuleMethod> findMethod(StringRef name, const ModuleClass *after = nullptr) const = 0;
  /// Calls `visit` with each attribute of the class and of those that it derives from, and with its method, whose tree
  /// is null where the attribute is something else.
  virtual void forEachAttribute(llvm::function_ref<void(StringRef name, const ModuleMethod &method)> visit) const = 0;

  std::string name;
  bool isLibrary = false; ///< Whether it is one of torch.nn.
};

/// Runs the code of a file, or of a session, that is not compiled, and keeps the objects that it makes.
///
/// Threads: as the Compiler, one at a time.
/// Errors:  reported to the compiler's engine; results then say that there is none.
class CodeEvaluator {
public:
  virtual ~CodeEvaluator() = default;

  /// Runs the statements of the user's file, except for `if __name__ == "__main__":`. Returns false after a report.
  virtual bool runFile(SourceResolver &resolver) = 0;
  /// Whether the file has an `if __name__ == "__main__":`.
  virtual bool hasMain() const = 0;
  /// Runs that block. Returns false after a report.
  virtual bool runMain() = 0;
  /// Returns the names that makeModule() takes.
  virtual std::vector<std::string> moduleNames() = 0;
  /// Returns what Compiler::makeModule() says.
  virtual llvm::FailureOr<Ref<ObjectValue>> makeModule(StringRef name) = 0;
  /// Whether a function of the file makes modules or uses one that the file made, itself or by what it calls: it is
  /// evaluated then, as compiled code cannot.
  virtual bool usesModules(StringRef function) = 0;
  /// Calls a function of which usesModules() holds. Returns nothing after a report.
  virtual std::optional<IValue> callByName(StringRef function, std::vector<IValue> args,
                                           std::vector<std::pair<std::string, IValue>> kwargs) = 0;

  /// Begins without a file to run: statements come one by one, with the names of `resolver`.
  virtual void beginSession(SourceResolver &resolver) = 0;
  /// Runs a statement behind those before it, and sets `shown`, if that is given and the statement is an expression
  /// that is not None, to the text of its value. Returns false after a report.
  virtual bool runStatement(const Tree *statement, std::optional<std::string> *shown) = 0;
  bool runStatement(const Tree *statement) { return runStatement(statement, nullptr); }
  /// Whether the file or session has a global of that name.
  virtual bool hasGlobal(StringRef name) = 0;
  /// Returns the names of all globals, in the order in which they were set.
  virtual std::vector<std::string> globalNames() = 0;
  /// Returns what compiled code can use of a global: nothing for a function or a class, and after a report.
  virtual std::optional<IValue> globalData(StringRef name) = 0;
  /// Sets a global; one that stands for the same module stays.
  virtual void setGlobal(StringRef name, const IValue &value) = 0;
  /// Returns how Python shows a module that was made here; nothing for another value.
  virtual std::optional<std::string> reprOfModule(const IValue &value) = 0;

  /// Returns what compiled code sees of a name of one of the user's files; null when it can use none.
  virtual SugaredValue *globalForCode(const SourceResolver &file, StringRef name, SourceRange range) = 0;
  /// Whether a class of modules is one of the classes that a tree names among the globals of a file, or without
  /// `isExact` derives from one; nothing where the tree names something else.
  virtual std::optional<bool> isOneOf(const ModuleClass &type, const Tree *named, const Resolver &file,
                                      bool isExact) = 0;
};

} // namespace tsc

#endif
