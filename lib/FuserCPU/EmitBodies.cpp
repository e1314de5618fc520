//===- EmitBodies.cpp - The records' scalar bodies on the LLVM builders ---===//
#include "VectorBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <atomic>
#include <type_traits>

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

template <class Body, class Builder>
constexpr bool givesMask =
    std::is_same_v<decltype(Body::eval(std::declval<Builder &>(), nullptr, nullptr)), VectorMask>;

struct Emitter {
  VectorValue (*emit)(VectorState &, bool isDouble, const VectorValue *, const VectorValue *) = nullptr;
  const char *name = "";
  bool isMask = false;
};
struct Emitters {
  Emitter real[numPointwiseBodies], integer[numPointwiseBodies], boolean[numPointwiseBodies];
  Emitters() {
#define BODY(INDEX, NAME) real[INDEX] = {&emitReal<NAME>, #NAME, givesMask<NAME, RealBuilder>};
#define TSC_POINTWISE_REAL
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_REAL
#undef BODY
#define BODY(INDEX, NAME) integer[INDEX] = {&emitInteger<NAME>, #NAME, givesMask<NAME, IntegerBuilder>};
#define TSC_POINTWISE_INT
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_INT
#undef BODY
#define BODY(INDEX, NAME) boolean[INDEX] = {&emitInteger<NAME>, #NAME, givesMask<NAME, IntegerBuilder>};
#define TSC_POINTWISE_BOOL
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_BOOL
#undef BODY
  }
};
} // namespace

static const Emitter &emitterOf(DType compute, unsigned body) {
  static const Emitters emitters;
  return (compute == DType::Int64 ? emitters.integer : compute == DType::Bool ? emitters.boolean : emitters.real)[body];
}

VectorValue fuser::emitBody(VectorState &state, DType compute, unsigned body, llvm::ArrayRef<VectorValue> tensors,
                            llvm::ArrayRef<VectorValue> uniforms) {
  return emitterOf(compute, body).emit(state, compute == DType::Double, tensors.data(), uniforms.data());
}

llvm::StringRef fuser::bodyName(DType compute, unsigned body) {
  return llvm::StringRef(emitterOf(compute, body).name).rsplit('_').first;
}

bool fuser::hasBody(DType compute, unsigned body) { return emitterOf(compute, body).emit; }
bool fuser::bodyGivesMask(DType compute, unsigned body) { return emitterOf(compute, body).isMask; }

static unsigned costOf(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call && !call->getCalledFunction())
    return 100; // a routine, lane by lane
  bool isSlow =
      instruction.getOpcode() == llvm::Instruction::FDiv || (call && call->getIntrinsicID() == llvm::Intrinsic::sqrt);
  return isSlow ? 8 : 1;
}

static unsigned findCost(DType compute, unsigned body) {
  constexpr unsigned maxOperands = 24;
  llvm::LLVMContext context;
  llvm::Module module("cost", context);
  llvm::IRBuilder<> ir(context);
  constexpr unsigned lanes = 8; // of the narrowest registers: no instruction is counted twice
  VectorState state{ir, lanes, false, nullptr, nullptr};
  llvm::Type *element = compute == DType::Float    ? ir.getFloatTy()
                        : compute == DType::Double ? ir.getDoubleTy()
                                                   : ir.getInt64Ty();
  llvm::SmallVector<llvm::Type *, maxOperands> parameters(maxOperands, state.vectorOf(element));
  parameters.push_back(ir.getPtrTy());
  auto *type = llvm::FunctionType::get(ir.getVoidTy(), parameters, false);
  state.function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "body", module);
  state.routines = state.function->getArg(maxOperands);
  ir.SetInsertPoint(llvm::BasicBlock::Create(context, "", state.function));
  llvm::SmallVector<VectorValue, maxOperands> operands;
  for (unsigned i = 0; i != maxOperands; ++i)
    operands.push_back({state.function->getArg(i), nullptr});
  emitBody(state, compute, body, llvm::ArrayRef(operands).take_front(6), llvm::ArrayRef(operands).drop_front(6));
  unsigned cost = 0;
  for (const llvm::Instruction &instruction : llvm::instructions(*state.function))
    cost += costOf(instruction);
  return cost;
}

unsigned fuser::bodyCost(DType compute, unsigned body) {
  static std::atomic<unsigned> known[static_cast<size_t>(DType::BFloat16) + 1][numPointwiseBodies]; // 0: not yet
  std::atomic<unsigned> &cost = known[static_cast<size_t>(compute)][body];
  if (cost == 0)
    cost = 1 + findCost(compute, body);
  return cost - 1;
}
