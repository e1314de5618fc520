//===- UpgradersPrelude.h - What operators of old archives meant --*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_UPGRADERSPRELUDE_H
#define TSC_LIB_FRONTEND_UPGRADERSPRELUDE_H

#include "Prelude.h"

namespace tsc {

extern const PreludeModule upgradersPrelude;

} // namespace tsc

#endif
