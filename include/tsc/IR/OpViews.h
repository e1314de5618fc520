//===- OpViews.h - Nodes seen through their schemas -------------*- C++ -*-===//
//
// dyn_cast<AddTensorOp>(&node)->other(): generated, one class an overload.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_OPVIEWS_H
#define TSC_IR_OPVIEWS_H

#include "tsc/IR/Graph.h"

namespace tsc {

/// A Node with names for its inputs. Has no state of its own and is never constructed.
class OpView : public Node {
public:
  OpView() = delete;
};

#include "tsc/IR/OpViews.inc"

} // namespace tsc

#endif
