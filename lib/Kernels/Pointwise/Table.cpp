//===- Table.cpp - Point-wise operators and their kernels by number -------===//
#include "Engine.h"
#include "SpecialKernels.h"

using namespace tsc;
using namespace tsc::pw;

namespace tsc::pw::checks {
#include "tsc/Kernels/PointwiseTable.inc"
} // namespace tsc::pw::checks

const Op &tsc::pw::opOf(PointwiseKind kind) {
  assert(kind < PointwiseKind::NumKinds && "one of the operators");
  return checks::ops[static_cast<size_t>(kind)];
}

ArrayRef<PointwiseParam> tsc::pointwiseParams(PointwiseKind kind) { return opOf(kind).params; }

ComputeClass tsc::pw::computeClassOf(DType dtype) {
  switch (dtype) {
  case DType::Bool: return ComputeClass::Bool;
  case DType::Double: return ComputeClass::Double;
  case DType::Half:
  case DType::BFloat16:
  case DType::Float: return ComputeClass::Float;
  case DType::ComplexHalf:
  case DType::ComplexFloat: return ComputeClass::ComplexFloat;
  case DType::ComplexDouble: return ComputeClass::ComplexDouble;
  default: return ComputeClass::Int;
  }
}

ComputeClass tsc::pw::narrowClassOf(DType dtype) {
  switch (dtype) {
  case DType::Bool: return ComputeClass::Byte;
  case DType::Int32: return ComputeClass::Int32;
  case DType::Int16: return ComputeClass::Int16;
  case DType::Int8: return ComputeClass::Int8;
  case DType::UInt8: return ComputeClass::UInt8;
  case DType::Half: return ComputeClass::Half;
  case DType::BFloat16: return ComputeClass::BFloat16;
  default: return computeClassOf(dtype);
  }
}

DType tsc::pw::bufferDType(ComputeClass compute) {
  switch (compute) {
  case ComputeClass::Float: return DType::Float;
  case ComputeClass::Double: return DType::Double;
  case ComputeClass::Int:
  case ComputeClass::Bool: return DType::Int64;
  case ComputeClass::Int32: return DType::Int32;
  case ComputeClass::Byte: return DType::Bool;
  case ComputeClass::Int16: return DType::Int16;
  case ComputeClass::Int8: return DType::Int8;
  case ComputeClass::UInt8: return DType::UInt8;
  case ComputeClass::Half: return DType::Half;
  case ComputeClass::BFloat16: return DType::BFloat16;
  case ComputeClass::ComplexFloat: return DType::ComplexFloat;
  case ComputeClass::ComplexDouble: return DType::ComplexDouble;
  }
  return DType::Float;
}

static KernelTable buildTable() {
  KernelTable table;
  for (auto fill : {fillSimdPart0, fillSimdPart1, fillSimdPart2, fillSimdPart3, fillSimdPart4, fillSimdPart5,
                    fillIntKernels, fillBoolKernels, fillInt32Kernels, fillByteKernels, fillNarrowKernels,
                    fillHalfKernels, fillComplexFloatKernels, fillComplexDoubleKernels, fillSpecialKernels})
    fill(table);
  return table;
}

Kernel tsc::pw::kernelFor(ComputeClass compute, unsigned body) {
  assert(body < numPointwiseBodies && "one of the bodies");
  // Depends on the processor; filling it costs about a microsecond, once.
  static const KernelTable table = buildTable();
  return table.kernels[static_cast<unsigned>(compute)][body];
}
