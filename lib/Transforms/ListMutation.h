//===- ListMutation.h - Lists made in one go --------------------*- C++ -*-===//
#ifndef TSC_LIB_TRANSFORMS_LISTMUTATION_H
#define TSC_LIB_TRANSFORMS_LISTMUTATION_H

namespace tsc {

class Graph;

/// Lists that are made and then changed in one block, before anybody else sees them, are made as they end up; readers
/// in between get the list as it is then.
bool removeListMutation(Graph &graph);

} // namespace tsc

#endif
