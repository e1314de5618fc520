//===- SharedTensor.cpp - A tensor of a live and a compiled module --------===//
//
// Each call of a module looks at all of its tensors, so that whoever replaces a parameter,
// or moves it (`module.double()`), is noticed. What is not as it was is left to Python.
//
//===----------------------------------------------------------------------===//
#include "SharedTensor.h"
#include "../Callee.h"
#include "../ModuleObject.h"
#include "../TensorObject.h"
#include "tsc/IR/ClassType.h"

using namespace tsc;
using namespace tsc::bindings;

SharedTensor::SharedTensor(nb::object compiled, nb::object name, nb::object table, nb::object share, nb::object give)
    : compiled(std::move(compiled)), name(std::move(name)), table(std::move(table)), share(std::move(share)),
      give(std::move(give)), attributeName(textOf(this->name)) {
  const Callee *callee = calleeOfModule(this->compiled);
  if (!callee || !callee->self() || !PyDict_Check(this->table.ptr()))
    raise(PyExc_TypeError, "a shared tensor stands in a compiled module and in a dict");
  object = callee->self()->object();
  if (std::optional<unsigned> found = object->type->findAttribute(attributeName))
    slot = *found;
  nb::object tensor = itemOf(this->table, this->name);
  if (!tensor.is_valid())
    raise(PyExc_KeyError, attributeName);
  note(std::move(tensor), this->compiled.attr(this->name));
}

static uintptr_t addressOf(nb::handle tensor) {
  return tensor.is_none() ? 0 : nb::cast<uintptr_t>(tensor.attr("data_ptr")());
}

/// Notes the tensors as they are now.
void SharedTensor::note(nb::object tensor, nb::object shared) {
  live = std::move(tensor);
  made = std::move(shared);
  madeValue = isTensor(made) ? tensorOf(made) : Tensor();
  if (madeValue.defined()) {
    madeData = madeValue.data();
    madeSizes = Dims(madeValue.sizes().begin(), madeValue.sizes().end());
    madeStrides = Dims(madeValue.strides().begin(), madeValue.strides().end());
  }
  const TorchLibrary *torch = TorchLibrary::get();
  isRead = torch && torch->isTensor(live) && torch->readShared(live, place);
  address = isRead ? reinterpret_cast<uintptr_t>(place.data) : addressOf(live);
}

bool SharedTensor::isUnchangedTorch(const TorchLibrary &torch, nb::handle now) const {
  TorchTensor found;
  return torch.readShared(now, found) && found.data == place.data && found.dtype == place.dtype &&
         found.sizes == place.sizes && found.strides == place.strides &&
         torch.requiresGrad(now) == madeValue.requiresGrad();
}

bool SharedTensor::isUnchanged(nb::handle now) const {
  if (now.ptr() != live.ptr())
    return false;
  if (now.is_none() || !madeValue.defined())
    return now.is_none();
  const TorchLibrary *torch = TorchLibrary::get();
  if (isRead && torch)
    return isUnchangedTorch(*torch, now);
  if (isTensor(now))
    return madeValue.defined() && tensorOf(now).isSameAs(madeValue);
  return addressOf(now) == address && nb::cast<bool>(now.attr("requires_grad")) == madeValue.requiresGrad() &&
         now.attr("shape").equal(made.attr("shape"));
}

void SharedTensor::refresh() {
  nb::object now = itemOf(table, name);
  if (!now.is_valid())
    now = nb::none();
  if (isUnchanged(now)) [[likely]]
    return;
  nb::object shared = now.is_none() ? nb::none() : share(now);
  note(now, shared);
  nb::setattr(compiled, name, made);
}

/// Returns the value of the compiled module's attribute; null where it has none.
const IValue *SharedTensor::attribute() const {
  const std::vector<IValue> &slots = object->slots;
  if (slot < slots.size() && slot < object->type->attributes().size() &&
      object->type->attribute(static_cast<unsigned>(slot)).name == attributeName) [[likely]]
    return &slots[slot];
  return object->findAttribute(attributeName);
}

bool SharedTensor::isWhereItWas() const {
  return !madeValue.defined() || (madeValue.data() == madeData && madeValue.sizes() == ArrayRef<int64_t>(madeSizes) &&
                                  madeValue.strides() == ArrayRef<int64_t>(madeStrides));
}

bool SharedTensor::isAsShared() const {
  const IValue *now = attribute();
  if (!now)
    return true;
  if (!now->isTensor())
    return now->isNone();
  return now->toTensor().isSameAs(madeValue) && isWhereItWas();
}

