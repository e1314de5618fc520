//===- UnprintedTensors.h - Stand-ins for <Tensor> --------------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_UNPRINTEDTENSORS_H
#define TSC_TRANSFORMS_UNPRINTEDTENSORS_H

namespace tsc {

class Graph;

/// Gives each tensor constant whose text is only `<Tensor>` some numbers: passes that fold weights need weights. One of
/// unknown shape gets one element. The same text gets the same numbers, and no two constants of it the same ones. They
/// lie between 0.5 and 1.5, as variances and scales may. Tensors over a few megabytes stay as they are.
void fillUnprintedTensors(Graph &graph);

} // namespace tsc

#endif
