//===- CudaLayout.cpp - The order in which a GPU walks a nest -------------===//
//
// Dimensions are merged where every operand allows it. Of what is not folded, that
// whose written elements are neighbours is the row, which threads take side by side.
// How many threads take a row and how many blocks of a fold make a chunk follows from
// sizes, and changes no result.
//
//===----------------------------------------------------------------------===//
#include "CudaDevice.h"
#include "CudaGraphs.h"
#include "tsc/Fusion/Facts.h"
#include "tsc/Fusion/Walk.h"
#include "tsc/Kernels/Folds.h"
#include "llvm/ADT/STLExtras.h"
#include <bit>

using namespace tsc;
using namespace tsc::fuser;
using cpu::foldBlock;

namespace {
class CudaLayout : public FusedNest {
public:
  CudaLayout(FusedNest fused, int multiprocessors) : FusedNest(std::move(fused)), multiprocessors(multiprocessors) {}
  /// False when there is no way to walk the nest.
  bool decide(CudaLaunch &launch);

private:
  bool decideRows();
  bool decideFolds();
  void chooseColumns();
  void addResults();
  void classify();
  void chooseTiles();
  void findStrideClasses();
  bool hasWideOffsets() const;
  void findRecords();
  void alignVectors(CudaLaunch &launch, unsigned width) const;
  bool shareOut(CudaLaunch &launch);
  int64_t elementsOfThread() const;
  void shareOutElements(CudaLaunch &launch);
  void shareOutTiles(CudaLaunch &launch);
  void shareOutRows(CudaLaunch &launch);
  void shareOutFolds(CudaLaunch &launch);
  void writeParams(CudaLaunch &launch);
  bool worthVectors(int64_t allBlocks) const;
  int64_t teamsOfBlock() const;
  int64_t mostTeamShift() const;
  int64_t itemBytes(size_t k) const { return static_cast<int64_t>(itemSize(operands[k].geometry.dtype())); }
  bool isResult(size_t k) const { return k >= firstResult; }

  llvm::SmallVector<WalkDim, 6> dims, runs; ///< Outermost first, without the row, the run and the columns.
  WalkDim inner;                            ///< The row; of blocks, the run; of columns, these.
  WalkDim run;                              ///< Of columns: what is folded; of tiles: what lies across the row.
  bool hasColumns = false;
  size_t firstResult = SIZE_MAX;
  const int multiprocessors;
  llvm::SmallVector<size_t, 8> classOperands;              ///< One of each stride class.
  int64_t stripElements = 1, rowsAtOnce = 1, together = 0; ///< Of a unit, where nothing is folded.
  int64_t rows = 1, folded = 1, strips = 1, shift = 0, blocks = 1, perRun = 1, chunks = 1, chunkShift = 0;
};
} // namespace

/// Elements that are computed each, and rows whose elements read the row's folds.
bool CudaLayout::decideRows() {
  if (!orderByElements(*this, dims))
    return false;
  inner = dims.empty() ? stillDim(*this) : dims.pop_back_val();
  return true;
}

/// Results of folds are operands that are written, row-major where they are not reduced.
void CudaLayout::addResults() {
  firstResult = operands.size();
  Dims strides(sizes.size(), 0);
  int64_t kept = 1;
  for (size_t d = sizes.size(); d-- != 0;)
    if (!reduced[d])
      strides[d] = kept, kept *= sizes[d];
  for (const FoldResult &result : results) {
    unsigned operand = nest.addOperand({result.dtype, Access::Contiguous, true});
    nest.store(result.nestStep, operand);
    operands.push_back({result.source, *tensorWithoutStorage(sizes, strides, result.dtype)});
  }
}

/// Blocks along the run; or, where its elements stand apart, along a kept dimension whose elements do not.
bool CudaLayout::decideFolds() {
  addResults();
  for (size_t d = 0; d != sizes.size(); ++d)
    folded *= reduced[d] ? sizes[d] : 1;
  if (!orderByFolds(*this, dims, runs, inner))
    return false;
  chooseColumns();
  nest.foldMode = hasColumns ? FoldMode::Columns : FoldMode::Blocks;
  return true;
}

