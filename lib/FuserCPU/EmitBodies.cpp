//===- EmitBodies.cpp - The records' scalar bodies on the LLVM builders ---===//
#include "VectorBuilder.h"

using namespace tsc;
using namespace tsc::fuser;

namespace {
#define TSC_POINTWISE_COUNT
#define TSC_POINTWISE_BODIES
#define TSC_POINTWISE_INLINE
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_BODIES
#undef TSC_POINTWISE_COUNT

VectorValue asValue(VectorValue v) { return v; }
VectorValue asValue(VectorMask m) { return {m.value, nullptr}; }

template <class Body>
VectorValue emitReal(VectorState &state, bool isDouble, const VectorValue *t, const VectorValue *u) {
  RealBuilder b(state, isDouble);
  return asValue(Body::eval(b, t, u));
}
template <class Body> VectorValue emitInteger(VectorState &state, bool, const VectorValue *t, const VectorValue *u) {
  IntegerBuilder b(state);
  return asValue(Body::eval(b, t, u));
}

using Emitter = VectorValue (*)(VectorState &, bool isDouble, const VectorValue *, const VectorValue *);
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

static Emitter emitterOf(DType compute, unsigned body) {
  static const Emitters emitters;
  return (compute == DType::Int64 ? emitters.integer : compute == DType::Bool ? emitters.boolean : emitters.real)[body];
}

VectorValue fuser::emitBody(VectorState &state, DType compute, unsigned body, llvm::ArrayRef<VectorValue> tensors,
                            llvm::ArrayRef<VectorValue> uniforms) {
  return emitterOf(compute, body)(state, compute == DType::Double, tensors.data(), uniforms.data());
}
