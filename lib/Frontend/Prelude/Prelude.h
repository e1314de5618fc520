//===- Prelude.h - The Python side of torch, in TorchScript -------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_PRELUDE_H
#define TSC_LIB_FRONTEND_PRELUDE_H

#include <string_view>

namespace tsc {

/// A module whose functions are TorchScript; the build embeds its text.
struct PreludeModule {
  const char *file;   ///< As diagnostics name it.
  const char *prefix; ///< Of qualified names.
  std::string_view text;
};

extern const PreludeModule torchPrelude, functionalPrelude, attentionPrelude, gradientsPrelude;

} // namespace tsc

#endif