void CudaLayout::chooseColumns() {
  constexpr int64_t enough = 4, shortRun = 16;
  auto gaps = [&](const WalkDim &dim) {
    int64_t count = 0;
    for (size_t k = 0; k != operands.size(); ++k)
      count += !isResult(k) && dim.strides[k] != 0 && dim.strides[k] != itemBytes(k);
    return count;
  };
  int64_t fewest = gaps(inner) + (inner.size < shortRun);
  auto *best = dims.end();
  for (WalkDim &dim : dims)
    if (int64_t count = gaps(dim); dim.size >= enough && count < fewest)
      fewest = count, best = &dim;
  if (best == dims.end())
    return;
  hasColumns = true;
  run = std::exchange(inner, std::move(*best));
  dims.erase(best);
}

/// The classes of the operands.
void CudaLayout::classify() {
  for (size_t k = 0; k != operands.size(); ++k) {
    NestOperand &operand = nest.operands[k];
    auto moves = [&](const WalkDim &dim) { return dim.strides[k] != 0; };
    if (isResult(k) || (operand.isOutput && inner.size == 1 && reduced.empty()))
      operand.access = Access::Contiguous;
    else if (inner.strides[k] == 0)
      operand.access = llvm::any_of(dims, moves) || llvm::any_of(runs, moves) || (hasColumns && moves(run))
                           ? Access::Repeated
                           : Access::Single;
    else
      operand.access = inner.strides[k] == itemBytes(k) ? Access::Contiguous : Access::Strided;
  }
  if (reduced.empty() && walkKind(nest) == WalkKind::Pointwise)
    chooseTiles();
  findStrideClasses();
  findRecords();
  nest.findLevels();
}

/// Inputs that are neighbours across the row, along the dimension in which most of them are. Fields of records are
/// better read as such.
void CudaLayout::chooseTiles() {
  constexpr int64_t enough = 16, largestRecord = 4;
  if (inner.size < enough ||
      llvm::any_of(
          nest.operands,
          [](const NestOperand &operand) { return operand.isOutput && operand.access != Access::Contiguous; }))
    return;
  auto liesAcross = [&](const WalkDim &dim, size_t k) {
    return nest.operands[k].access == Access::Strided && inner.strides[k] > largestRecord * itemBytes(k) &&
           dim.strides[k] == itemBytes(k);
  };
  auto countOf = [&](const WalkDim &dim) {
    unsigned count = 0;
    for (size_t k = 0; k != operands.size(); ++k)
      count += liesAcross(dim, k);
    return count;
  };
  unsigned most = 0;
  auto *best = dims.end();
  for (WalkDim &dim : dims)
    if (const unsigned count = countOf(dim); dim.size >= enough && count > most && count <= mostTiles)
      most = count, best = &dim;
  if (best == dims.end())
    return;
  for (size_t k = 0; k != operands.size(); ++k)
    if (liesAcross(*best, k))
      nest.operands[k].access = Access::Transposed;
  hasColumns = true;
  run = std::move(*best);
  dims.erase(best);
}

/// Strided operands that lie within each other's gaps: one access reads or writes a record of theirs. The last field is
/// among those that are read, so that no record reaches beyond the tensor, and all fields are written, or none.
void CudaLayout::findRecords() {
  if (!reduced.empty() || hasColumns)
    return;
  auto offsetOf = [&](size_t k) { return operands[k].geometry.storageOffset(); };
  for (size_t k = 0; k != operands.size(); ++k) {
    NestOperand &operand = nest.operands[k];
    const int64_t size = inner.strides[k] / itemBytes(k);
    if (operand.access != Access::Strided || (size != 2 && size != 4) || size * itemBytes(k) > 16)
      continue;
    operand.recordSize = static_cast<unsigned>(size);
    operand.field = static_cast<unsigned>(offsetOf(k) % size);
    operand.record = static_cast<unsigned>(k);
    for (size_t other = 0; other != k; ++other) {
      const NestOperand &before = nest.operands[other];
      if (before.recordSize == operand.recordSize && before.record == other &&
          before.strideClass == operand.strideClass && before.dtype == operand.dtype &&
          before.isOutput == operand.isOutput && operands[other].source == operands[k].source &&
          offsetOf(other) / size == offsetOf(k) / size) {
        operand.record = static_cast<unsigned>(other);
        break;
      }
    }
  }
  llvm::SmallVector<unsigned, 8> fields(nest.operands.size(), 0); // of a record, as bits
  for (const NestOperand &operand : nest.operands)
    if (operand.recordSize)
      fields[operand.record] |= 1u << operand.field;
  for (NestOperand &operand : nest.operands) {
    if (!operand.recordSize)
      continue;
    const unsigned all = (1u << operand.recordSize) - 1, last = all ^ (all >> 1);
    if (operand.isOutput ? fields[operand.record] != all : !(fields[operand.record] & last))
      operand.recordSize = 0;
  }
}

