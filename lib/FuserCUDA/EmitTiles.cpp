//===- EmitTiles.cpp - Kernels with transposed inputs ----------------------===//
//
// Threads side by side read neighbours in memory: those of transposed inputs lie across
// the rows. So 32 elements of 32 rows are read by columns into memory that the threads
// share, whose rows are an element longer, so that neither way meets in one bank.
//
//===----------------------------------------------------------------------===//
#include "KernelEmitter.h"

using namespace tsc;
using namespace tsc::fuser;

static constexpr unsigned linesAtOnce = pointwiseThreads / tileSize;

/// Thread `lane` of a line reads column j of the tile, of row i.
void KernelEmitter::readTiles() {
  s.line("#pragma unroll");
  open("for (unsigned t = line; t < " + number(tileSize) + "; t += " + number(linesAtOnce) + ")");
  s.line("const tsc_index i = firstElement + t, j = firstAcross + lane;");
  open("if (i < end && j < endAcross)");
  for (unsigned k = 0; k != nest.operands.size(); ++k)
    if (nest.operands[k].access == Access::Transposed)
      s.line("tile" + number(k) + "[t][lane] = " +
             elementOf(k, offset(k, "base") + " + i * (tsc_index)" + offset(k, "p.inner") + " + j") + ";");
  close();
  close();
}

void KernelEmitter::emitTiles() {
  const std::vector<bool> needed = neededElements(0);
  for (unsigned k = 0; k != nest.operands.size(); ++k)
    if (const NestOperand &operand = nest.operands[k]; operand.access == Access::Transposed)
      s.line("__shared__ " + storedType(operand.dtype) + " tile" + number(k) + "[" + number(tileSize) + "][" +
             number(tileSize + 1) + "];");
  s.line("const tsc_index end = (tsc_index)p.count, endAcross = (tsc_index)p.run;");
  s.line("const unsigned lane = threadIdx.x % " + number(tileSize) + ", line = threadIdx.x / " + number(tileSize) +
         ";");
  openUnits();
  s.line("const unsigned rest = tsc_divide(unit, p.byStrips), row = tsc_divide(rest, p.byChunks);");
  s.line("const tsc_index firstElement = (tsc_index)" + number(tileSize) + " * (unit - rest * (unsigned)p.strips);");
  s.line("const tsc_index firstAcross = (tsc_index)" + number(tileSize) + " * (rest - row * (unsigned)p.chunks);");
  declareOffsets("base");
  s.line("tsc_move_to_row(p, row, base);");
  readTiles();
  s.line("__syncthreads();");
  open("for (unsigned t = line; t < " + number(tileSize) + "; t += " + number(linesAtOnce) + ")");
  s.line("const tsc_index i = firstElement + lane, j = firstAcross + t;");
  open("if (i < end && j < endAcross)");
  declareOffsets("at");
  for (unsigned c = 0; c != nest.numStrideClasses; ++c)
    s.line("at[" + number(c) + "] = base[" + number(c) + "] + j * (tsc_index)p.along[" + number(c) + "];");
  emitLevel(Level::Row, 0);
  element = "i";
  emitElement(needed);
  for (const NestStore &store : nest.stores)
    emitScalarStore(store, "i");
  close();
  close();
  s.line("__syncthreads();");
  close();
}
