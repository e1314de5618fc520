//===- freeze_module.h - torch::jit::freeze_module ------------ -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_JIT_PASSES_FREEZE_MODULE_H
#define TSC_TORCH_CSRC_JIT_PASSES_FREEZE_MODULE_H
#include <torch/csrc/jit/api/module.h>

namespace torch {
namespace jit {
inline namespace tsc_torch {

/// Does what freeze() does: returns a module with `forward` and what is to be kept. Parameters are kept as attributes
/// only where `preservedAttrs` name them.
inline Module freeze_module(const Module &module, std::vector<std::string> preservedAttrs = {},
                            bool freezeInterfaces = true, bool preserveParameters = false) {
  (void)freezeInterfaces;
  if (preserveParameters)
    for (const NameTensor &parameter : module.named_parameters())
      preservedAttrs.push_back(parameter.name);
  return freeze(module, preservedAttrs);
}
/// The same; what `*module` is from then on.
inline void freeze_module_inplace(Module *module, std::vector<std::string> preservedAttrs = {},
                                  bool freezeInterfaces = true, bool preserveParameters = false) {
  *module = freeze_module(*module, std::move(preservedAttrs), freezeInterfaces, preserveParameters);
}

} // namespace tsc_torch
} // namespace jit
} // namespace torch

#endif