/// Operands whose elements are as far apart in every dimension are of one class.
void CudaLayout::findStrideClasses() {
  std::vector<llvm::SmallVector<int64_t, 8>> classes;
  for (size_t k = 0; k != operands.size(); ++k) {
    if (nest.operands[k].access == Access::Single)
      continue;
    llvm::SmallVector<int64_t, 8> strides{inner.strides[k] / itemBytes(k)};
    strides.push_back(hasColumns ? run.strides[k] / itemBytes(k) : 0);
    for (const auto *outer : {&dims, &runs})
      for (const WalkDim &dim : *outer)
        strides.push_back(dim.strides[k] / itemBytes(k));
    auto known = llvm::find(classes, strides);
    nest.operands[k].strideClass = static_cast<unsigned>(known - classes.begin());
    if (known == classes.end()) {
      classes.push_back(std::move(strides));
      classOperands.push_back(k);
    }
  }
  nest.numStrideClasses = static_cast<unsigned>(classes.size());
  nest.wideOffsets = hasWideOffsets();
}

/// Whether an offset that a kernel counts with, in elements and a little behind the last one, needs more than 32 bits.
bool CudaLayout::hasWideOffsets() const {
  constexpr int64_t most = INT32_MAX - (int64_t{1} << 20);
  auto exceeds = [&](size_t k) {
    int64_t last = inner.size;
    auto add = [&](const WalkDim &dim) {
      const int64_t stride = dim.strides[k] / itemBytes(k);
      last = stride != 0 && dim.size > most / stride ? most + 1 : std::min(most + 1, last + stride * dim.size);
    };
    add(inner);
    if (hasColumns)
      add(run);
    llvm::for_each(dims, add);
    llvm::for_each(runs, add);
    return last > most;
  };
  return inner.size > most || llvm::any_of(classOperands, exceeds);
}

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
/// The least power of two, as its exponent, that is not below.
static int64_t exponentOf(int64_t atLeast) {
  return std::bit_width(static_cast<uint64_t>(std::max<int64_t>(atLeast, 1) - 1));
}
/// Threads that take a block, with vectors where enough threads have something to do even so.
bool CudaLayout::worthVectors(int64_t allBlocks) const {
  constexpr int64_t enoughThreads = 512; // of a multiprocessor
  size_t numFolds = llvm::count_if(nest.steps, [](const NestStep &step) { return step.kind == NestStep::Fold; });
  return numFolds <= mostVectorFolds && !hasColumns && allBlocks * vectorTeam >= enoughThreads * multiprocessors &&
         llvm::none_of(nest.operands, [](const NestOperand &o) { return o.access == Access::Strided; });
}
int64_t CudaLayout::teamsOfBlock() const { return foldThreads / foldTeam(nest); }
int64_t CudaLayout::mostTeamShift() const { return exponentOf(teamsOfBlock()); }

