//===- Algorithms.cpp - Exchanges, as messages between two ranks ----------===//
//
// Of P ranks that combine n bytes, each sends 2 n (P - 1) / P: it combines one part of
// P, which all others send it, and sends the result to all. Up to `smallBytes`, where
// the number of messages costs more than bytes, powers of two of ranks exchange all
// they have log2 P times, and other numbers above `fewRanks` send it along a tree and
// back.
//
//===----------------------------------------------------------------------===//
#include "Algorithms.h"
#include "llvm/ADT/bit.h"
#include <cstring>

using namespace tsc;
using namespace tsc::ranks;

static constexpr size_t smallBytes = 16384;
static constexpr int fewRanks = 12;
/// The step of the messages that go back along a tree, behind those of a rank's bits.
static constexpr uint8_t stepDown = 32;

namespace {
/// The elements of a task, and what its messages say.
class Run {
public:
  Run(Link &link, const Task &task)
      : link(link), task(task), me(link.rank()), ranks(link.size()), item(elementSize(task.signature.dtype)) {}

  Status barrier();
  Status allReduce();
  Status reduce();
  Status reduceScatter();
  Status broadcast();
  Status allGather();
  Status allToAll();
  Status gather();
  Status scatter();

private:
  /// Where the part of a rank begins of `count` elements that are divided among all; of `ranks`, where the last ends.
  size_t begin(size_t count, int rank) const {
    return count / static_cast<size_t>(ranks) * static_cast<size_t>(rank) +
           std::min(count % static_cast<size_t>(ranks), static_cast<size_t>(rank));
  }
  Status exchange(llvm::ArrayRef<Piece> sends, llvm::ArrayRef<Piece> receives, uint8_t step = 0) {
    Signature signature = task.signature;
    signature.step = step;
    return link.exchange(signature, sends, receives);
  }
  Piece piece(int rank, const void *data, size_t count) const {
    return {rank, const_cast<void *>(data), count * item}; // what is sent is not written
  }
  void copy(void *to, const void *from, size_t count) const {
    if (to != from && count != 0)
      std::memmove(to, from, count * item);
  }
  bool isPowerOfTwo() const { return llvm::has_single_bit(static_cast<unsigned>(ranks)); }
  void add(char *a, const char *b, size_t count) const {
    combine(task.signature.op, task.signature.dtype, a, b, count);
  }
  /// Combines what ranks [first, last) sent, `count` elements each, along the tree, into what the first one sent.
  void fold(llvm::ArrayRef<char *> parts, size_t count, int first, int last) const;
  void finish(char *sums, size_t count) const {
    if (task.signature.op == CombineOp::Average)
      divide(task.signature.dtype, sums, count, ranks);
  }
  Status doubling();
  Status alongTree();
  Status sendDown(int root, uint8_t step);
  /// Receives this rank's part of the elements from every rank, whose parts begin where `begins` says, and combines it
  /// into `result`, which may be the rank's part of the input, and no other part of it.
  Status combinePart(llvm::ArrayRef<size_t> begins, char *result);
  char *scratch(size_t count) const { return link.allocate(count * item); }

  Link &link;
  const Task &task;
  const int me, ranks;
  const size_t item;
};
} // namespace

void Run::fold(llvm::ArrayRef<char *> parts, size_t count, int first, int last) const {
  if (last - first < 2)
    return;
  const int middle = first + static_cast<int>(llvm::bit_floor(static_cast<unsigned>(last - first - 1)));
  fold(parts, count, first, middle);
  fold(parts, count, middle, last);
  add(parts[static_cast<size_t>(first)], parts[static_cast<size_t>(middle)], count);
}

Status Run::barrier() {
  uint8_t step = 0;
  for (int distance = 1; distance < ranks; distance *= 2, ++step)
    TSC_RETURN_IF_ERROR(exchange(piece((me + distance) % ranks, nullptr, 0),
                                 piece((me - distance % ranks + ranks) % ranks, nullptr, 0), step));
  return okStatus();
}

Status Run::combinePart(llvm::ArrayRef<size_t> begins, char *result) {
  const size_t own = begins[static_cast<size_t>(me)], mine = begins[static_cast<size_t>(me) + 1] - own;
  char *others = scratch(static_cast<size_t>(ranks - 1) * mine);
  std::vector<char *> parts(static_cast<size_t>(ranks), result);
  std::vector<Piece> sends, receives;
  for (int i = 1; i < ranks; ++i) {
    const auto to = static_cast<size_t>((me + i) % ranks);
    parts[to] = others + static_cast<size_t>(i - 1) * mine * item;
    sends.push_back(piece(static_cast<int>(to), task.input + begins[to] * item, begins[to + 1] - begins[to]));
    receives.push_back(piece(static_cast<int>(to), parts[to], mine));
  }
  copy(result, task.input + own * item, mine);
  TSC_RETURN_IF_ERROR(exchange(sends, receives, 0));
  fold(parts, mine, 0, ranks);
  copy(result, parts[0], mine);
  finish(result, mine);
  return okStatus();
}

