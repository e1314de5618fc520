//===- Prelude.h - torch.nn.functional in TorchScript -------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_PRELUDE_H
#define TSC_LIB_FRONTEND_PRELUDE_H

#include <string_view>

namespace tsc {

/// The text of functional.py, embedded by the build.
std::string_view preludeText();

} // namespace tsc

#endif
