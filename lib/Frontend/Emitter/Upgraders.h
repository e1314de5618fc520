//===- Upgraders.h - Operators of old archives ------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_UPGRADERS_H
#define TSC_LIB_FRONTEND_UPGRADERS_H

#include "tsc/Frontend/Compiler.h"

namespace tsc {

/// Gives the operators of a body the meaning that they had in archives of `version`.
void upgradeOperators(Compiler::Impl &compiler, Graph &graph, int64_t version);

} // namespace tsc

#endif
