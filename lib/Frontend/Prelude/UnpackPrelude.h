//===- UnpackPrelude.h - The texts that the build deflated --------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_UNPACKPRELUDE_H
#define TSC_LIB_FRONTEND_UNPACKPRELUDE_H

#include <string>
#include <string_view>

namespace tsc {

/// A text of the prelude, of which the library holds a fifth of its bytes.
std::string unpackPrelude(std::string_view deflated);

} // namespace tsc

#endif
