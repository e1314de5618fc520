//===- ImplicitBroadcast.h - broadcast_tensors before operators -*- C++ -*-===//
#ifndef TSC_TRANSFORMS_FUSION_IMPLICITBROADCAST_H
#define TSC_TRANSFORMS_FUSION_IMPLICITBROADCAST_H

namespace tsc {

class AliasAnalysis;
class Graph;

/// Lets operators that broadcast their operands by themselves read what broadcast_tensors made them of. Returns whether
/// any does.
bool forwardBroadcasts(Graph &graph, const AliasAnalysis &aliases);

} // namespace tsc

#endif
