//===- Types.cpp - dtypes, devices and their like as objects --------------===//
#include "Types.h"
#include "tsc/Tensor/DefaultDType.h"
#include <nanobind/operators.h>

using namespace tsc;
using namespace tsc::bindings;

namespace {
/// The objects of one type, by number. The module owns them.
template <size_t Count> struct Singletons {
  PyObject *all[Count] = {};
  nb::object operator[](size_t number) const {
    assert(number < Count && all[number] && "a number that has an object");
    return nb::borrow(all[number]);
  }
};
} // namespace

static Singletons<16> dtypes;
static Singletons<4> layouts;

nb::object bindings::dtypeObject(DType dtype) {
  if (dtype == DType::Opaque)
    return nb::none();
  return dtypes[static_cast<size_t>(dtype)];
}
nb::object bindings::layoutObject(Layout layout) { return layouts[static_cast<size_t>(layout)]; }
nb::object bindings::deviceObject(Device device) { return nb::cast(device); }

/// What an object of torch's prints itself as, after "torch."; "" for other objects.
static std::string nameInTorch(nb::handle object) {
  std::string type = typeNameOf(object);
  if (!llvm::StringRef(type).starts_with("torch."))
    return "";
  std::string text = shown(object);
  llvm::StringRef name = text;
  if (type == "torch.device")
    return "device:" + text;
  return name.consume_front("torch.") ? name.str() : "";
}

std::optional<IValue> bindings::typeLikeValue(nb::handle object) {
  DTypeObject *dtype = nullptr;
  if (nb::try_cast(object, dtype) && dtype)
    return IValue(dtype->number);
  Device *device = nullptr;
  if (nb::try_cast(object, device) && device)
    return IValue(*device);
  LayoutObject *layout = nullptr;
  if (nb::try_cast(object, layout) && layout)
    return IValue(layout->number);
  MemoryFormatObject *format = nullptr;
  if (nb::try_cast(object, format) && format)
    return IValue(format->number);
  GeneratorObject *generator = nullptr;
  if (nb::try_cast(object, generator) && generator)
    return IValue(generator->value);
  OpaqueObject *opaque = nullptr;
  if (nb::try_cast(object, opaque) && opaque)
    return opaque->value;
  const std::string name = nameInTorch(object);
  llvm::StringRef rest = name;
  if (rest.consume_front("device:"))
    if (auto parsed = Device::parse(rest))
      return IValue(*parsed);
  if (auto parsed = dtypeFromPythonName(name))
    return IValue(static_cast<int64_t>(*parsed));
  return std::nullopt;
}