void SharedTensor::takeBack() {
  nb::object now = compiled.attr(name);
  if (now.is_none())
    return;
  if (isTensor(now) && tensorOf(now).isSameAs(madeValue)) {
    if (isWhereItWas())
      return;
    if (!isTensor(live)) // tsc.nn's tensor is the compiled one; torch's stays the same object, over other memory
      nb::setattr(live, "data", give(now));
    note(live, now);
    return;
  }
  if (!made.is_none() && addressOf(now) == address)
    return;
  note(give(now), now);
  if (PyDict_SetItem(table.ptr(), name.ptr(), live.ptr()) != 0)
    raiseCurrent();
}

//===----------------------------------------------------------------------===//
// As an object of Python's
//===----------------------------------------------------------------------===//

namespace {
struct SharedTensorObject {
  PyObject base;
  SharedTensor *shared; ///< The object's own.
};
} // namespace

static PyTypeObject *sharedTensorType = nullptr;

SharedTensor *bindings::sharedTensorOf(nb::handle object) {
  return Py_TYPE(object.ptr()) == sharedTensorType ? reinterpret_cast<SharedTensorObject *>(object.ptr())->shared
                                                   : nullptr;
}

static SharedTensor &sharedIn(PyObject *self) { return *sharedTensorOf(self); }

/// Calls visit() for the objects that a garbage collector has to know of.
int SharedTensor::traverse(visitproc visit, void *argument) const {
  for (const nb::object *one : {&compiled, &name, &table, &share, &give, &live, &made})
    if (one->is_valid())
      if (const int result = visit(one->ptr(), argument))
        return result;
  return 0;
}

/// Gives up what may hold the module: the tables, and the tensors with their hooks.
void SharedTensor::clear() {
  live = nb::none();
  table = nb::dict();
}

static PyObject *newSharedTensor(PyTypeObject *type, PyObject *args, PyObject *) noexcept {
  return guardedObject([&] {
    PyObject *parts[5] = {};
    if (!PyArg_ParseTuple(args, "OOOOO", &parts[0], &parts[1], &parts[2], &parts[3], &parts[4]))
      raiseCurrent();
    auto shared = std::make_unique<SharedTensor>(nb::borrow(parts[0]), nb::borrow(parts[1]), nb::borrow(parts[2]),
                                                 nb::borrow(parts[3]), nb::borrow(parts[4]));
    nb::object object = owned(PyType_GenericAlloc(type, 0));
    reinterpret_cast<SharedTensorObject *>(object.ptr())->shared = shared.release();
    return object;
  });
}

static void deallocate(PyObject *self) noexcept {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  delete reinterpret_cast<SharedTensorObject *>(self)->shared;
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static int traverse(PyObject *self, visitproc visit, void *argument) noexcept {
  if (const int result = visit(reinterpret_cast<PyObject *>(Py_TYPE(self)), argument)) // an object has its type
    return result;
  const SharedTensor *shared = reinterpret_cast<SharedTensorObject *>(self)->shared;
  return shared ? shared->traverse(visit, argument) : 0;
}

static int clear(PyObject *self) noexcept {
  if (SharedTensor *shared = reinterpret_cast<SharedTensorObject *>(self)->shared)
    shared->clear();
  return 0;
}

static PyObject *refresh(PyObject *self, PyObject *) noexcept {
  return guardedObject([&] { return sharedIn(self).refresh(), nb::object(nb::none()); });
}
static PyObject *takeBack(PyObject *self, PyObject *) noexcept {
  return guardedObject([&] { return sharedIn(self).takeBack(), nb::object(nb::none()); });
}
static PyObject *getTensor(PyObject *self, void *) noexcept {
  return nb::object(sharedIn(self).tensor()).release().ptr();
}
static PyObject *getMade(PyObject *self, void *) noexcept {
  return nb::object(sharedIn(self).madeObject()).release().ptr();
}

static PyMethodDef methodTable[] = {{"refresh", refresh, METH_NOARGS, "Shares the tensor anew where it has changed."},
                                    {"take_back", takeBack, METH_NOARGS, "Takes up what compiled code has assigned."},
                                    {nullptr, nullptr, 0, nullptr}};
static PyGetSetDef attributeTable[] = {{"tensor", getTensor, nullptr, "The live module's tensor, or None.", nullptr},
                                       {"made", getMade, nullptr, "The compiled module's tensor, or None.", nullptr},
                                       {nullptr, nullptr, nullptr, nullptr, nullptr}};

void bindings::bindSharedTensors(nb::module_ &module) {
  PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void *>(newSharedTensor)},
                         {Py_tp_dealloc, reinterpret_cast<void *>(deallocate)},
                         {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
                         {Py_tp_clear, reinterpret_cast<void *>(clear)},
                         {Py_tp_methods, methodTable},
                         {Py_tp_getset, attributeTable},
                         {Py_tp_doc, const_cast<char *>("A tensor that a live module and a compiled one share.")},
                         {0, nullptr}};
  sharedTensorType = makeType(module, "tsc._SharedTensor", sizeof(SharedTensorObject), Py_TPFLAGS_HAVE_GC, slots);
}
