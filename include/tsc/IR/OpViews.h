//===- OpViews.h - Nodes seen through their schemas -------------*- C++ -*-===//
//
// A generated class for each overload names its inputs:
// dyn_cast<AddTensorOp>(&node)->other().
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_OPVIEWS_H
#define TSC_IR_OPVIEWS_H

#include "tsc/IR/Graph.h"

namespace tsc {

/// The base of views of a Node that give names to its inputs. A view has no state of its own and is never constructed:
/// dyn_cast makes one of a Node.
class OpView : public Node {
public:
  OpView() = delete;
};

#include "tsc/IR/OpViews.inc"

} // namespace tsc

#endif
