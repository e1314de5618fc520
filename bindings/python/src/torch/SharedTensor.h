//===- SharedTensor.h - A tensor of a live and a compiled module -*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_TORCH_SHAREDTENSOR_H
#define TSC_BINDINGS_PYTHON_TORCH_SHAREDTENSOR_H

#include "TorchLibrary.h"
#include "tsc/Runtime/Object.h"

namespace tsc::bindings {

/// A parameter or buffer that a live module of Python's and a compiled one have both: an entry of a table of the live
/// one, and an attribute of the compiled one. Everything needs the GIL.
class SharedTensor {
public:
  /// `share` makes a tensor of tsc's of a live module's, and `give` does the reverse.
  SharedTensor(nb::object compiled, nb::object name, nb::object table, nb::object share, nb::object give);

  /// Shares the tensor anew where the live module has another one, or has moved or reshaped it, or changed whether it
  /// requires gradients.
  void refresh();
  /// Lets the live module have what compiled code has assigned.
  void takeBack();
  /// Whether takeBack() would change nothing. The program's state is being read.
  bool isAsShared() const;

  const nb::object &tensor() const { return live; }      ///< The live module's tensor, or None.
  const nb::object &madeObject() const { return made; }  ///< The compiled module's, or None.
  const Tensor &madeTensor() const { return madeValue; } ///< The same; undefined for None.
  bool requiresGrad() const { return madeValue.defined() && madeValue.requiresGrad(); }

  int traverse(visitproc visit, void *argument) const;
  void clear();

private:
  bool isUnchanged(nb::handle now) const;
  /// Whether the compiled module's tensor has the memory, sizes and strides that it was shared with. `set_` and `t_`
  /// give it others.
  bool isWhereItWas() const;
  bool isUnchangedTorch(const TorchLibrary &torch, nb::handle now) const;
  void note(nb::object tensor, nb::object made);
  const IValue *attribute() const;

  nb::object compiled, name, table, share, give;
  Ref<ObjectValue> object;
  std::string attributeName;
  size_t slot = 0;
  nb::object live, made;
  Tensor madeValue;
  const void *madeData = nullptr; ///< Where `madeValue` was when it was shared.
  Dims madeSizes, madeStrides;    ///< Its sizes and strides then.
  TorchTensor place;              ///< Where `live` was, if it is one that TorchLibrary reads.
  bool isRead = false;
  uintptr_t address = 0; ///< Of the first element.
};

/// Returns what a _SharedTensor of Python's is, which has it as long as it lives; null for another object.
SharedTensor *sharedTensorOf(nb::handle object);

/// Adds the class _SharedTensor to the extension's module.
void bindSharedTensors(nb::module_ &module);

} // namespace tsc::bindings

#endif
