//===- ChangedContainers.h - Containers that loops change -------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_CHANGEDCONTAINERS_H
#define TSC_LIB_FRONTEND_CHANGEDCONTAINERS_H

#include "tsc/Support/Source.h"
#include <string>
#include <vector>

namespace tsc {

class FunctionContext;
class Node;
class SugaredValue;
class Value;

/// A `for` that is a prim::Loop, a comprehension's included.
struct ContainerLoop {
  Node *node;
  SugaredValue *iterable;
  SourceRange range;
};

/// A value that stands for a container which is made once for all calls: a global, or a parameter with such a default.
struct SharedContainer {
  Value *value;
  std::string name;
  bool isParameter;
};

/// What a function does with containers that can only be judged when the whole of it was emitted.
struct ContainerUses {
  std::vector<SharedContainer> shared;
  std::vector<ContainerLoop> loops;
};

/// Makes loops whose bodies may change the size of what they go over ask for it in each trip. Called at the end of a
/// function. False after a report.
bool finishLoops(FunctionContext &fn);
/// Reports changes of containers that are made once for all calls; false then. Called at the end of a function.
bool checkSharedContainers(FunctionContext &fn);

} // namespace tsc

#endif
