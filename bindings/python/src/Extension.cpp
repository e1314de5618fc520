//===- Extension.cpp - The module tsc._tsc --------------------------------===//
//
// Everything public stands in the package tsc, which takes it from here.
//
//===----------------------------------------------------------------------===//
#include "Callee.h"
#include "Eager.h"
#include "Loading.h"
#include "ModuleObject.h"
#include "TensorObject.h"
#include "Tools.h"
#include "Types.h"
#include "script/Script.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Tensor/Bools.h"
#include <cstring>
#include <nanobind/stl/vector.h>
#include <stdexcept>

using namespace tsc;
using namespace tsc::bindings;

static nb::object tensorFrom(nb::object data, nb::object dtype, bool requiresGrad) {
  std::optional<DType> wanted;
  if (!dtype.is_none())
    wanted = dtypeOf(dtype);
  Tensor made = tensorOfData(data, wanted);
  if (requiresGrad)
    requireGrad(made, true);
  return wrapTensor(std::move(made));
}

/// The bytes of a pickle as a tensor.
static nb::object tensorOfBytes(nb::bytes bytes, nb::object dtype, std::vector<int64_t> sizes, bool requiresGrad) {
  Tensor made = orRaise(Tensor::empty(sizes, dtypeOf(dtype)));
  if (static_cast<size_t>(made.numel()) * itemSize(made.dtype()) != bytes.size())
    raise(PyExc_ValueError, "a pickled tensor has other sizes than its bytes");
  if (made.dtype() == DType::Bool && !areBools(bytes.c_str(), bytes.size()))
    raise(PyExc_ValueError, "a byte of a pickled tensor of bools is neither 0 nor 1");
  if (bytes.size() != 0)
    std::memcpy(made.mutableData(), bytes.c_str(), bytes.size());
  if (requiresGrad)
    requireGrad(made, true);
  return wrapTensor(std::move(made));
}

/// Threads that come back to Python, and objects that live as long as the process, belong to the main interpreter.
static void refuseOtherInterpreters() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0)
    throw std::runtime_error(
        "tsc cannot be imported in a sub-interpreter: import it in the main interpreter, or in a process of its "
        "own (mod_wsgi runs an application in the main interpreter with WSGIApplicationGroup %{GLOBAL})");
}

NB_MODULE(_tsc, module) {
  refuseOtherInterpreters();
  throwWhereLlvmLacksMemory();
  nb::register_exception_translator([](const std::exception_ptr &pending, void *) {
    try {
      std::rethrow_exception(pending);
    } catch (const std::bad_cast &) { // nanobind says no more of it than its name
      setErrorOfCast();
    }
  });
  nb::set_leak_warnings(false); // types of the extension live until the process ends
  module.attr("__version__") = TSC_VERSION;
  module.attr("has_fuser") = bool(TSC_PYTHON_HAS_CPU_FUSER);
  bindTypes(module);
  bindTensor(module);
  bindOperators(module);
  bindGradients(module);
  bindFunctions(module);
  bindModules(module);
  bindPrograms(module);
  nb::module_ script = module.def_submodule("_script"); // for tsc.jit
  bindScript(script);
  bindTools(module);
  module.def("_tensor", tensorFrom, nb::arg("data"), nb::arg("dtype").none(), nb::arg("requires_grad"));
  module.def("_tensor_of_bytes", tensorOfBytes);
  module.def("_from_array", [](nb::object array, bool mayCopy) {
    if (isTensor(array))
      return array;
    if (!isArrayLike(array))
      raise(PyExc_TypeError, "expected np.ndarray (got " + typeNameOf(array) + ")");
    return wrapTensor(tensorOfArray(array, mayCopy ? WhereStrange::Copy : WhereStrange::Raise));
  });
  module.def("_from_dlpack", [](nb::object object) { return wrapTensor(tensorOfDLPack(object)); });
}
