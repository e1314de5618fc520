//===- AffineLayer.h - Convolutions and linear layers, seen alike -*- C++ -*-===//
//
// Both give weight (x) input + bias, channel by channel: whatever scales and
// shifts the channels of the result afterwards can be done to the weights.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_TRANSFORMS_FROZEN_AFFINELAYER_H
#define TSC_LIB_TRANSFORMS_FROZEN_AFFINELAYER_H

#include "FrozenTensor.h"
#include <vector>

namespace tsc {

/// A node that is a convolution or a linear layer with constant weights: inputs 1 and 2.
struct AffineLayer {
  Node *node = nullptr;
  FrozenTensor weight;
  std::optional<FrozenTensor> bias; ///< Nullopt: None.
  unsigned outAxis = 0;             ///< The axis of the weight that counts output channels.
  unsigned spatialDims = 0;         ///< Dimensions of the result after the channels; 0 for a linear layer.

  int64_t channels() const {
    assert(outAxis < weight.sizes.size() && "a layer's weight has an axis of output channels");
    return weight.sizes[outAxis];
  }
  bool isLinear() const { return spatialDims == 0; }
  /// The dimensions a result has at least: a convolution's batch may be missing, a linear layer may have one dimension.
  unsigned minRank() const { return spatialDims + 1; }
  /// The number of dimensions of the result where the type of the input says so.
  std::optional<unsigned> knownRank() const;
};
/// Nullopt for other nodes, for weights that are not constant or not floating, for a bias of other sizes than one
/// element a channel, and for groups of a transposed convolution, whose output channels have no axis of their own.
std::optional<AffineLayer> matchAffineLayer(Node &node);

/// result * scale + shift, by channel; each of one element, or one a channel, or empty (absent).
struct ChannelMap {
  std::vector<double> scale, shift;
  bool isKnown = true; ///< False: there is such a map, but the text lost its elements. The vectors hold placeholders.
};

/// Puts `map` into weight and bias of the layer. Computes in double and rounds once. False, and nothing changed, when
/// the evaluator cannot.
bool foldIntoWeights(AffineLayer &layer, const ChannelMap &map, llvm::StringRef suffix, ConstantEvaluator *evaluator);

} // namespace tsc

#endif
