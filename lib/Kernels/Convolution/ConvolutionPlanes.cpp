//===- ConvolutionPlanes.cpp - Convolutions by themselves -----------------===//
//
// A convolution with nothing before or after it that works on blocks gives the bits that
// it gives in a chain. Kernels of one element are products of the weights and the planes
// where they lie; others go through blocks.
//
//===----------------------------------------------------------------------===//
#include "ConvolutionBlocked.h"
#include "Products/Gemm.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Support/WorkMeter.h"
#include <algorithm>

using namespace tsc;
using namespace tsc::cpu;

/// A product for each sample, cut into pieces of rows and columns.
static StatusOr<Tensor> multiplyPlanes(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                       ArrayRef<int64_t> outSizes) {
  TSC_ASSIGN_OR_RETURN(Tensor x, contiguous(input));
  TSC_ASSIGN_OR_RETURN(Tensor w, contiguous(weight));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(outSizes, DType::Float));
  const int64_t inChannels = w.size(1), outChannels = w.size(0), plane = outSizes[2] * outSizes[3];
  // Columns of a piece are packed for each piece of rows.
  constexpr int64_t mostColumns = 512, mostRows = 288;
  const int64_t columnPieces = (plane + mostColumns - 1) / mostColumns;
  const int64_t rowPieces = (outChannels + mostRows - 1) / mostRows;
  const float *in = x.data<float>(), *weights = w.data<float>(),
              *biases = bias.defined() ? bias.data<float>() : nullptr;
  float *results = out.mutableData<float>();
  parallelFor(0, outSizes[0] * columnPieces * rowPieces, 1, [&](int64_t begin, int64_t end) {
    for (int64_t piece = begin; piece != end && !work::wasStopped(); ++piece) {
      const int64_t sample = piece / (columnPieces * rowPieces);
      const int64_t row = piece / columnPieces % rowPieces * mostRows, column = piece % columnPieces * mostColumns;
      const int64_t rows = std::min(mostRows, outChannels - row), columns = std::min(mostColumns, plane - column);
      float *to = results + (sample * outChannels + row) * plane + column;
      for (int64_t i = 0; biases && i != rows; ++i)
        std::fill_n(to + i * plane, columns, biases[row + i]);
      simd::gemmInParts(rows, columns, inChannels, weights + row * inChannels, inChannels,
                        in + sample * inChannels * plane + column, plane, to, plane, biases != nullptr, convolvedTerms);
    }
  });
  return out;
}

/// Whether most of the last panel of columns is there.
static bool fillsPanels(int64_t columns) {
  const int64_t inPanels = (columns + simd::panelWidth - 1) / simd::panelWidth * simd::panelWidth;
  return inPanels - columns <= inPanels / 8;
}

StatusOr<Tensor> tsc::cpu::convolvePlanes(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                          const ConvParams &params, ArrayRef<int64_t> outSizes) {
  assert(convolvesInBlocks(input.sizes(), weight, params) && "sizes that are worth blocks");
  const bool isProduct = weight.size(2) * weight.size(3) == 1 && params.stride[0] * params.stride[1] == 1 &&
                         params.padding[0] == 0 && params.padding[1] == 0;
  if (isProduct && fillsPanels(outSizes[2] * outSizes[3]))
    return multiplyPlanes(input, weight, bias, outSizes);
  TSC_ASSIGN_OR_RETURN(Tensor packed, packedWeights(weight, params));
  return packed.defined() ? convolveByBlocks(input, weight, packed, bias, params, outSizes)
                          : StatusOr<Tensor>(Tensor());
}
