//===- EmitBodies.cpp - The records' scalar bodies on the source builders -===//
#include "SourceBuilder.h"

using namespace tsc;
using namespace tsc::fuser;

namespace {
#define TSC_POINTWISE_COUNT
#define TSC_POINTWISE_BODIES
#define TSC_POINTWISE_INLINE
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_BODIES
#undef TSC_POINTWISE_COUNT

SourceValue asValue(SourceValue v) { return v; }
SourceValue asValue(SourceMask m) { return {m.name, 0}; }

template <class Body>
SourceValue emitReal(SourceState &state, bool isDouble, const SourceValue *t, const SourceValue *u) {
  RealSource b(state, isDouble);
  return asValue(Body::eval(b, t, u));
}
template <class Body> SourceValue emitInteger(SourceState &state, bool, const SourceValue *t, const SourceValue *u) {
  IntegerSource b(state);
  return asValue(Body::eval(b, t, u));
}

using Emitter = SourceValue (*)(SourceState &, bool isDouble, const SourceValue *, const SourceValue *);
struct Emitters {
  Emitter real[numPointwiseBodies] = {}, integer[numPointwiseBodies] = {}, boolean[numPointwiseBodies] = {};
  Emitters() {
#define BODY(INDEX, NAME) real[INDEX] = &emitReal<NAME>;
#define TSC_POINTWISE_REAL
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_REAL
#undef BODY
#define BODY(INDEX, NAME) integer[INDEX] = &emitInteger<NAME>;
#define TSC_POINTWISE_INT
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_INT
#undef BODY
#define BODY(INDEX, NAME) boolean[INDEX] = &emitInteger<NAME>;
#define TSC_POINTWISE_BOOL
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_BOOL
#undef BODY
  }
};
} // namespace

SourceValue fuser::emitBody(SourceState &state, DType compute, unsigned body, llvm::ArrayRef<SourceValue> tensors,
                            llvm::ArrayRef<SourceValue> uniforms) {
  static const Emitters emitters;
  Emitter emitter = (compute == DType::Int64  ? emitters.integer
                     : compute == DType::Bool ? emitters.boolean
                                              : emitters.real)[body];
  return emitter(state, compute == DType::Double, tensors.data(), uniforms.data());
}
