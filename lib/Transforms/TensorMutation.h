//===- TensorMutation.h - In-place operators made functional ----*- C++ -*-===//
#ifndef TSC_LIB_TRANSFORMS_TENSORMUTATION_H
#define TSC_LIB_TRANSFORMS_TENSORMUTATION_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tsc {

class Graph;
class Node;

/// Replaces in-place operators on tensors that nobody else can see by their functional forms; only those that `accepts`
/// takes. Later readers take the new value. `isWide`: RemoveMutation::Reach::Wide.
bool removeTensorMutation(Graph &graph, llvm::function_ref<bool(const Node &)> accepts, bool isWide = false);

} // namespace tsc

#endif