/// Ranks whose numbers differ in one bit exchange all that they have, one bit after the other.
Status Run::doubling() {
  const size_t count = task.inputCount;
  copy(task.output, task.input, count);
  char *other = link.allocate(count * item);
  uint8_t step = 0;
  for (int bit = 1; bit < ranks; bit *= 2, ++step) {
    TSC_RETURN_IF_ERROR(exchange(piece(me ^ bit, task.output, count), piece(me ^ bit, other, count), step));
    if (me & bit) {
      add(other, task.output, count);
      copy(task.output, other, count);
    } else {
      add(task.output, other, count);
    }
  }
  finish(task.output, count);
  return okStatus();
}

/// Sums go from each rank to the one without its lowest bit, and the result goes back.
Status Run::alongTree() {
  const size_t count = task.inputCount;
  copy(task.output, task.input, count);
  char *other = scratch(count);
  uint8_t step = 0;
  for (int distance = 1; distance < ranks; distance *= 2, ++step) {
    if (me & distance) {
      TSC_RETURN_IF_ERROR(exchange(piece(me - distance, task.output, count), {}, step));
      break;
    }
    if (me + distance < ranks) {
      TSC_RETURN_IF_ERROR(exchange({}, piece(me + distance, other, count), step));
      add(task.output, other, count);
    }
  }
  if (me == 0)
    finish(task.output, count);
  return sendDown(0, stepDown);
}

Status Run::allReduce() {
  const size_t count = task.inputCount;
  if (ranks > 1 && count * item <= smallBytes && isPowerOfTwo())
    return doubling();
  if (ranks > fewRanks && count * item <= smallBytes)
    return alongTree();
  std::vector<size_t> begins;
  for (int rank = 0; rank <= ranks; ++rank)
    begins.push_back(begin(count, rank));
  const size_t mine = begins[static_cast<size_t>(me)], size = begins[static_cast<size_t>(me) + 1] - mine;
  char *part = task.output + mine * item;
  TSC_RETURN_IF_ERROR(combinePart(begins, part));
  std::vector<Piece> sends, receives;
  for (int i = 1; i < ranks; ++i) {
    const int to = (me + i) % ranks;
    const size_t from = begins[static_cast<size_t>(to)];
    sends.push_back(piece(to, part, size));
    receives.push_back(piece(to, task.output + from * item, begins[static_cast<size_t>(to) + 1] - from));
  }
  return exchange(sends, receives, 1);
}

Status Run::reduce() {
  const size_t count = task.inputCount;
  const int root = task.signature.peer;
  std::vector<size_t> begins;
  for (int rank = 0; rank <= ranks; ++rank)
    begins.push_back(begin(count, rank));
  const size_t size = begins[static_cast<size_t>(me) + 1] - begins[static_cast<size_t>(me)];
  char *part = scratch(size);
  TSC_RETURN_IF_ERROR(combinePart(begins, part));
  if (me != root)
    return exchange(piece(root, part, size), {}, 1);
  std::vector<Piece> receives;
  for (int i = 1; i < ranks; ++i) {
    const auto from = static_cast<size_t>((me + i) % ranks);
    receives.push_back(
        piece(static_cast<int>(from), task.output + begins[from] * item, begins[from + 1] - begins[from]));
  }
  copy(task.output + begins[static_cast<size_t>(me)] * item, part, size);
  return exchange({}, receives, 1);
}

Status Run::reduceScatter() {
  std::vector<size_t> begins;
  for (int rank = 0; rank <= ranks; ++rank)
    begins.push_back(static_cast<size_t>(rank) * task.outputCount);
  char *part = scratch(task.outputCount); // the output may be any part of the input
  TSC_RETURN_IF_ERROR(combinePart(begins, part));
  copy(task.output, part, task.outputCount);
  return okStatus();
}

Status Run::broadcast() {
  const int root = task.signature.peer;
  copy(task.output, task.input, me == root ? task.outputCount : 0);
  return sendDown(root, 0);
}

/// Gives all ranks the output of one, along a tree: who has it sends it on, to ranks of half the distance each time.
Status Run::sendDown(int root, uint8_t step) {
  const int place = (me - root + ranks) % ranks;
  int distance = 1;
  while (distance < ranks && !(place & distance))
    distance *= 2;
  if (place != 0)
    TSC_RETURN_IF_ERROR(exchange({}, piece((place - distance + root) % ranks, task.output, task.outputCount), step));
  std::vector<Piece> sends;
  for (distance /= 2; distance != 0; distance /= 2)
    if (place + distance < ranks)
      sends.push_back(piece((place + distance + root) % ranks, task.output, task.outputCount));
  return exchange(sends, {}, step);
}

