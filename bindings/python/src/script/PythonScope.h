//===- PythonScope.h - What names in Python's functions mean ----*- C++ -*-===//
//
// A function of Python's has a text, and the names in it mean what they mean to CPython:
// variables that it closes over, globals of its module, attributes of modules. A scope is an
// object of Python's that answers for one such text (class Scope of tsc/jit/_scopes.py), and
// a PythonScope hands the compiler's questions to it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_BINDINGS_PYTHON_SCRIPT_PYTHONSCOPE_H
#define TSC_BINDINGS_PYTHON_SCRIPT_PYTHONSCOPE_H

#include "../Python.h"
#include "tsc/Frontend/Resolver.h"
#include "tsc/Frontend/SugaredValue.h"

namespace tsc {
class Compiler;
}

namespace tsc::bindings {

class ScriptUnit;

/// The names of a text of Python's. The unit owns it, with a reference to the object that answers.
///
/// Threads: called by the thread that compiles, which has not the GIL.
/// Errors:  what the object raises is reported at the place that asks, unless it was reported before.
class PythonScope final : public Resolver {
public:
  PythonScope(ScriptUnit &unit, nb::object scope) : unit(unit), scope(std::move(scope)) {}

  SugaredValue *resolveValue(llvm::StringRef name, SourceRange range) override;
  const Type *resolveType(llvm::StringRef dottedName, SourceRange range) override;
  std::string canonicalName(llvm::StringRef dottedName) override;
  std::string exceptionName(llvm::StringRef dottedName) override;
  std::vector<std::string> exceptionsWithBase(llvm::StringRef fullName) override;
  bool defines(llvm::StringRef name) override;
  bool followsPython() const override { return true; }

private:
  friend class PythonNamespace;
  ScriptUnit &unit;
  nb::object scope;
};

/// A module or class of Python's whose attributes compiled code may name: a file of the user's that another one
/// imports.
class PythonNamespace final : public SugaredValue {
public:
  PythonNamespace(PythonScope &names, nb::object object, std::string description)
      : SugaredValue(SugaredKind::OfHost), names(names), object(std::move(object)),
        description(std::move(description)) {}
  std::string describe() const override { return description; }
  SugaredValue *attribute(EmitterContext &e, SourceRange range, llvm::StringRef name) override;
  bool hasAttribute(EmitterContext &e, llvm::StringRef name) override;

private:
  PythonScope &names;
  nb::object object;
  std::string description;
};

/// A function of Python's that compiled code calls as it is, in the interpreter: `@torch.jit.ignore`. Calls are calls
/// of an operator that the unit has registered for it.
class PythonCallback final : public SugaredValue {
public:
  PythonCallback(std::string op, std::string name)
      : SugaredValue(SugaredKind::OfHost), op(std::move(op)), name(std::move(name)) {}
  std::string describe() const override { return "function '" + name + "' of Python's"; }
  SugaredValue *call(EmitterContext &e, SourceRange range, llvm::ArrayRef<NamedValue> args,
                     llvm::ArrayRef<NamedValue> kwargs) override;

private:
  std::string op, name;
};

/// A function of Python's that compiled code calls in the interpreter, and that takes any number of arguments. An
/// object of Python's is asked for the operator of a call, by the types of the arguments.
class PythonVariadic final : public SugaredValue {
public:
  PythonVariadic(ScriptUnit &unit, nb::object maker, std::string name)
      : SugaredValue(SugaredKind::OfHost), unit(unit), maker(std::move(maker)), name(std::move(name)) {}
  std::string describe() const override { return "function '" + name + "' of Python's"; }
  SugaredValue *call(EmitterContext &e, SourceRange range, llvm::ArrayRef<NamedValue> args,
                     llvm::ArrayRef<NamedValue> kwargs) override;

private:
  ScriptUnit &unit;
  nb::object maker;
  std::string name;
};

/// Something that Python has and compiled code cannot use. Each use of it is an error that says why.
class RefusedValue final : public SugaredValue {
public:
  RefusedValue(std::string description, std::string why)
      : SugaredValue(SugaredKind::OfHost), description(std::move(description)), why(std::move(why)) {}
  std::string describe() const override { return description; }
  Value *asValue(EmitterContext &e, SourceRange range) override;
  SugaredValue *attribute(EmitterContext &e, SourceRange range, llvm::StringRef name) override;
  SugaredValue *call(EmitterContext &e, SourceRange range, llvm::ArrayRef<NamedValue> args,
                     llvm::ArrayRef<NamedValue> kwargs) override;

private:
  std::string description, why;
};

} // namespace tsc::bindings

#endif
