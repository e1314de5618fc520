//===- PythonModules.cpp - Classes of Python's modules --------------------===//
#include "PythonModules.h"
#include "../Values.h"
#include "Asking.h"
#include "ScriptUnit.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/HostDefinitions.h"
#include "tsc/Runtime/Dispatch/Arguments.h"
#include <nanobind/stl/tuple.h>

using namespace tsc;
using namespace tsc::bindings;
using llvm::StringRef;

std::optional<HostMethod> PythonModuleClass::findMethod(StringRef name, const HostModuleClass *after) {
  return ask(unit, {}, std::optional<HostMethod>(), [&]() -> std::optional<HostMethod> {
    nb::object behind = after ? static_cast<const PythonModuleClass *>(after)->answers : nb::object(nb::none());
    nb::object found = answers.attr("method")(makeStr({name.data(), name.size()}), behind);
    if (found.is_none())
      return std::nullopt;
    auto [text, file, scope, owner, binding] =
        nb::cast<std::tuple<std::string, std::string, nb::object, PythonModuleClass *, std::string>>(found);
    HostMethod method;
    method.text = &unit.addText(std::move(file), std::move(text));
    method.names = &unit.addScope(std::move(scope));
    method.owner = owner;
    method.binding = binding == "static"     ? HostMethod::Binding::Static
                     : binding == "property" ? HostMethod::Binding::Property
                                             : HostMethod::Binding::Method;
    return method;
  });
}

bool PythonModuleClass::derivesFrom(StringRef library) {
  return ask(unit, {}, false, [&] {
    return nb::cast<bool>(answers.attr("derives_from_library")(makeStr({library.data(), library.size()})));
  });
}

bool PythonModuleClass::derivesFromUsers(StringRef name) {
  return ask(unit, {}, false,
             [&] { return nb::cast<bool>(answers.attr("derives_from_users")(makeStr({name.data(), name.size()}))); });
}

std::vector<std::string> PythonModuleClass::attributeNames() {
  return ask(unit, {}, std::vector<std::string>(), [&] {
    std::vector<std::string> names;
    for (nb::handle name : answers.attr("names")())
      names.push_back(textOf(name));
    return names;
  });
}

//===----------------------------------------------------------------------===//
// What the unit makes of them
//===----------------------------------------------------------------------===//

PythonModuleClass &ScriptUnit::moduleClass(nb::object answers, std::string name, bool isLibrary) {
  return moduleClasses.add(*this, std::move(answers), std::move(name), isLibrary);
}

/// Returns the class of what is raised for a value of another type than the one that is wanted: a TypeError, which is
/// also the RuntimeError that torch.jit raises.
static PyObject *castError() {
  return owned(PyImport_ImportModule("tsc._errors")).attr("class_named")("builtins.TypeError").ptr();
}

IValue ScriptUnit::valueOf(nb::handle object, const Type *type, const std::string &what) {
  auto *interface = llvm::dyn_cast<InterfaceType>(type);
  IValue value;
  try {
    value = toIValue(object, loaded.get());
  } catch (nb::python_error &error) {
    if (!interface || !error.matches(PyExc_TypeError))
      throw;
    raise(PyExc_RuntimeError, what + " should be a " + type->annotation() + ", but its class '" + typeNameOf(object) +
                                  "' is not scripted: the value is not a TorchScript compatible type");
  }
  std::optional<IValue> converted = convertTo(engine().context(), value, type);
  if (converted)
    return *std::move(converted);
  std::string why;
  if (interface && !value.dynamicType(engine().context())->isSubtypeOf(type, &why))
    raise(PyExc_RuntimeError, what + " is not compatible with interface " + type->annotation() + ": " + why);
  raise(castError(), "Could not cast " + what + " to type " + type->annotation() + ": " + what + " is a " +
                         typeNameOf(object) + ", and should be a " + type->annotation());
}

Definition ScriptUnit::moduleType(const std::string &name, PythonModuleClass &of, const ModuleParts &parts) {
  HostModuleType made;
  made.type = &of;
  for (const auto &[attribute, type, kind] : parts.attributes)
    made.attributes.push_back({attribute, type.type,
                               kind == "parameter" ? AttributeKind::Parameter
                               : kind == "buffer"  ? AttributeKind::Buffer
                                                   : AttributeKind::Regular});
  for (const auto &[constant, value, type] : parts.constants)
    made.constants.emplace_back(constant, valueOf(value, type.type, "constant '" + constant + "'"));
  for (const auto &[attribute, value] : parts.values)
    made.values.emplace_back(attribute, value.value);
  made.children = parts.children;
  made.untyped = parts.untyped;
  made.isList = parts.isList;
  made.isDict = parts.isDict;
  return define([&](Compiler &compiler) {
    Definition module;
    module.type = declareModule(compiler, name, std::move(made));
    return module;
  });
}

Definition ScriptUnit::findMethod(const Definition &type, const std::string &name) {
  auto *classType = llvm::dyn_cast_or_null<ClassType>(type.type);
  if (!classType)
    raise(PyExc_TypeError, "only classes have methods");
  return define([&](Compiler &compiler) {
    Definition found;
    found.function = compiler.findMethod(*classType, name);
    return found;
  });
}

void ScriptUnit::setHooks(const Definition &type, std::vector<std::string> before, std::vector<std::string> after) {
  auto *classType = const_cast<ClassType *>(llvm::dyn_cast_or_null<ClassType>(type.type));
  if (!classType)
    raise(PyExc_TypeError, "only classes have hooks");
  classType->forwardHooks().before = std::move(before);
  classType->forwardHooks().after = std::move(after);
}

void ScriptUnit::setOverloads(const Definition &type, const std::string &name,
                              const std::vector<Definition> &overloads) {
  auto *classType = llvm::dyn_cast_or_null<ClassType>(type.type);
  std::vector<Function *> methods;
  for (const Definition &one : overloads)
    methods.push_back(one.function);
  if (!classType || methods.empty() || llvm::is_contained(methods, nullptr))
    raise(PyExc_TypeError, "overloads are methods of a class");
  (void)define(
      [&](Compiler &compiler) {
        tsc::setOverloads(compiler, *classType, name, std::move(methods));
        return Definition();
      },
      /*mayBeNothing=*/true);
}

nb::object ScriptUnit::makeObject(const Definition &type, const std::vector<nb::object> &values) {
  auto *classType = llvm::dyn_cast_or_null<ClassType>(type.type);
  if (!classType || classType->numAttributes() != values.size())
    raise(PyExc_TypeError, "an object has one value for each attribute of its class");
  auto object = makeRef<ObjectValue>(classType, values.size());
  for (size_t i = 0; i != values.size(); ++i) {
    const ClassAttribute &attribute = classType->attribute(i);
    object->slots[i] = valueOf(values[i], attribute.type, "attribute '" + attribute.name + "'");
  }
  return toPython(IValue(std::move(object)), loaded);
}