/// What accesses of `width` elements need; strides have it, addresses are looked at when the kernel is launched.
void CudaLayout::alignVectors(CudaLaunch &launch, unsigned width) const {
  launch.mayVectorize = true;
  for (size_t k = 0; k != operands.size(); ++k)
    if (const NestOperand &operand = nest.operands[k];
        (operand.access == Access::Contiguous && !isResult(k)) || operand.recordSize) {
      launch.operands[k].alignment =
          operand.recordSize ? operand.recordSize * static_cast<unsigned>(itemBytes(k)) : accessBytes(operand, width);
      launch.operands[k].field = operand.field * static_cast<unsigned>(itemBytes(k));
      for (const auto *outer : {&dims, &runs})
        for (const WalkDim &dim : *outer)
          launch.mayVectorize &= dim.strides[k] % launch.operands[k].alignment == 0;
    }
}

/// Elements that a thread takes one by one, as far apart as its row has threads; none where there are vectors enough
/// for all multiprocessors.
int64_t CudaLayout::elementsOfThread() const {
  constexpr int64_t fewThreads = 256, manyThreads = 512; // of a multiprocessor
  const int64_t width = elementsAtOnce(nest);
  if (rows * ceilDiv(inner.size, width) >= fewThreads * multiprocessors)
    return 0;
  const int64_t each = ceilDiv(rows * inner.size, manyThreads * multiprocessors);
  return each < width ? each : 0;
}

void CudaLayout::shareOutElements(CudaLaunch &launch) {
  if (const int64_t each = elementsOfThread()) {
    shift = std::min<int64_t>(exponentOf(ceilDiv(inner.size, each)), 8);
    stripElements = each << shift;
    strips = ceilDiv(inner.size, stripElements);
    rowsAtOnce = pointwiseThreads >> shift;
    launch.units = static_cast<unsigned>(std::min<int64_t>(ceilDiv(rows, rowsAtOnce) * strips, INT32_MAX));
    return; // addresses need not be aligned
  }
  const int64_t width = elementsAtOnce(nest), vectors = ceilDiv(inner.size, width);
  shift = std::min<int64_t>(exponentOf(vectors), 8);
  // Several vectors for each thread where all multiprocessors have blocks enough even so.
  constexpr int64_t enoughBlocks = 8;
  const int64_t several = vectorsAtOnce(nest);
  int64_t times = 1;
  if (shift == 8 && rows * ceilDiv(vectors, several << shift) >= enoughBlocks * multiprocessors)
    times = several;
  strips = ceilDiv(vectors, times << shift);
  stripElements = (times << shift) * width;
  rowsAtOnce = pointwiseThreads >> shift;
  if (times == several && several != 1)
    together = std::max<int64_t>(inner.size - (stripElements - pointwiseThreads * width + width - 1), 0);
  launch.units = static_cast<unsigned>(std::min<int64_t>(ceilDiv(rows, rowsAtOnce) * strips, INT32_MAX));
  alignVectors(launch, elementsAtOnce(nest));
}

void CudaLayout::shareOutTiles(CudaLaunch &launch) {
  strips = ceilDiv(inner.size, tileSize), chunks = ceilDiv(run.size, tileSize);
  launch.units = static_cast<unsigned>(std::min<int64_t>(rows * strips * chunks, INT32_MAX));
}

void CudaLayout::shareOutRows(CudaLaunch &launch) {
  blocks = ceilDiv(inner.size, foldBlock);
  nest.foldsVectors = worthVectors(rows * blocks);
  shift = std::min(exponentOf(blocks), mostTeamShift());
  // Few rows are more blocks of fewer threads.
  constexpr unsigned leastThreads = 32;
  auto rowsOfBlock = [&] { return (launch.threads / foldTeam(nest)) >> shift; };
  while (launch.threads > std::max<unsigned>(leastThreads, foldTeam(nest) << shift) &&
         ceilDiv(rows, rowsOfBlock()) < multiprocessors)
    launch.threads /= 2;
  launch.units = static_cast<unsigned>(ceilDiv(rows, rowsOfBlock()));
  alignVectors(launch, std::max(elementsAtOnce(nest), vectorOfFold));
}

