//===- GraphTypes.cpp - Types as Python has them --------------------------===//
#include "../Types.h"
#include "GraphObjects.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/Support/Diagnostics.h"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

using namespace tsc;
using namespace tsc::bindings;

/// The name of PyTorch's class for types of a kind.
static const char *nameOfKind(TypeKind kind) {
  switch (kind) {
  case TypeKind::Any: return "AnyType";
  case TypeKind::Number: return "NumberType";
  case TypeKind::Int: return "IntType";
  case TypeKind::Float: return "FloatType";
  case TypeKind::Complex: return "ComplexType";
  case TypeKind::Bool: return "BoolType";
  case TypeKind::String: return "StringType";
  case TypeKind::None: return "NoneType";
  case TypeKind::Device: return "DeviceObjType";
  case TypeKind::Stream: return "StreamObjType";
  case TypeKind::Generator: return "GeneratorType";
  case TypeKind::Storage: return "StorageType";
  case TypeKind::Quantizer: return "QuantizerType";
  case TypeKind::QScheme: return "QSchemeType";
  case TypeKind::Layout: return "LayoutType";
  case TypeKind::ScalarType: return "ScalarTypeType";
  case TypeKind::MemoryFormat: return "MemoryFormatType";
  case TypeKind::Capsule: return "CapsuleType";
  case TypeKind::PyObject: return "PyObjectType";
  case TypeKind::AnyList: return "AnyListType";
  case TypeKind::AnyTuple: return "AnyTupleType";
  case TypeKind::AnyClass: return "AnyClassType";
  case TypeKind::AnyEnum: return "AnyEnumType";
  case TypeKind::SymInt: return "SymIntType";
  case TypeKind::Tensor: return "TensorType";
  case TypeKind::List: return "ListType";
  case TypeKind::Dict: return "DictType";
  case TypeKind::Tuple: return "TupleType";
  case TypeKind::Optional: return "OptionalType";
  case TypeKind::Union: return "UnionType";
  case TypeKind::Future: return "FutureType";
  case TypeKind::Await: return "AwaitType";
  case TypeKind::RRef: return "RRefType";
  case TypeKind::Var: return "VarType";
  case TypeKind::Function: return "FunctionType";
  case TypeKind::Class: return "ClassType";
  case TypeKind::Interface: return "InterfaceType";
  case TypeKind::Enum: return "EnumType";
  }
  llvm_unreachable("a kind of types");
}

static TypeObject typed(const TypeObject &self, const Type *type) { return {self.program, type}; }

static std::vector<TypeObject> containedIn(const TypeObject &self) {
  std::vector<TypeObject> types;
  for (const Type *type : self.type->contained())
    types.push_back(typed(self, type));
  return types;
}

