//===- EmitBodies.h - The records' scalar bodies on builders ----*- C++ -*-===//
//
// A fuser has builders for reals and for integers, which write each operation of a
// scalar body in the language of its kernels. What is instantiated here picks the body
// by its number.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSION_EMITBODIES_H
#define TSC_FUSION_EMITBODIES_H

#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/ArrayRef.h"
#include <type_traits>

namespace tsc::fuser {
namespace bodies {
#define TSC_POINTWISE_COUNT
#define TSC_POINTWISE_BODIES
#define TSC_POINTWISE_INLINE
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_BODIES
#undef TSC_POINTWISE_COUNT
} // namespace bodies

/// Writes the scalar bodies of operators with a device's builders. `State` is what the builders of one kernel share; a
/// `Real` is made of a State and of whether it computes in double, an `Integer` of a State alone.
template <class State, class Real, class Integer> class BodyEmitters {
public:
  using Value = typename Real::Value;

  /// Writes scalar body `body` in the compute type (Float, Double, Int64 or Bool) and returns its value. hasBody() must
  /// hold.
  static Value emit(State &state, DType compute, unsigned body, llvm::ArrayRef<Value> tensors,
                    llvm::ArrayRef<Value> uniforms) {
    static const BodyEmitters emitters;
    assert(body < std::size(emitters.real) && "the number of a scalar body");
    Emitter emitter = (compute == DType::Int64  ? emitters.integer
                       : compute == DType::Bool ? emitters.boolean
                                                : emitters.real)[body];
    assert(emitter && "hasBody() holds");
    return emitter(state, compute == DType::Double, tensors.data(), uniforms.data());
  }

private:
  using Emitter = Value (*)(State &, bool isDouble, const Value *, const Value *);

  /// Returns a body's result as a value; a truth value is the same vector or variable.
  template <class Result> static Value asValue(Result result) {
    if constexpr (std::is_same_v<Result, Value>) {
      return result;
    } else {
      auto [truth] = result;
      return {truth};
    }
  }
  template <class Body> static Value emitReal(State &state, bool isDouble, const Value *t, const Value *u) {
    Real b(state, isDouble);
    return asValue(Body::eval(b, t, u));
  }
  template <class Body> static Value emitInteger(State &state, bool, const Value *t, const Value *u) {
    Integer b(state);
    return asValue(Body::eval(b, t, u));
  }

  BodyEmitters() {
    using namespace bodies;
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
  Emitter real[bodies::numPointwiseBodies] = {}, integer[bodies::numPointwiseBodies] = {},
          boolean[bodies::numPointwiseBodies] = {};
};

} // namespace tsc::fuser

#endif