/// As many chunks as keep a large GPU busy, where there are that many blocks.
void CudaLayout::shareOutFolds(CudaLaunch &launch) {
  constexpr int64_t enoughUnits = 512, mostChunkShift = 6;
  perRun = ceilDiv(hasColumns ? run.size : inner.size, foldBlock);
  blocks = perRun;
  for (const WalkDim &dim : runs)
    blocks *= dim.size;
  nest.foldsVectors = worthVectors(rows * blocks);
  shift = hasColumns ? 0 : std::min(exponentOf(blocks), mostTeamShift());
  strips = hasColumns ? ceilDiv(inner.size, columnsAtOnce) : 1;
  const int64_t groups = hasColumns ? rows * strips : ceilDiv(rows, teamsOfBlock() >> shift);
  const int64_t leastShift = hasColumns ? 0 : shift;
  chunkShift = mostChunkShift;
  while (chunkShift > leastShift && groups * ceilDiv(blocks, int64_t{1} << chunkShift) < enoughUnits)
    --chunkShift;
  const int64_t oneChunk = hasColumns ? 4 : 2 * teamsOfBlock(); // blocks that are not worth a second launch
  if (blocks <= oneChunk)
    chunkShift = exponentOf(blocks);
  chunks = ceilDiv(blocks, int64_t{1} << chunkShift);
  launch.units = static_cast<unsigned>(std::min<int64_t>(groups * chunks, INT32_MAX));
  launch.threads = hasColumns ? columnThreads : foldThreads;
  launch.numFolded = hasColumns ? rows * inner.size : rows;
  if (nest.foldsVectors)
    alignVectors(launch, vectorOfFold);
  if (chunks != 1) {
    auto folds = llvm::count_if(nest.steps, [](const NestStep &step) { return step.kind == NestStep::Fold; });
    launch.numPartials = static_cast<uint64_t>(folds * launch.numFolded * chunks);
  }
}

/// False where numbers do not fit into what kernels count with.
bool CudaLayout::shareOut(CudaLaunch &launch) {
  constexpr int64_t most = INT32_MAX;
  int64_t all = 1;
  for (const WalkDim &dim : dims) {
    if (dim.size > most || rows > most / dim.size)
      return false;
    rows *= dim.size;
  }
  for (const WalkDim &dim : runs) {
    if (dim.size > most || all > most / dim.size)
      return false;
    all *= dim.size;
  }
  if (dims.size() + runs.size() > maxWalkDims || inner.size > most * int64_t{256} ||
      all > most / ceilDiv(std::max(inner.size, hasColumns ? run.size : 1), foldBlock))
    return false;
  for (size_t k = 0; k != operands.size(); ++k) {
    const Tensor &geometry = operands[k].geometry;
    int64_t elements = 1;
    for (size_t d = 0; d != sizes.size(); ++d)
      elements *= geometry.stride(static_cast<int64_t>(d)) ? sizes[d] : 1;
    launch.operands.push_back(
        {operands[k].source, geometry.storageOffset() * itemBytes(k), geometry.dtype(), elements});
  }
  switch (walkKind(nest)) {
  case WalkKind::Pointwise: shareOutElements(launch); break;
  case WalkKind::Tiles: shareOutTiles(launch); break;
  case WalkKind::Rows: shareOutRows(launch); break;
  default: shareOutFolds(launch); break;
  }
  // Units are counted in 32 bits, and a grid's last step may not wrap.
  const int64_t units = int64_t{launch.units};
  return units < most / 2 && (results.empty() || launch.numFolded < most);
}

/// tsc_divisor of the prelude: with l the exponent of the next power of two, ceil(2^(31 + l) / d) is too large by less
/// than one in d, and its product with what is below 2^31 by less than one in 2^(31 + l).
static uint64_t divisorBy(int64_t divisor) {
  const auto d = static_cast<uint64_t>(divisor), shift = 31 + static_cast<uint64_t>(exponentOf(divisor));
  return ((uint64_t{1} << shift) + d - 1) / d | shift << 32;
}

