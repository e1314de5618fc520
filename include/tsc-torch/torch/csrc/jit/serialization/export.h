//===- export.h - Saving modules ------------------------------ -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_JIT_SERIALIZATION_EXPORT_H
#define TSC_TORCH_CSRC_JIT_SERIALIZATION_EXPORT_H
#include <torch/csrc/jit/api/module.h>

namespace torch {
namespace jit {
inline namespace tsc_torch {

/// Writes an archive that torch.jit.load reads.
inline void ExportModule(const Module &module, std::ostream &out, const ExtraFilesMap &extra_files = ExtraFilesMap()) {
  module.save(out, extra_files);
}
inline void ExportModule(const Module &module, const std::string &filename,
                         const ExtraFilesMap &extra_files = ExtraFilesMap()) {
  module.save(filename, extra_files);
}

} // namespace tsc_torch
} // namespace jit
} // namespace torch

#endif
