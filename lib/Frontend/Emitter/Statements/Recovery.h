//===- Recovery.h - Behind a statement that was refused ---------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_RECOVERY_H
#define TSC_LIB_FRONTEND_RECOVERY_H

#include "tsc/IR/Type.h"
#include <set>
#include <string>

namespace tsc {

class FunctionContext;
class Tree;
struct Frame;

/// How the emission of a function goes on behind statements that were refused, to report what else is wrong.
struct Recovery {
  bool isOn = false;             ///< Whether statements are emitted behind one that was refused.
  unsigned numRefused = 0;       ///< Statements that were refused so far.
  std::set<std::string> unknown; ///< Variables that these would have set.
};

/// Goes on behind a statement that was refused, for what else is wrong. What it would have set, or narrowed, is unknown
/// from here on, and not reported again where it is used. False where nothing more is to be emitted.
bool recover(FunctionContext &fn, const Tree *statement, const Frame &frame);
/// Whether a statement that was refused would have set the variable, here or in a function around.
bool isUnknown(const FunctionContext &fn, StringRef name);

} // namespace tsc

#endif
