//===- ScriptUnit.h - Python's functions as a program -----------*- C++ -*-===//
//
// All that tsc.jit.script compiles in a process goes to one program, so that functions and
// modules may call each other, in whatever order they are compiled.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_BINDINGS_PYTHON_SCRIPT_SCRIPTUNIT_H
#define TSC_BINDINGS_PYTHON_SCRIPT_SCRIPTUNIT_H

#include "../Gil.h"
#include "../LoadedProgram.h"
#include "PythonModules.h"
#include "PythonScope.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tsc {
class ClassType;
class Compiler;
class Function;
class SugaredValue;
} // namespace tsc

namespace tsc::bindings {

class ScriptUnit;

/// Something of a unit that Python names: a function, a class, a constant. What a definition is not is null.
struct Definition {
  std::shared_ptr<ScriptUnit> unit;
  SugaredValue *value = nullptr; ///< What it stands for in expressions.
  Function *function = nullptr;  ///< A function that is called as it is; none for one that each call compiles.
  const Type *type = nullptr;    ///< What a class is, or an annotation spells.
  bool isTraced = false;         ///< Whether the function is a trace, whose graph shows what ran, in its order.
};

/// What modules of one structure have in common, as Python says it.
struct ModuleParts {
  std::vector<std::tuple<std::string, Definition, std::string>> attributes; ///< Name, type, kind.
  std::vector<std::string> children;
  std::vector<std::tuple<std::string, nb::object, Definition>> constants; ///< Name, value, type.
  std::vector<std::pair<std::string, Definition>> values;
  std::vector<std::pair<std::string, std::string>> untyped;
  bool isList = false, isDict = false;
};

/// Marks its thread as the one that compiles for a unit, while it lives: what it declares then is a part of what is
/// being compiled.
class CompilingThread {
public:
  explicit CompilingThread(Compiler &compiler) : outer(std::exchange(current, &compiler)) {}
  ~CompilingThread() { current = outer; }
  CompilingThread(const CompilingThread &) = delete;
  /// Returns the compiler that the calling thread compiles with, or null.
  static Compiler *compiler() { return current; }

private:
  static thread_local Compiler *current;
  Compiler *outer;
};

/// A program that grows by functions and classes of Python's.
///
/// Threads: functions below are called by threads of Python's, with the GIL where there is one. They release it while
///          they wait or compile.
/// Errors:  text that does not compile raises tsc.CompileError; within a question of the compiler's, it raises the
/// class
///          `reported`, since the diagnostics are the outer one's.
class ScriptUnit : public std::enable_shared_from_this<ScriptUnit> {
public:
  /// `program` was loaded from an empty text, and belongs to the unit.
  ScriptUnit(ProgramRef program, nb::object reported);
  ~ScriptUnit();
  ScriptUnit(const ScriptUnit &) = delete;

  Compiler &compiler() const { return *theCompiler; }
  const ProgramRef &program() const { return loaded; }
  nb::handle reportedError() const { return reported; }
  /// Keeps the names of a text, which `scope` answers for.
  PythonScope &addScope(nb::object scope) { return scopes.add(*this, std::move(scope)); }
  /// Keeps a text.
  const SourceBuffer &addText(std::string file, std::string text);

  //===-- Definitions -------------------------------------------------------===//
  // `name` is qualified, "__torch__.f". `file` is what messages call the text's file. `scope` answers for its names.
  Definition function(std::string text, std::string file, const std::string &name, nb::object scope);
  Definition method(const Definition &type, std::string text, std::string file, const std::string &name,
                    nb::object scope);
  Definition classOf(std::string text, std::string file, const std::string &name, nb::object scope);
  Definition typeOf(std::string text, nb::object scope);
  /// Returns the type of what has no annotation: Tensor, of which messages say that nobody wrote it.
  Definition inferredTensor();
  /// Returns the class, enumeration or NamedTuple with a qualified name, or a Definition without anything.
  Definition knownType(const std::string &name);
  /// Makes a class of Python's the one that stands for a type in what compiled code gives.
  void setPythonClass(const Definition &type, nb::object object);
  Definition templateOf(std::string text, std::string file, nb::object scope, bool isLambda);
  Definition overloads(const std::vector<Definition> &functions);
  Definition constant(nb::handle value, const Definition *type);
  /// Returns what a path of a library stands for, or a Definition without anything where it is unknown.
  Definition library(const std::string &path);
  Definition namespaceOf(nb::object object, std::string description, nb::object scope);
  Definition refused(std::string description, std::string why);
  /// Registers an operator with the schema's name, which has no overload, whose calls call `callable`.
  Definition callback(const std::string &schema, std::string name, nb::object callable);
  /// Returns what calls a function that takes any number of arguments. `maker` returns the callback for a call, by the
  /// types of its arguments and the names and types of those that are given by name.
  Definition variadic(std::string name, nb::object maker);
  /// Whether a function or a class has a qualified name.
  bool isTaken(const std::string &name);

