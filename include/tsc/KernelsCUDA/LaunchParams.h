//===- LaunchParams.h - The one parameter of a kernel -----------*- C++ -*-===//
#ifndef TSC_KERNELSCUDA_LAUNCHPARAMS_H
#define TSC_KERNELSCUDA_LAUNCHPARAMS_H

#include <algorithm>

namespace tsc::fuser {

/// How many dimensions a kernel walks at most.
constexpr unsigned maxWalkDims = 8;

/// Where each field of the prelude's tsc_params lies, in words of 8 bytes, for a kernel of some operands and numbers.
/// Operands that move alike are a class of strides.
class ParamsLayout {
public:
  /// The single numbers, in the order of the structure.
  enum Scalar {
    Count,
    Run,
    Folded,
    Folds,
    Rows,
    Units,
    Strips,
    Shift,
    Dims,
    RunDims,
    Blocks,
    PerRun,
    Chunks,
    ChunkShift,
    StripElements,
    RowsAtOnce,
    InPieces,
    Together,
    Means,
    numScalars
  };
  /// The divisors that are not sizes.
  enum Divisor { ByStrips, ByRun, ByChunks, numDivisors };
  ParamsLayout(unsigned numOperands, unsigned numClasses, unsigned numNumbers)
      : k(numOperands), c(std::max(numClasses, 1u)), u(std::max(numNumbers, 1u)) {}
  // Each returns the word in which a field begins.
  unsigned at(unsigned operand) const { return operand; }
  unsigned inner(unsigned strideClass) const { return k + strideClass; }
  unsigned along(unsigned strideClass) const { return k + c + strideClass; }
  unsigned lastDim(unsigned strideClass) const { return k + 2 * c + strideClass; }
  unsigned lastRun(unsigned strideClass) const { return k + 3 * c + strideClass; }
  unsigned stride(unsigned dim, unsigned strideClass) const { return k + (4 + dim) * c + strideClass; }
  unsigned size(unsigned dim) const { return k + (4 + maxWalkDims) * c + dim; }
  unsigned bySize(unsigned dim) const { return size(maxWalkDims) + dim; }
  unsigned by(Divisor which) const { return bySize(maxWalkDims) + which; }
  unsigned number(unsigned slot) const { return by(numDivisors) + slot; }
  unsigned scratch() const { return number(u); }
  unsigned scalar(Scalar which) const { return scratch() + 1 + which; }
  /// Returns how many words there are.
  unsigned words() const { return scalar(numScalars); }

private:
  unsigned k, c, u;
};

} // namespace tsc::fuser

#endif
