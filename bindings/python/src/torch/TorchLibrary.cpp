//===- TorchLibrary.cpp - torch's tensors, read and made ------------------===//
#include "TorchLibrary.h"
#include "../TensorObject.h"
#include "../Types.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Tensor/LentMemory.h"
#include <atomic>

using namespace tsc;
using namespace tsc::bindings;

static std::atomic<TorchLibrary *> library{nullptr}; // as long as the process, as torch is

const TorchLibrary *TorchLibrary::get() { return library.load(std::memory_order_acquire); }

//===----------------------------------------------------------------------===//
// Looking up
//===----------------------------------------------------------------------===//

void TorchLibrary::Asked::set(nb::object given) {
  function = std::move(given);
  if (PyCFunction_CheckExact(function.ptr()) && PyCFunction_GetFlags(function.ptr()) == METH_NOARGS) {
    direct = PyCFunction_GetFunction(function.ptr());
    if (PyObject *of = PyCFunction_GetSelf(function.ptr()))
      self = nb::borrow(of);
  }
}

void TorchLibrary::AskedOf::set(nb::object given, nb::object bound) {
  method = std::move(given);
  if (PyCFunction_CheckExact(bound.ptr()) && PyCFunction_GetFlags(bound.ptr()) == METH_NOARGS)
    direct = PyCFunction_GetFunction(bound.ptr());
}

void TorchLibrary::Getter::set(nb::object given) {
  descriptor = std::move(given);
  getter = reinterpret_cast<descrgetfunc>(PyType_GetSlot(Py_TYPE(descriptor.ptr()), Py_tp_descr_get));
}

void TorchLibrary::set(nb::dict names) {
  if (get())
    return;
  auto made = std::make_unique<TorchLibrary>();
  TorchLibrary *none = nullptr;
  if (made->look(std::move(names)) && library.compare_exchange_strong(none, made.get(), std::memory_order_release))
    (void)made.release();
}

