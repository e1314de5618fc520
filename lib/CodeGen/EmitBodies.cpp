//===- EmitBodies.cpp - The records' scalar bodies on the LLVM builders ---===//
#include "tsc/Fusion/EmitBodies.h"
#include "VectorBuilder.h"

using namespace tsc;
using namespace tsc::fuser;

VectorValue fuser::emitBody(VectorState &state, DType compute, unsigned body, llvm::ArrayRef<VectorValue> tensors,
                            llvm::ArrayRef<VectorValue> uniforms) {
  return BodyEmitters<VectorState, RealBuilder, IntegerBuilder>::emit(state, compute, body, tensors, uniforms);
}