  //===-- Modules -----------------------------------------------------------===//
  /// Makes the class that `answers` answers for. It lives as long as the unit.
  PythonModuleClass &moduleClass(nb::object answers, std::string name, bool isLibrary);
  /// Makes the type of modules of one structure.
  Definition moduleType(const std::string &name, PythonModuleClass &of, const ModuleParts &parts);
  /// Returns a method of a type of modules.
  Definition findMethod(const Definition &type, const std::string &name);
  /// Sets the methods that run before and after `forward`.
  void setHooks(const Definition &type, std::vector<std::string> before, std::vector<std::string> after);
  /// Sets the methods that calls of `name` choose from.
  void setOverloads(const Definition &type, const std::string &name, const std::vector<Definition> &overloads);
  /// Makes an object of a class, with a value for each attribute of it, in their order, and returns it as a tsc.Module
  /// or tsc.Object.
  nb::object makeObject(const Definition &type, const std::vector<nb::object> &values);

  /// Makes a module of a trace, with a class of its own. Attributes are (name, value, kind); the kind is "parameter",
  /// "buffer" or "regular".
  nb::object tracedModule(const std::string &name,
                          const std::vector<std::tuple<std::string, nb::object, std::string>> &attributes);
  /// Returns the class of a module of the unit's.
  Definition typeOfModule(nb::handle module);
  /// Calls `make` with the compiler, which returns a Definition that has what was made.
  Definition declare(llvm::function_ref<Definition(Compiler &)> make) { return define(make, /*mayBeNothing=*/true); }

  //===-- What was made of them ---------------------------------------------===//
  /// Compiles a function or method with all that it calls.
  void compile(const Definition &function) { (void)entryOf(function); }
  /// Compiles a function with all that it calls, and returns what runs it.
  nb::object compiled(const Definition &function);
  /// Returns the Graph of a function: a copy, and the same one each time.
  nb::object graphOf(const Definition &function);
  /// Makes a function of a Graph, whose name nothing has.
  Definition functionOfGraph(const std::string &name, nb::handle graph);
  /// Returns (text, [constants]) of a function (Graphs.h).
  nb::object codeOf(const Definition &function);
  nb::object schemaOf(const Definition &function);
  /// Returns the bytes of an archive with the function as `forward`, and with extra files, as a dict of Python's.
  nb::bytes save(const Definition &function, nb::handle files);

private:
  /// Calls `declare` with the compiler, which returns a Definition that has what was declared, or nothing after a
  /// report.
  Definition define(llvm::function_ref<Definition(Compiler &)> declare, bool mayBeNothing = false);
  /// Returns the entry of a compiled function, and raises where it does not compile.
  Program::Entry entryOf(const Definition &function);
  Program &engine() { return *loaded->program; }
  /// Returns an object of Python's as a value of a type. `what` is what the TypeError calls it.
  IValue valueOf(nb::handle object, const Type *type, const std::string &what);

  nb::object reported;
  nb::ft_mutex graphsMutex;
  llvm::DenseMap<const Graph *, nb::object> graphs; ///< What graphOf() has made, by who holds the lock.
  KeptObjects<PythonScope> scopes;
  KeptObjects<RefusedValue> refusedValues;
  KeptObjects<PythonNamespace> namespaces;
  KeptObjects<PythonCallback> callbacks;
  KeptObjects<PythonVariadic> variadics;
  KeptObjects<PythonModuleClass> moduleClasses;
  ProgramRef loaded; ///< What compiled code runs on may outlive the unit; what compiles it uses what stands above.
  Compiler *theCompiler = nullptr;
};

} // namespace tsc::bindings

#endif
