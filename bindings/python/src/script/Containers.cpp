//===- Containers.cpp - Lists and dicts shared with Python ----------------===//
//
// Compiled code that is given a list of Python's changes a copy. One of these is the
// program's own value: what compiled code does to it, Python sees, and the other way
// round. tsc/jit/_containers.py gives it the methods of Python's lists and dicts.
//
//===----------------------------------------------------------------------===//
#include "Containers.h"
#include "../Calls.h"
#include "../Values.h"
#include "ScriptUnit.h"
#include "tsc/Runtime/Dispatch/Arguments.h"
#include "tsc/Runtime/Dispatch/CallByName.h"
#include <nanobind/stl/shared_ptr.h>

using namespace tsc;
using namespace tsc::bindings;

namespace {
/// A list or dict with its type.
struct ContainerObject {
  std::shared_ptr<ScriptUnit> unit;
  const Type *type;
  IValue value;

  LoadedProgram &program() const { return *unit->program(); }
  /// Returns an object of Python's as a value of a type. Raises TypeError for one that is none.
  IValue convert(nb::handle object, const Type *to) const;
  /// Returns the type of the argument that a letter stands for.
  const Type *typeOf(char letter) const;
};
} // namespace

IValue ContainerObject::convert(nb::handle object, const Type *to) const {
  IValue given = toIValue(object, &program());
  std::optional<IValue> converted = convertTo(program().program->context(), given, to);
  if (!converted)
    raise(PyExc_TypeError,
          "a " + type->annotation() + " takes a " + to->annotation() + ", and no " + typeNameOf(object));
  return *std::move(converted);
}

const Type *ContainerObject::typeOf(char letter) const {
  const auto *list = llvm::dyn_cast<ListType>(type);
  switch (letter) {
  case 'e': return list->element();
  case 'k': return llvm::cast<DictType>(type)->key();
  case 'v': return llvm::cast<DictType>(type)->value();
  case 'c': return type;
  default: return Type::intType();
  }
}

std::optional<IValue> bindings::valueOfContainer(nb::handle object) {
  ContainerObject *container = nullptr;
  if (nb::try_cast(object, container) && container)
    return container->value;
  return std::nullopt;
}

static void makeContainer(ContainerObject *self, const Definition &type, nb::object content) {
  if (!llvm::isa_and_nonnull<ListType, DictType>(type.type))
    raise(PyExc_TypeError, "the type of a container is one of a list or dict");
  new (self) ContainerObject{type.unit, type.type, IValue()};
  try {
    self->value = self->convert(content, type.type);
  } catch (...) { // the object is gone before nanobind knows that it was there
    self->~ContainerObject();
    throw;
  }
}

/// Calls an operator on the container. Each letter of `kinds` tells what an argument is: an int (i), an element (e), a
/// key (k), a value (v), or a container of the same type (c).
static nb::object callOn(const ContainerObject &self, const std::string &op, const std::string &kinds, nb::args args) {
  std::vector<IValue> given{self.value};
  size_t at = 0;
  for (nb::handle argument : args)
    given.push_back(self.convert(argument, self.typeOf(kinds[at++])));
  EngineCall call(self.program().program->context());
  std::vector<IValue> results = self.program().orRaise(
      call.run([&] { return callOperator(call.context(), op, std::move(given), KeywordArguments()); }));
  return results.empty() ? nb::object(nb::none()) : toPython(results.front(), self.unit->program());
}

void bindings::bindContainers(nb::module_ &module) {
  nb::class_<ContainerObject>(module, "Container", "A list or dict that Python and compiled code share.")
      .def("__init__", makeContainer, nb::arg("type"), nb::arg("content"))
      .def("_call", callOn)
      .def("_check", [](const ContainerObject &self, const std::string &kind,
                        nb::object object) { (void)self.convert(object, self.typeOf(kind[0])); })
      .def("_copy", [](const ContainerObject &self) { return toPython(self.value, self.unit->program()); })
      .def_prop_ro("_type",
                   [](const ContainerObject &self) {
                     Definition made;
                     made.unit = self.unit;
                     made.type = self.type;
                     return made;
                   })
      .def("_annotation", [](const ContainerObject &self) { return self.type->annotation(); });
}