DType bindings::dtypeOf(nb::handle object) {
  DTypeObject *dtype = nullptr;
  if (nb::try_cast(object, dtype) && dtype)
    return static_cast<DType>(dtype->number);
  std::string name;
  if (nb::isinstance<nb::str>(object))
    name = textOf(object);
  else if (object.ptr() == reinterpret_cast<PyObject *>(&PyFloat_Type))
    return defaultDType();
  else if (object.ptr() == reinterpret_cast<PyObject *>(&PyLong_Type))
    name = "int64";
  else if (object.ptr() == reinterpret_cast<PyObject *>(&PyBool_Type))
    name = "bool";
  else if (PyType_Check(object.ptr()))
    name = shown(object.attr("__name__")); // numpy.float32
  else if (nb::hasattr(object, "name"))
    name = shown(object.attr("name")); // numpy.dtype
  else
    name = nameInTorch(object);
  if (auto found = dtypeFromPythonName(name))
    return *found;
  raise(PyExc_TypeError, "expected a dtype, such as tsc.float32, but got " + represented(object));
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

template <typename T> static nb::class_<T> bindNumbered(nb::module_ &module, const char *name, const char *doc) {
  return nb::class_<T>(module, name, doc)
      .def("__repr__", [](const T &self) { return "torch." + self.name; })
      .def("__reduce__", [](const T &self) { return self.name; }) // a name of this module's
      .def("__int__", [](const T &self) { return self.number; });
}

template <typename T, size_t Count>
static void addOne(nb::module_ &module, Singletons<Count> &all, int64_t number, const std::string &name) {
  T made;
  made.number = number;
  made.name = name;
  nb::object object = nb::cast(made);
  all.all[number] = object.ptr();
  module.attr(name.c_str()) = object;
}

static void bindDTypes(nb::module_ &module) {
  bindNumbered<DTypeObject>(module, "dtype", "The type of a tensor's elements. Programs see it as an int.")
      .def_prop_ro("is_floating_point",
                   [](const DTypeObject &self) { return isFloating(static_cast<DType>(self.number)); })
      .def_prop_ro("is_complex", [](const DTypeObject &self) { return isComplex(static_cast<DType>(self.number)); })
      .def_prop_ro(
          "itemsize", [](const DTypeObject &self) { return itemSize(static_cast<DType>(self.number)); },
          "The bytes of an element.");
  for (int64_t number = 0; number != 16; ++number)
    addOne<DTypeObject>(module, dtypes, number, pythonName(static_cast<DType>(number)).str());
  for (const char *synonym : {"half", "float", "double", "cfloat", "cdouble", "short", "int", "long"})
    module.attr(synonym) = dtypes[static_cast<size_t>(*dtypeFromPythonName(synonym))];
}

static void bindDevice(nb::module_ &module) {
  nb::class_<Device>(module, "device", "Where a tensor's elements are: device('cpu'), device('cuda', 0).")
      .def(
          "__init__",
          [](Device *self, const std::string &text, std::optional<int> index) {
            std::optional<Device> parsed = Device::parse(index ? text + ":" + std::to_string(*index) : text);
            if (!parsed)
              raise(PyExc_RuntimeError, "'" + text + "' is no name of a device, such as 'cpu' or 'cuda:0'");
            new (self) Device(*parsed);
          },
          nb::arg("type"), nb::arg("index") = nb::none())
      .def_prop_ro("type", [](const Device &self) { return Device{self.kind, -1}.str(); })
      .def_prop_ro(
          "index",
          [](const Device &self) { return self.index < 0 ? std::optional<int>() : std::optional<int>(self.index); })
      .def("__eq__",
           [](const Device &self, nb::handle other) {
             Device *device = nullptr;
             return nb::try_cast(other, device) && device && *device == self;
           })
      .def("__hash__", [](const Device &self) { return static_cast<int>(self.kind) * 256 + self.index; })
      .def("__str__", &Device::str)
      .def("__repr__",
           [](const Device &self) {
             return "device(type='" + Device{self.kind, -1}.str() + "'" +
                    (self.index < 0 ? "" : ", index=" + std::to_string(self.index)) + ")";
           })
      .def("__reduce__",
           [](const Device &self) { return nb::make_tuple(nb::type<Device>(), nb::make_tuple(self.str())); });
}

static void bindGenerator(nb::module_ &module) {
  nb::class_<GeneratorObject>(module, "Generator", "Random numbers, for operators that take a `generator`.")
      .def("__init__", [](GeneratorObject *self) { new (self) GeneratorObject{makeRef<GeneratorValue>()}; })
      .def(
          "manual_seed",
          [](nb::object self, uint64_t seed) {
            nb::cast<GeneratorObject &>(self).value->generator.setSeed(seed);
            return self;
          },
          nb::arg("seed"), "Begins the sequence of a seed, and returns the generator.")
      .def("initial_seed", [](const GeneratorObject &self) { return self.value->generator.seed(); });
}

void bindings::bindTypes(nb::module_ &module) {
  bindGenerator(module);
  bindDTypes(module);
  bindDevice(module);
  bindNumbered<LayoutObject>(module, "layout", "How a tensor keeps its elements. Programs see it as an int.");
  addOne<LayoutObject>(module, layouts, 0, "strided");
  addOne<LayoutObject>(module, layouts, 1, "sparse_coo");
  addOne<LayoutObject>(module, layouts, 2, "sparse_csr");
  addOne<LayoutObject>(module, layouts, 3, "_mkldnn");
  bindNumbered<MemoryFormatObject>(module, "memory_format",
                                   "The order of a tensor's elements in memory. Programs see it as an int.");
  static Singletons<4> formats;
  addOne<MemoryFormatObject>(module, formats, 0, "contiguous_format");
  addOne<MemoryFormatObject>(module, formats, 1, "preserve_format");
  addOne<MemoryFormatObject>(module, formats, 2, "channels_last");
  addOne<MemoryFormatObject>(module, formats, 3, "channels_last_3d");
  nb::class_<OpaqueObject>(module, "Opaque",
                           "A value of a program's that can be handed back to it, and not be looked into.")
      .def("__repr__", [](const OpaqueObject &) { return "<a value of a program's>"; });
}
