//===- Programs.cpp - Kernels that are written by hand --------------------===//
#include "Programs.h"
#include "Prelude.h"

using namespace tsc;
using namespace tsc::fuser;

Programs::~Programs() {
  for (CuModule module : modules)
    (void)context.unload(module); // what fails here has no reader
}

StatusOr<CuFunction> Programs::find(const std::string &name, llvm::function_ref<std::string()> source) {
  std::lock_guard<std::mutex> guard(lock);
  if (auto known = functions.find(name); known != functions.end())
    return known->second;
  TSC_ASSIGN_OR_RETURN(std::string image,
                       nvrtc.compile(cudaPrelude().str() + source(), context.architecture(), Nvrtc::Output::Cubin));
  TSC_ASSIGN_OR_RETURN(CuModule module, context.load(image));
  modules.push_back(module);
  TSC_ASSIGN_OR_RETURN(CuFunction function, context.find(module, name));
  functions[name] = function;
  return function;
}