Status Run::allGather() {
  const size_t count = task.inputCount;
  char *own = task.output + static_cast<size_t>(me) * count * item;
  copy(own, task.input, count);
  std::vector<Piece> sends, receives;
  for (int i = 1; i < ranks; ++i) {
    const int to = (me + i) % ranks;
    sends.push_back(piece(to, own, count));
    receives.push_back(piece(to, task.output + static_cast<size_t>(to) * count * item, count));
  }
  return exchange(sends, receives);
}

Status Run::allToAll() {
  const char *input = task.input;
  if (input == task.output && task.inputCount != 0) { // which is written to
    char *copied = link.allocate(task.inputCount * item);
    copy(copied, input, task.inputCount);
    input = copied;
  }
  std::vector<Piece> sends, receives;
  size_t from = 0, to = 0;
  for (int rank = 0; rank != ranks; ++rank) {
    const size_t given = task.inputSplits[static_cast<size_t>(rank)],
                 taken = task.outputSplits[static_cast<size_t>(rank)];
    if (rank == me) {
      if (given != taken)
        return invalidArgument("all_to_all: this rank gives itself " + llvm::Twine(given) + " elements, and takes " +
                               llvm::Twine(taken));
      copy(task.output + to * item, input + from * item, given);
    } else {
      sends.push_back(piece(rank, input + from * item, given));
      receives.push_back(piece(rank, task.output + to * item, taken));
    }
    from += given;
    to += taken;
  }
  return exchange(sends, receives);
}

Status Run::gather() {
  const int root = task.signature.peer;
  const size_t count = task.inputCount;
  if (me != root)
    return exchange(piece(root, task.input, count), {});
  std::vector<Piece> receives;
  for (int i = 1; i < ranks; ++i) {
    const int from = (me + i) % ranks;
    receives.push_back(piece(from, task.output + static_cast<size_t>(from) * count * item, count));
  }
  copy(task.output + static_cast<size_t>(me) * count * item, task.input, count);
  return exchange({}, receives);
}

Status Run::scatter() {
  const int root = task.signature.peer;
  const size_t count = task.outputCount;
  if (me != root)
    return exchange({}, piece(root, task.output, count));
  std::vector<Piece> sends;
  for (int i = 1; i < ranks; ++i) {
    const int to = (me + i) % ranks;
    sends.push_back(piece(to, task.input + static_cast<size_t>(to) * count * item, count));
  }
  copy(task.output, task.input + static_cast<size_t>(me) * count * item, count);
  return exchange(sends, {});
}

Status ranks::run(Link &link, const Task &task) {
  Run run(link, task);
  switch (task.signature.exchange) {
  case Exchange::Barrier: return run.barrier();
  case Exchange::AllReduce: return run.allReduce();
  case Exchange::Reduce: return run.reduce();
  case Exchange::Broadcast: return run.broadcast();
  case Exchange::AllGather: return run.allGather();
  case Exchange::ReduceScatter: return run.reduceScatter();
  case Exchange::AllToAll: return run.allToAll();
  case Exchange::Gather: return run.gather();
  case Exchange::Scatter: return run.scatter();
  case Exchange::Send:
  case Exchange::Receive:
  case Exchange::Join:
  case Exchange::OnDevice:
  case Exchange::Failure:
  case Exchange::End: break;
  }
  return internalError("this is no exchange of tensors in the processor's memory between the ranks of a group");
}

Status ranks::compareSignatures(Link &link, const Signature &signature) {
  // The message itself says nothing, so that it fits whatever the others are about to do.
  Signature comparison;
  comparison.step = UINT8_MAX;
  comparison.sequence = signature.sequence;
  auto *all = reinterpret_cast<Signature *>(link.allocate((static_cast<size_t>(link.size()) + 1) * sizeof(Signature)));
  Signature *own = &all[link.size()];
  std::memcpy(own, &signature, sizeof signature);
  std::vector<Piece> sends, receives;
  for (int i = 1; i < link.size(); ++i) {
    const int other = (link.rank() + i) % link.size();
    sends.push_back({other, own, sizeof *own});
    receives.push_back({other, &all[other], sizeof *own});
  }
  TSC_RETURN_IF_ERROR(link.exchange(comparison, sends, receives));
  all[link.rank()] = signature;
  for (int rank = 1; rank < link.size(); ++rank)
    if (all[rank] != all[0])
      return invalidArgument("ranks do different things: rank " + llvm::Twine(rank) + " of the group " +
                             all[rank].str() + ", and rank 0 " + all[0].str());
  return okStatus();
}
