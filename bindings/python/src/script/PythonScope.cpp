//===- PythonScope.cpp - What names in Python's functions mean ------------===//
#include "PythonScope.h"
#include "Asking.h"
#include "tsc/Frontend/EmitterContext.h"
#include "tsc/IR/SchemaMatching.h"

using namespace tsc;
using namespace tsc::bindings;
using llvm::ArrayRef;
using llvm::StringRef;

static nb::object makeName(StringRef name) { return makeStr({name.data(), name.size()}); }

/// What an answer stands for: a Definition of the unit, or None where nothing is known.
static const Definition *definitionIn(const nb::object &answer) {
  return answer.is_none() ? nullptr : nb::cast<const Definition *>(answer);
}

SugaredValue *PythonScope::resolveValue(StringRef name, SourceRange range) {
  return ask(unit, range, static_cast<SugaredValue *>(nullptr), [&]() -> SugaredValue * {
    const Definition *found = definitionIn(scope.attr("value")(makeName(name)));
    return found ? found->value : nullptr;
  });
}

const Type *PythonScope::resolveType(StringRef dottedName, SourceRange range) {
  return ask(unit, range, static_cast<const Type *>(nullptr), [&]() -> const Type * {
    const Definition *found = definitionIn(scope.attr("type")(makeName(dottedName)));
    return found ? found->type : nullptr;
  });
}

std::string PythonScope::canonicalName(StringRef dottedName) {
  return ask(unit, {}, dottedName.str(), [&] { return textOf(scope.attr("canonical")(makeName(dottedName))); });
}

std::string PythonScope::exceptionName(StringRef dottedName) {
  if (dottedName.empty())
    return "";
  std::string name =
      ask(unit, {}, std::string(), [&] { return textOf(scope.attr("exception")(makeName(dottedName))); });
  return StringRef(name).starts_with("builtins.") ? Resolver::exceptionName(name) : name;
}

std::vector<std::string> PythonScope::exceptionsWithBase(StringRef fullName) {
  return ask(unit, {}, std::vector<std::string>(), [&] {
    std::vector<std::string> names;
    for (nb::handle name : scope.attr("exceptions_below")(makeName(fullName)))
      names.push_back(textOf(name));
    return names;
  });
}

bool PythonScope::defines(StringRef name) {
  return ask(unit, {}, false, [&] { return nb::cast<bool>(scope.attr("defines")(makeName(name))); });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

SugaredValue *PythonNamespace::attribute(EmitterContext &e, SourceRange range, StringRef name) {
  bool isKnown = true;
  SugaredValue *value = ask(names.unit, range, static_cast<SugaredValue *>(nullptr), [&]() -> SugaredValue * {
    const Definition *found = definitionIn(names.scope.attr("attribute")(object, makeName(name)));
    isKnown = found;
    return found ? found->value : nullptr;
  });
  if (isKnown)
    return value;
  return e.error(range, raisedByPython, description + " object has no attribute " + name.str());
}

bool PythonNamespace::hasAttribute(EmitterContext &e, StringRef name) {
  return ask(names.unit, {}, false, [&] { return nb::hasattr(object, makeName(name)); });
}

SugaredValue *PythonCallback::call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                                   ArrayRef<NamedValue> kwargs) {
  Value *result = e.callOperator(range, op, args, kwargs);
  return result ? e.sugaredValue(result) : nullptr;
}

SugaredValue *PythonVariadic::call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                                   ArrayRef<NamedValue> kwargs) {
  SugaredValue *callee = ask(unit, range, static_cast<SugaredValue *>(nullptr), [&]() -> SugaredValue * {
    nb::list types, names;
    for (const NamedValue &one : args)
      types.append(makeStr(one.value ? one.value->type()->str() : std::string("Any")));
    for (const NamedValue &one : kwargs)
      names.append(nb::make_tuple(makeStr(one.name), makeStr(one.value ? one.value->type()->str() : "Any")));
    const Definition *found = definitionIn(maker(types, names));
    return found ? found->value : nullptr;
  });
  return callee ? callee->call(e, range, args, kwargs) : nullptr;
}

Value *RefusedValue::asValue(EmitterContext &e, SourceRange range) { return e.error(range, raisedByPython, why); }

SugaredValue *RefusedValue::attribute(EmitterContext &e, SourceRange range, StringRef) {
  return e.error(range, raisedByPython, why);
}

SugaredValue *RefusedValue::call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue>, ArrayRef<NamedValue>) {
  return e.error(range, raisedByPython, why);
}