/// The element type at a position, of a type that `isRight` says has it.
static TypeObject part(const TypeObject &self, bool isRight, unsigned index, const char *what) {
  if (!isRight)
    raise(PyExc_RuntimeError, self.type->str() + " is no type with " + what);
  return typed(self, self.type->contained()[index]);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static const TensorFacts &factsOf(const TypeObject &self) {
  auto *type = llvm::dyn_cast<TensorType>(self.type);
  if (!type)
    raise(PyExc_RuntimeError, self.type->str() + " is no type of tensors");
  return type->facts();
}

/// The type of tensors with facts that `change` changes.
template <typename F> static TypeObject withFacts(const TypeObject &self, F &&change) {
  TensorFacts facts = factsOf(self);
  change(facts);
  return typed(self, self.program->program->context().tensor(facts));
}

using Sizes = std::optional<llvm::SmallVector<Dimension, 4>>;

/// The sizes as a list, in which None stands for those that are not known; None where their number is not known.
static nb::object varying(const Sizes &sizes) {
  if (!sizes)
    return nb::none();
  nb::list list;
  for (const Dimension &one : *sizes)
    list.append(one.isKnown() ? nb::object(nb::int_(one.value())) : nb::none());
  return list;
}

/// The sizes as a list; None where one is not known.
static nb::object complete(const Sizes &sizes) {
  if (!sizes || llvm::any_of(*sizes, [](const Dimension &one) { return !one.isKnown(); }))
    return nb::none();
  return varying(sizes);
}

/// The sizes as a list, in which symbols are negative numbers; None where their number is not known.
static nb::object symbolic(const TypeObject &self) {
  const Sizes &sizes = factsOf(self).sizes;
  if (!sizes)
    return nb::none();
  nb::list list;
  for (const Dimension &one : *sizes)
    list.append(one.isKnown()      ? nb::object(nb::int_(one.value()))
                : one.isSymbolic() ? nb::object(nb::int_(-1 - one.value()))
                                   : nb::none());
  return list;
}

/// A list of sizes, or None: a number from 0 on is a size, a negative one a symbol, None not known.
static Sizes takeSizes(nb::handle given) {
  if (given.is_none())
    return std::nullopt;
  Sizes sizes;
  sizes.emplace();
  for (nb::handle one : given) {
    if (one.is_none()) {
      sizes->push_back(Dimension());
      continue;
    }
    const auto number = nb::cast<int64_t>(one);
    sizes->push_back(number >= 0 ? Dimension::known(number) : Dimension::symbolic(-1 - number));
  }
  return sizes;
}

static nb::object dtypeOfType(const TypeObject &self) {
  const TensorFacts &facts = factsOf(self);
  if (!facts.dtype)
    return nb::none();
  return giveValue(IValue(static_cast<int64_t>(*facts.dtype)), self.program);
}

static nb::object deviceOfType(const TypeObject &self) {
  const TensorFacts &facts = factsOf(self);
  return facts.device ? giveValue(IValue(*facts.device), self.program) : nb::none();
}

static Device takeDevice(nb::handle given, const ProgramRef &program) {
  IValue value = takeValue(given, program);
  if (!value.isDevice())
    raise(PyExc_TypeError, "a device is wanted, and not a " + typeNameOf(given));
  return value.toDevice();
}

static void bindTensorFacts(nb::class_<TypeObject> &type) {
  type.def("scalarType",
           [](const TypeObject &self) {
             const TensorFacts &facts = factsOf(self);
             return facts.dtype ? std::optional(irName(*facts.dtype).str()) : std::nullopt;
           })
      .def("dtype", dtypeOfType)
      .def("device", deviceOfType)
      .def("dim",
           [](const TypeObject &self) {
             const Sizes &sizes = factsOf(self).sizes;
             return sizes ? std::optional(sizes->size()) : std::nullopt;
           })
      .def("sizes", [](const TypeObject &self) { return complete(factsOf(self).sizes); })
      .def("varyingSizes", [](const TypeObject &self) { return varying(factsOf(self).sizes); })
      .def("symbolic_sizes", symbolic)
      .def("strides", [](const TypeObject &self) { return complete(factsOf(self).strides); })
      .def("undefined", [](const TypeObject &self) { return factsOf(self).undefined; })
      .def("requires_grad", [](const TypeObject &self) { return factsOf(self).requiresGrad.value_or(true); })
      .def("requiresGrad", [](const TypeObject &self) { return factsOf(self).requiresGrad.value_or(true); })
      .def("with_dtype",
           [](const TypeObject &self, nb::handle dtype) {
             return withFacts(self, [&](TensorFacts &facts) { facts.dtype = dtypeOf(dtype); });
           })
      .def(
          "with_device",
          [](const TypeObject &self, nb::handle device) {
            return withFacts(self, [&](TensorFacts &facts) {
              facts.device = device.is_none() ? std::optional<Device>() : takeDevice(device, self.program);
            });
          },
          nb::arg("device").none())
      .def(
          "with_sizes",
          [](const TypeObject &self, nb::handle sizes) {
            return withFacts(self, [&](TensorFacts &facts) {
              facts.sizes = takeSizes(sizes);
              facts.strides.reset();
            });
          },
          nb::arg("sizes").none());
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

static void bindParts(nb::class_<TypeObject> &type) {
  type.def("elements",
           [](const TypeObject &self) {
             if (!llvm::isa<TupleType>(self.type))
               raise(PyExc_RuntimeError, self.type->str() + " is no type of tuples");
             return containedIn(self);
           })
      .def("containedTypes", containedIn)
      .def("getElementType",
           [](const TypeObject &self) { return part(self, llvm::isa<ElementType>(self.type), 0, "one element type"); })
      .def("getKeyType",
           [](const TypeObject &self) { return part(self, llvm::isa<DictType>(self.type), 0, "a key type"); })
      .def("getValueType",
           [](const TypeObject &self) { return part(self, llvm::isa<DictType>(self.type), 1, "a value type"); })
      .def("is_module",
           [](const TypeObject &self) {
             auto *type = llvm::dyn_cast<ClassType>(self.type);
             return type && type->isModule();
           })
      .def("is_interface_type", [](const TypeObject &self) { return llvm::isa<InterfaceType>(self.type); })
      .def("qualified_name",
           [](const TypeObject &self) {
             if (auto *named = llvm::dyn_cast<NamedType>(self.type))
               return named->name().str();
             if (auto *tuple = llvm::dyn_cast<TupleType>(self.type); tuple && tuple->isNamed())
               return tuple->name().str();
             raise(PyExc_RuntimeError, self.type->str() + " has no name");
           })
      .def("name", [](const TypeObject &self) {
        if (auto *named = llvm::dyn_cast<NamedType>(self.type))
          return named->name().rsplit('.').second.str();
        raise(PyExc_RuntimeError, self.type->str() + " has no name");
      });
}

//===----------------------------------------------------------------------===//
// Schemas
//===----------------------------------------------------------------------===//

namespace {
/// A signature.
struct SchemaObject {
  FunctionSchema schema;
  ProgramRef program;
};
/// An argument or a result of a signature.
struct ArgumentObject {
  Argument argument;
  ProgramRef program;
};
} // namespace

nb::object bindings::makeSchema(FunctionSchema schema, const ProgramRef &program) {
  return nb::cast(SchemaObject{std::move(schema), program});
}

static std::vector<ArgumentObject> argumentsIn(ArrayRef<Argument> arguments, const ProgramRef &program) {
  std::vector<ArgumentObject> objects;
  for (const Argument &argument : arguments)
    objects.push_back({argument, program});
  return objects;
}

static void bindSchemas(nb::module_ &module) {
  nb::class_<ArgumentObject>(module, "Argument", "An argument or a result of a signature.")
      .def_prop_ro("name", [](const ArgumentObject &self) { return self.argument.name; })
      .def_prop_ro("type", [](const ArgumentObject &self) { return TypeObject{self.program, self.argument.type}; })
      .def_prop_ro("N", [](const ArgumentObject &self) { return self.argument.fixedLength; })
      .def_prop_ro("kwarg_only", [](const ArgumentObject &self) { return self.argument.keywordOnly; })
      .def_prop_ro("default_value",
                   [](const ArgumentObject &self) {
                     const std::optional<IValue> &value = self.argument.defaultValue;
                     return value ? giveValue(*value, self.program) : nb::none();
                   })
      .def("has_default_value", [](const ArgumentObject &self) { return self.argument.defaultValue.has_value(); });
  nb::class_<SchemaObject>(module, "FunctionSchema", "The signature of a function.")
      .def_prop_ro("name", [](const SchemaObject &self) { return self.schema.name().str(); })
      .def_prop_ro("overload_name", [](const SchemaObject &self) { return self.schema.overloadName().str(); })
      .def_prop_ro("arguments",
                   [](const SchemaObject &self) { return argumentsIn(self.schema.arguments(), self.program); })
      .def_prop_ro("returns", [](const SchemaObject &self) { return argumentsIn(self.schema.returns(), self.program); })
      .def_prop_ro("is_mutable", [](const SchemaObject &self) { return self.schema.isMutating(); })
      .def("__str__", [](const SchemaObject &self) { return self.schema.str(); })
      .def("__repr__", [](const SchemaObject &self) { return self.schema.str(); })
      .def("__eq__",
           [](const SchemaObject &self, nb::handle other) {
             return (PyUnicode_Check(other.ptr()) || nb::isinstance<SchemaObject>(other)) &&
                    nb::cast<std::string>(nb::str(other)) == self.schema.str();
           })
      .def("__hash__", [](const SchemaObject &self) { return std::hash<std::string>()(self.schema.str()); });
}

/// The text that an object of PyTorch's has for a type, as graphs have it.
static std::string textOfType(nb::handle type) { return nb::cast<std::string>(type.attr("str")()); }

static TypeObject parsed(const ProgramRef &program, const std::string &text) {
  Context &context = program->program->context();
  DiagnosticEngine diagnostics;
  auto type = parseType(context, context.sources().add("<type>", text), diagnostics);
  if (failed(type))
    raise(PyExc_RuntimeError, diagnostics.str());
  return {program, *type};
}

const Type *bindings::takeType(nb::handle object, const ProgramRef &program) {
  TypeObject *type = nullptr;
  if (nb::try_cast(object, type) && type && &type->program->program->context() == &program->program->context())
    return type->type;
  if (PyUnicode_Check(object.ptr()))
    return parsed(program, bindings::textOf(object)).type;
  if (type || nb::hasattr(object, "annotation_str"))
    return parsed(program, textOfType(object)).type;
  raise(PyExc_TypeError, "a type is wanted, and not a " + typeNameOf(object));
}

void bindings::bindGraphTypes(nb::module_ &module) {
  nb::class_<TypeObject> type(module, "Type", "The type of a value.");
  type.def("kind", [](const TypeObject &self) { return nameOfKind(self.type->kind()); })
      .def("str", [](const TypeObject &self) { return self.type->str(); })
      .def("__str__", [](const TypeObject &self) { return self.type->annotation(); })
      .def("__repr__", [](const TypeObject &self) { return self.type->annotation(); })
      .def_prop_ro("annotation_str", [](const TypeObject &self) { return self.type->annotation(); })
      .def("isSubtypeOf",
           [](const TypeObject &self, const TypeObject &other) { return self.type->isSubtypeOf(other.type); })
      .def("__hash__", [](const TypeObject &self) { return reinterpret_cast<intptr_t>(self.type) >> 4; })
      .def("__eq__", [](const TypeObject &self, nb::handle other) {
        TypeObject *type = nullptr;
        if (nb::try_cast(other, type) && type)
          return self.type == type->type || self.type->str() == type->type->str();
        return nb::hasattr(other, "annotation_str") && textOfType(other) == self.type->str();
      });
  bindParts(type);
  bindTensorFacts(type);
  bindSchemas(module);
  module.def("_parse_type", parsed, nb::arg("program"), nb::arg("text"));
}
