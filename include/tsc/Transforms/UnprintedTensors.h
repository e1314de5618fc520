//===- UnprintedTensors.h - Stand-ins for <Tensor> --------------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_UNPRINTEDTENSORS_H
#define TSC_TRANSFORMS_UNPRINTEDTENSORS_H

namespace tsc {

class Graph;

/// Gives tensor constants whose text is only `<Tensor>` some numbers, for passes that fold weights. Floating ones lie
/// between 0.5 and 1.5, as variances and scales may, and all others are 0 or 1. They are the same for the same graph,
/// and others for each constant. A constant of unknown shape gets one element; one of partly unknown shape or more than
/// 2^22 elements stays as it is.
void fillUnprintedTensors(Graph &graph);

} // namespace tsc

#endif