void CudaLayout::writeParams(CudaLaunch &launch) {
  using enum ParamsLayout::Scalar;
  ParamsLayout layout(static_cast<unsigned>(operands.size()), nest.numStrideClasses, nest.numUniforms);
  launch.layout = layout;
  launch.params.assign(layout.words(), 0);
  auto set = [&](unsigned word, int64_t value) { launch.params[word] = static_cast<uint64_t>(value); };
  auto strideOf = [&](const WalkDim &dim, size_t k) { return dim.strides[k] / itemBytes(k); };
  for (auto [c, k] : llvm::enumerate(classOperands)) {
    set(layout.inner(c), strideOf(inner, k));
    if (hasColumns)
      set(layout.along(c), strideOf(run, k));
    set(layout.lastDim(c), strideOf(dims.front(), k));
    if (!runs.empty())
      set(layout.lastRun(c), strideOf(runs.front(), k));
  }
  int64_t means = 0;
  for (auto [r, result] : llvm::enumerate(results))
    means |= int64_t{result.kind == FoldKind::Mean} << r;
  unsigned d = 0;
  for (const auto *outer : {&dims, &runs})
    for (const WalkDim &dim : llvm::reverse(*outer)) {
      set(layout.size(d), dim.size);
      launch.params[layout.bySize(d)] = divisorBy(dim.size);
      for (auto [c, k] : llvm::enumerate(classOperands))
        set(layout.stride(d, c), strideOf(dim, k));
      ++d;
    }
  const std::pair<ParamsLayout::Scalar, int64_t> scalars[] = {{Count, inner.size},
                                                              {Run, hasColumns ? run.size : inner.size},
                                                              {Folded, folded},
                                                              {Folds, launch.numFolded},
                                                              {Rows, rows},
                                                              {Units, launch.units},
                                                              {Strips, strips},
                                                              {Shift, shift},
                                                              {Dims, static_cast<int64_t>(dims.size())},
                                                              {RunDims, static_cast<int64_t>(runs.size())},
                                                              {Blocks, blocks},
                                                              {PerRun, perRun},
                                                              {Chunks, chunks},
                                                              {ChunkShift, chunkShift},
                                                              {StripElements, stripElements},
                                                              {RowsAtOnce, rowsAtOnce},
                                                              {InPieces, inner.size},
                                                              {Together, together},
                                                              {Means, means}};
  for (auto [scalar, value] : scalars)
    set(layout.scalar(scalar), value);
  launch.params[layout.by(ParamsLayout::ByStrips)] = divisorBy(strips);
  launch.params[layout.by(ParamsLayout::ByRun)] = divisorBy(perRun);
  launch.params[layout.by(ParamsLayout::ByChunks)] = divisorBy(chunks);
}

bool CudaLayout::decide(CudaLaunch &launch) {
  if (results.empty() ? !decideRows() : !decideFolds())
    return false;
  classify();
  auto isStrided = [](const NestOperand &operand) { return operand.access == Access::Strided; };
  if (foldsRows() && llvm::any_of(nest.operands, isStrided))
    return false; // columns are better folded side by side
  // Rows and runs of the prelude have one dimension to walk at least.
  if (dims.empty())
    dims.push_back(stillDim(*this));
  if (runs.empty() && !results.empty())
    runs.push_back(stillDim(*this));
  if (!shareOut(launch))
    return false;
  writeParams(launch);
  launch.numbers = numbers;
  launch.sizes = sizes;
  return true;
}

CudaDevice::CudaDevice(const DeviceMemory &where, const KernelRunner &runner, int multiprocessors,
                       std::shared_ptr<CudaGraphs> graphs)
    : where(where), runner(runner), multiprocessors(multiprocessors), graphs(std::move(graphs)) {}
CudaDevice::~CudaDevice() = default;

std::unique_ptr<LaunchSequence> CudaDevice::sequence() const {
  return graphs ? CudaGraphs::sequence(graphs, where) : nullptr;
}

bool CudaDevice::foldsApart(int64_t rows, int64_t length) const {
  constexpr int64_t longRow = 1 << 16, fewRows = 64; // blocks give work to more processors than rows
  return rows < fewRows && length >= longRow;
}

NestDevice::LaidOut CudaDevice::layOut(FusedNest fused, unsigned) const {
  auto launch = std::make_unique<CudaLaunch>(where, runner);
  CudaLayout layout(std::move(fused), multiprocessors);
  if (!layout.decide(*launch))
    return {};
  return {std::move(launch), std::move(layout.nest)};
}