bool TorchLibrary::look(nb::dict names) {
  auto find = [&](const char *name) {
    nb::object found = itemOf(names, makeStr(name));
    return found.is_none() ? nb::object() : found;
  };
  bool hasAll = true;
  auto lookUp = [&](const char *name, auto &&take) {
    nb::object found = find(name);
    if (found.is_valid())
      take(std::move(found));
    else
      hasAll = false;
  };
  auto keepType = [](PyTypeObject *&type) {
    return [&type](nb::object found) { type = reinterpret_cast<PyTypeObject *>(found.release().ptr()); };
  };
  auto keep = [](nb::object &place) { return [&place](nb::object found) { place = std::move(found); }; };
  auto set = [](auto &place) { return [&place](nb::object found) { place.set(std::move(found)); }; };
  lookUp("Tensor", keepType(tensorType));
  lookUp("Parameter", keepType(parameterType));
  for (auto [name, place] : {std::pair("function_modes", &functionModes),
                             {"dispatch_modes", &dispatchModes},
                             {"is_tracing", &isTracing},
                             {"is_autocast", &isAutocast},
                             {"is_grad_enabled", &gradEnabled},
                             {"default_dtype", &defaultDTypeOf}})
    lookUp(name, set(*place));
  for (auto [name, place] : {std::pair("requires_grad", &requiresGradOf),
                             {"shape", &shapeOf},
                             {"dtype", &dtypeOf},
                             {"layout", &layoutOf},
                             {"is_cpu", &isOnCpu}})
    lookUp(name, set(*place));
  lookUp("a_tensor", [&](nb::object tensor) {
    for (auto [name, place] : {std::pair("is_neg", &isNegated), {"data_ptr", &dataPointerOf}, {"stride", &stridesOf}})
      lookUp(name, [&, place = place](nb::object method) { place->set(method, method.attr("__get__")(tensor)); });
  });
  for (auto [name, place] : {std::pair("strided", &strided),
                             {"from_dlpack", &fromDLPack},
                             {"to_torch", &toTorch},
                             {"keep_memory", &keepMemory},
                             {"record", &record},
                             {"forward_ad", &forwardAD},
                             {"finish", &finish}})
    lookUp(name, keep(*place));
  lookUp("dtypes", [&](nb::object known) {
    for (nb::handle pair : known)
      dtypes.emplace_back(nb::object(pair[0]).release().ptr(), bindings::dtypeOf(nb::object(pair[1])));
  });
  for (const Getter *getter : {&requiresGradOf, &shapeOf, &dtypeOf, &layoutOf, &isOnCpu})
    hasAll &= getter->getter != nullptr;
  if (nb::object capsule = find("exchange_api"); capsule.is_valid()) {
    auto *found = static_cast<const dlpack::ExchangeAPI *>(PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
    if (!found)
      PyErr_Clear();
    while (found && found->version.major > 1)
      found = found->previous;
    if (found && found->version.major == 1 && found->describe && found->objectOf)
      exchange = found;
    (void)capsule.release(); // torch's, as long as the process
  }
  return hasAll;
}

//===----------------------------------------------------------------------===//
// What torch does
//===----------------------------------------------------------------------===//

bool TorchLibrary::isZero(const nb::object &value) {
  const long number = PyLong_AsLong(value.ptr());
  if (number == -1 && PyErr_Occurred())
    raiseCurrent();
  return number == 0;
}

bool TorchLibrary::computesTangents() const {
  nb::object level = itemOf(forwardAD, levelName);
  return level.is_valid() && PyLong_AsLong(level.ptr()) >= 0;
}

bool TorchLibrary::isUninvolved() const {
  return isZero(functionModes.call()) && isZero(dispatchModes.call()) && !isTrue(isTracing.call()) &&
         !isTrue(isAutocast.call()) && !computesTangents();
}

DType TorchLibrary::defaultDType() const {
  nb::object dtype = defaultDTypeOf.call();
  if (dtype.ptr() != lastDefault.first) // torch's dtypes live as long as the process
    lastDefault = {dtype.ptr(), bindings::dtypeOf(dtype)};
  return lastDefault.second;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Reads a tuple of ints.
static bool readDims(const nb::object &tuple, Dims &dims) {
  const Py_ssize_t size = PyTuple_Size(tuple.ptr());
  if (size < 0)
    return false;
  dims.clear();
  for (Py_ssize_t i = 0; i != size; ++i)
    dims.push_back(PyLong_AsLongLong(PyTuple_GetItem(tuple.ptr(), i)));
  return !PyErr_Occurred();
}

bool TorchLibrary::readByGetters(nb::handle tensor, TorchTensor &found) const {
  if (layoutOf.get(tensor).ptr() != strided.ptr() || !isTrue(isOnCpu.get(tensor)))
    return false;
  nb::object dtype = dtypeOf.get(tensor);
  const auto *known = llvm::find_if(dtypes, [&](const auto &one) { return one.first == dtype.ptr(); });
  if (known == dtypes.end())
    return false;
  found.dtype = known->second;
  nb::object strides = stridesOf.call(tensor);
  if (!readDims(shapeOf.get(tensor), found.sizes) || !readDims(strides, found.strides))
    return false;
  nb::object address = dataPointerOf.call(tensor);
  found.data = PyLong_AsVoidPtr(address.ptr());
  return !PyErr_Occurred();
}

bool TorchLibrary::describe(nb::handle tensor, TorchTensor &found) const {
  dlpack::Array array;
  if (exchange->describe(tensor.ptr(), &array) != 0)
    return false;
  std::optional<DType> dtype = dlpack::dtypeOf(array.dtype);
  if (array.device.kind != dlpack::cpuDevice || !dtype || array.rank < 0 || (array.rank > 0 && !array.strides))
    return false;
  const auto rank = static_cast<size_t>(array.rank);
  found.data = static_cast<char *>(array.data) + array.byteOffset;
  found.dtype = *dtype;
  found.sizes.assign(array.shape, array.shape + rank);
  found.strides.assign(array.strides, array.strides + rank);
  return true;
}

bool TorchLibrary::readShared(nb::handle tensor, TorchTensor &found) const {
  bool isRead = false;
  try {
    isRead = exchange ? describe(tensor, found) : readByGetters(tensor, found);
  } catch (nb::python_error &) { // whose tensor has no memory
    return false;
  }
  if (!isRead)
    PyErr_Clear();
  // A tensor without memory, such as one of zeros that nobody has made, has no elements that could be read.
  return isRead && (found.data || !found.hasElements());
}

bool TorchLibrary::read(nb::handle tensor, TorchTensor &found) const {
  if (!readShared(tensor, found) || isComplex(found.dtype)) // which may be conjugated lazily
    return false;
  if (!isFloating(found.dtype))
    return true;
  return !isTrue(isNegated.call(tensor));
}

std::optional<LentTensor> TorchLibrary::lend(nb::handle tensor, const TorchTensor &read) const {
  auto kept = std::make_unique<KeptTorchTensor>(tensor);
  LentMemory memory{read.data, /*isReadOnly=*/false, /*isRead=*/true,
                    [](void *user) { releaseLater(static_cast<KeptTorchTensor *>(user)); }, kept.get()};
  StatusOr<Tensor> made = tensorOver(memory, read.sizes, read.strides, read.dtype);
  if (!made.ok())
    return std::nullopt;
  return LentTensor{*std::move(made), kept.release()};
}

/// Whether another library can be given a tensor's elements as they stand in memory.
static bool hasPlainElements(const Tensor &tensor) {
  return tensor.get()->storage && tensor.device().kind == DeviceKind::CPU && !cpu::isLazy(tensor) &&
         dlpack::typeOf(tensor.dtype());
}

nb::object TorchLibrary::makePlain(const Tensor &tensor) const {
  // Versions that have no functions for C read bools as numbers, and know fewer complex ones.
  const bool isKnown = exchange || (tensor.dtype() != DType::Bool && !isComplex(tensor.dtype()));
  if (!isKnown || !hasPlainElements(tensor))
    return {};
  if (exchange) {
    auto *managed = dlpack::makeExported<dlpack::ManagedVersioned>(tensor);
    void *made = nullptr;
    if (exchange->objectOf(managed, &made) != 0)
      raiseCurrent();
    return nb::steal(static_cast<PyObject *>(made));
  }
  nb::object capsule = exportDLPack(tensor.requiresGrad() ? Tape::detached(tensor) : tensor, /*isVersioned=*/false);
  return owned(PyObject_CallFunctionObjArgs(fromDLPack.ptr(), capsule.ptr(), nullptr));
}

nb::object TorchLibrary::make(const Tensor &tensor) const {
  nb::object made = makePlain(tensor);
  return made.is_valid() ? made : nb::object(toTorch(wrapTensor(tensor)));
}

//===----------------------------------------------------------------------===//
// For Python's code
//===----------------------------------------------------------------------===//

/// Returns a tensor of tsc's over one of torch's, which keeps its memory for as long as it lives; None for one that
/// TorchLibrary does not read.
static nb::object takePlain(nb::object tensor) {
  const TorchLibrary *torch = TorchLibrary::get();
  TorchTensor found;
  if (!torch || !torch->isTensor(tensor) || !torch->isUninvolved() || !torch->read(tensor, found))
    return nb::none();
  std::optional<LentTensor> lent = torch->lend(tensor, found);
  if (!lent)
    return nb::none();
  if (found.hasElements())
    lent->kept->owner = torch->keepMemory(tensor);
  return wrapTensor(lent->tensor);
}

/// Returns torch's tensor over one of tsc's, or None where makePlain() makes none.
static nb::object givePlain(nb::object tensor) {
  const TorchLibrary *torch = TorchLibrary::get();
  nb::object made = torch && isTensor(tensor) ? torch->makePlain(tensorOf(tensor)) : nb::object();
  return made.is_valid() ? made : nb::object(nb::none());
}

void bindings::bindTorchLibrary(nb::module_ &module) {
  module.def("_use_torch", TorchLibrary::set);
  module.def("_take_torch_tensor", takePlain);
  module.def("_give_torch_tensor", givePlain);
}
