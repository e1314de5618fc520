//===- Types.h - dtypes, devices and their like as objects ------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_TYPES_H
#define TSC_BINDINGS_PYTHON_TYPES_H

#include "Python.h"
#include "tsc/IR/IValue.h"
#include "tsc/Tensor/Scalar.h"
#include <optional>

namespace tsc::bindings {

/// A dtype, layout or memory format as Python sees it: an object that programs see as PyTorch's number for it. There is
/// one object for each.
struct Numbered {
  int64_t number;
  std::string name; ///< The name that it has behind `torch.`: "float32".
};
/// A tsc.dtype.
struct DTypeObject : Numbered {};
/// A tsc.layout.
struct LayoutObject : Numbered {};
/// A tsc.memory_format.
struct MemoryFormatObject : Numbered {};

/// A tsc.Generator: random numbers for operators that take a `generator`, and for programs.
struct GeneratorObject {
  Ref<GeneratorValue> value;
};

/// A program's value that Python can hold and hand on, but not look into.
struct OpaqueObject {
  IValue value;
};

/// Returns the one object of a dtype.
nb::object dtypeObject(DType dtype);
/// Returns the one object of a layout.
nb::object layoutObject(Layout layout);
/// Returns an object for a device.
nb::object deviceObject(Device device);
/// Returns the value that an object of one of these types, or its counterpart in torch, stands for; nothing for others.
std::optional<IValue> typeLikeValue(nb::handle object);
/// Returns the dtype that an object names: a dtype of tsc's, torch's or NumPy's, or a name. Raises TypeError for
/// others.
DType dtypeOf(nb::handle object);

/// Binds these types and their objects.
void bindTypes(nb::module_ &module);

} // namespace tsc::bindings

#endif
