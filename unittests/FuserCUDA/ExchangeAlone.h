//===- ExchangeAlone.h - A rank that exchanges with itself ------*- C++ -*-===//
#ifndef TSC_UNITTESTS_FUSERCUDA_EXCHANGEALONE_H
#define TSC_UNITTESTS_FUSERCUDA_EXCHANGEALONE_H

#include "tsc/FuserCUDA/FuserCUDA.h"
#include "tsc/Runtime/Dispatch/DeviceCollectives.h"
#include "tsc/Tensor/DeviceCopy.h"
#include <chrono>

namespace tsc {

inline CollectiveCall callOf(llvm::StringRef name, llvm::StringRef reduceOp, DType dtype) {
  CollectiveCall call;
  call.name = name;
  call.reduceOp = reduceOp;
  call.dtype = dtype;
  return call;
}

/// Calls `isDone` until it says so or fails; what takes a minute is an error.
template <typename F> Status await(F isDone) {
  for (auto begin = std::chrono::steady_clock::now();
       std::chrono::steady_clock::now() - begin < std::chrono::minutes(1);) {
    TSC_ASSIGN_OR_RETURN(bool done, isDone());
    if (done)
      return okStatus();
  }
  return internalError("it does not end");
}

/// Joins a communicator of one rank, makes each exchange of six numbers, and leaves.
inline Status exchangeAlone(const CudaFuserOptions &options) {
  TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> gpu, CudaGpu::open(options));
  TSC_ASSIGN_OR_RETURN(std::shared_ptr<DeviceCollectives> nccl, gpu->collectives());
  TSC_RETURN_IF_ERROR(nccl->identity().status());
  TSC_ASSIGN_OR_RETURN(std::string id, nccl->makeId());
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<DeviceCommunicator> communicator, nccl->join(id, 1, 0));
  TSC_RETURN_IF_ERROR(await([&] { return communicator->isJoined(); }));
  TSC_ASSIGN_OR_RETURN(Tensor numbers, Tensor::fromSpan<float>({1, 2, 3, 4, 5, 6}, {6}));
  for (const char *name :
       {"all_reduce", "reduce", "reduce_scatter", "broadcast", "all_gather", "all_to_all", "gather", "scatter"}) {
    TSC_ASSIGN_OR_RETURN(Tensor from, copyTensor(numbers, gpu->memory()));
    TSC_ASSIGN_OR_RETURN(Tensor to, Tensor::empty({6}, DType::Float, gpu->memory()));
    CollectiveCall call = callOf(name, llvm::StringRef(name).contains("reduce") ? "avg" : "", DType::Float);
    const int64_t all[] = {6};
    call.input = from.data();
    call.output = to.mutableData();
    call.inputCount = call.outputCount = 6;
    call.inputSplits = call.outputSplits = all;
    if (!nccl->takes(call))
      return internalError("NCCL takes it");
    TSC_ASSIGN_OR_RETURN(std::shared_ptr<DevicePoint> point, nccl->point());
    TSC_ASSIGN_OR_RETURN(std::unique_ptr<DeviceWork> work, communicator->begin(call, *point));
    TSC_RETURN_IF_ERROR(await([&] { return work->isLaunched(); }));
    TSC_RETURN_IF_ERROR(work->follow());
    TSC_RETURN_IF_ERROR(await([&] { return work->isOver(); }));
    TSC_ASSIGN_OR_RETURN(Tensor back, onHost(to));
    for (int64_t i = 0; i != 6; ++i)
      if (back.at(i).toDouble() != static_cast<double>(i + 1))
        return internalError(llvm::Twine("a wrong number in ") + name);
  }
  return await([&] { return communicator->leave(); });
}

} // namespace tsc

#endif
