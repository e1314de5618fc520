//===- TorchLibrary.h - torch's tensors, read and made ----------*- C++ -*-===//
//
// torch's headers are not needed: current versions have DLPack's functions for C, and older
// ones are asked by the getters of their tensors. What is looked up here once is what torch
// has at the time; a version that lacks some of it is left to the package's Python code.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_BINDINGS_PYTHON_TORCH_TORCHLIBRARY_H
#define TSC_BINDINGS_PYTHON_TORCH_TORCHLIBRARY_H

#include "../DLPack.h"
#include "../LateRelease.h"
#include "../Python.h"

namespace tsc::bindings {

/// Where a tensor of torch's has its elements.
struct TorchTensor {
  void *data = nullptr;
  DType dtype = DType::Float;
  Dims sizes, strides;
  bool hasElements() const {
    return llvm::all_of(sizes, [](int64_t size) { return size != 0; });
  }
};

/// A tensor of torch's that one of tsc's is over. tsc's has it as long as it uses the memory.
class KeptTorchTensor final : public Kept {
public:
  explicit KeptTorchTensor(nb::handle owner) : owner(nb::borrow(owner)) {}
  ~KeptTorchTensor() override = default;
  nb::object owner; ///< What keeps the memory: the tensor itself, or an array over it.
};

/// A tensor of tsc's over one of torch's.
struct LentTensor {
  Tensor tensor;
  KeptTorchTensor *kept = nullptr; ///< The tensor's memory has it.
};

/// What calls need of torch. Everything needs the GIL.
class TorchLibrary {
public:
  /// Looks up what is needed. `names` has it by name; what is missing there makes get() return null.
  static void set(nb::dict names);
  /// Returns the library; null where torch is not in use, or is of a version that lacks something.
  static const TorchLibrary *get();

  /// Whether an object is a torch.Tensor or a Parameter itself, and of no class that derives from these.
  bool isTensor(nb::handle object) const {
    PyTypeObject *type = Py_TYPE(object.ptr());
    return type == tensorType || type == parameterType;
  }
  /// Whether torch takes no part in what operators do: no mode of torch's is active, torch.jit does not trace, nothing
  /// is cast for operators, and no tangents are computed.
  bool isUninvolved() const;
  bool isGradEnabled() const { return isTrue(gradEnabled.call()); }
  bool requiresGrad(nb::handle tensor) const { return isTrue(requiresGradOf.get(tensor)); }
  DType defaultDType() const;

  /// Reads where a tensor has its elements. Returns false for one whose elements are not the processor's numbers as
  /// they stand in memory, such as a sparse or a conjugated tensor, or are of a dtype that tsc's tensors do not have.
  bool read(nb::handle tensor, TorchTensor &found) const;
  /// As read(), of a tensor that compiled code shares already: whether it is conjugated or negated lazily is not asked.
  bool readShared(nb::handle tensor, TorchTensor &found) const;
  /// Makes a tensor of tsc's over one that read() has read; nothing where tsc's tensors cannot be over such memory.
  std::optional<LentTensor> lend(nb::handle tensor, const TorchTensor &read) const;
  /// Returns torch's tensor over the memory of one of tsc's, and without its history. `makePlain` returns no object
  /// where the elements are not in the processor's memory as another library would read them; Python's code makes
  /// others.
  nb::object make(const Tensor &tensor) const;
  nb::object makePlain(const Tensor &tensor) const;

  nb::object toTorch;    ///< Makes torch's tensor of any of tsc's.
  nb::object keepMemory; ///< Returns what keeps the memory of a tensor as it is.
  nb::object record;     ///< Lets torch record compiled code: outputs, inputs, and torch's tensors of these.
  nb::object finish;     ///< Makes of a result what Python is given, of any value.

private:
  /// A function of torch's without arguments. It is called at once where it is one of C.
  struct Asked {
    nb::object function;
    PyCFunction direct = nullptr;
    nb::object self;
    void set(nb::object function);
    nb::object call() const {
      return owned(direct ? direct(self.ptr(), nullptr) : PyObject_CallNoArgs(function.ptr()));
    }
  };
  /// A method of torch's tensors without arguments. It is called at once where it is one of C.
  struct AskedOf {
    nb::object method;
    PyCFunction direct = nullptr;
    /// `bound` is the method of some tensor.
    void set(nb::object method, nb::object bound);
    nb::object call(nb::handle tensor) const {
      return owned(direct ? direct(tensor.ptr(), nullptr)
                          : PyObject_CallFunctionObjArgs(method.ptr(), tensor.ptr(), nullptr));
    }
  };
  /// An attribute of torch's tensors.
  struct Getter {
    nb::object descriptor;
    descrgetfunc getter = nullptr;
    void set(nb::object descriptor);
    nb::object get(nb::handle tensor) const {
      return owned(getter(descriptor.ptr(), tensor.ptr(), reinterpret_cast<PyObject *>(Py_TYPE(tensor.ptr()))));
    }
  };
  static bool isTrue(const nb::object &value) { return value.ptr() == Py_True; }
  static bool isZero(const nb::object &value);
  bool look(nb::dict names);
  bool computesTangents() const;
  bool describe(nb::handle tensor, TorchTensor &found) const;
  bool readByGetters(nb::handle tensor, TorchTensor &found) const;

  PyTypeObject *tensorType = nullptr, *parameterType = nullptr; ///< They live as long as torch: as the process.
  Asked functionModes, dispatchModes, isTracing, isAutocast, gradEnabled, defaultDTypeOf;
  /// The dict of torch.autograd.forward_ad. Its variable of this name is not negative where tangents are computed.
  nb::object forwardAD;
  nb::object levelName = owned(PyUnicode_InternFromString("_current_level"));
  Getter requiresGradOf, shapeOf, dtypeOf, layoutOf, isOnCpu;
  AskedOf isNegated, dataPointerOf, stridesOf;
  nb::object strided, fromDLPack;
  llvm::SmallVector<std::pair<PyObject *, DType>, 16> dtypes;
  const dlpack::ExchangeAPI *exchange = nullptr;
  mutable std::pair<PyObject *, DType> lastDefault{nullptr, DType::Float};
};

/// Adds what Python's part calls to the extension's module.
void bindTorchLibrary(nb::module_ &module);

} // namespace tsc::bindings

#endif
