//===- Algorithms.h - Exchanges, as messages between two ranks --*- C++ -*-===//
#ifndef TSC_LIB_COLLECTIVES_RANKS_ALGORITHMS_H
#define TSC_LIB_COLLECTIVES_RANKS_ALGORITHMS_H

#include "Messages.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace tsc::ranks {

/// An exchange whose parts were found to fit together. Counts are numbers of elements.
struct Task {
  Signature signature;
  const char *input = nullptr;
  char *output = nullptr;
  size_t inputCount = 0, outputCount = 0;
  std::vector<size_t> inputSplits, outputSplits; ///< How many elements all_to_all sends to each rank, and receives.
};

/// Bytes that go to a rank of the group, or come from it.
struct Piece {
  int rank;
  void *data;
  size_t bytes;
};

/// A rank's view of its group, as algorithms need it.
class Link {
public:
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Sends and receives at once, to and from other ranks, and waits for all of it. There is at most one piece from
  /// each.
  virtual Status exchange(const Signature &signature, llvm::ArrayRef<Piece> sends, llvm::ArrayRef<Piece> receives) = 0;
  /// Returns memory for what is sent and received. It lives until the exchange of the group is over, or for good where
  /// that fails, since messages may be under way then.
  virtual char *allocate(size_t bytes) = 0;

protected:
  ~Link() = default;
};

/// Runs an exchange.
///
/// What ranks combine is added along one tree, whatever the algorithm: a range of ranks is halved at the largest power
/// of two below its length, and the lower half is the first operand. Four ranks give (r0 + r1) + (r2 + r3).
Status run(Link &link, const Task &task);
/// Makes sure that all ranks of the group are about to do the same. InvalidArgument, at all of them, where they are
/// not.
Status compareSignatures(Link &link, const Signature &signature);

} // namespace tsc::ranks

#endif
