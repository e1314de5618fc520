//===- EmitBodies.cpp - The records' scalar bodies on the source builders -===//
#include "tsc/Fusion/EmitBodies.h"
#include "SourceBuilder.h"

using namespace tsc;
using namespace tsc::fuser;

SourceValue fuser::emitBody(SourceState &state, DType compute, unsigned body, llvm::ArrayRef<SourceValue> tensors,
                            llvm::ArrayRef<SourceValue> uniforms) {
  return BodyEmitters<SourceState, RealSource, IntegerSource>::emit(state, compute, body, tensors, uniforms);
}
