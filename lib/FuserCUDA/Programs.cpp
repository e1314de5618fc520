//===- Programs.cpp - Kernels that are written by hand --------------------===//
#include "Programs.h"
#include "Prelude.h"

using namespace tsc;
using namespace tsc::fuser;

Programs::~Programs() {
  for (CuModule module : modules)
    (void)context.unload(module); // what fails here has no reader
}

StatusOr<CuFunction> Programs::load(const std::string &name, const std::string &image) {
  TSC_ASSIGN_OR_RETURN(CuModule module, context.load(image));
  modules.push_back(module);
  TSC_ASSIGN_OR_RETURN(CuFunction function, context.find(module, name));
  functions[name] = function;
  return function;
}

StatusOr<CuFunction> Programs::make(const std::string &name, Source source, llvm::ArrayRef<std::string> headers,
                                    bool mayFail) {
  std::lock_guard<std::mutex> guard(lock);
  if (auto known = functions.find(name); known != functions.end())
    return known->second;
  const std::string text = cudaPrelude().str() + source();
  if (const std::optional<StoredKernels> stored = disk.load(text))
    if (StatusOr<CuFunction> loaded = load(name, stored->object.bytes); loaded.ok())
      return loaded;
  StatusOr<std::string> image =
      nvrtc.compile(text, context.architecture(), Nvrtc::Output::Cubin, Nvrtc::Effort::Full, headers);
  if (!image.ok() && mayFail)
    return functions[name] = nullptr;
  TSC_RETURN_IF_ERROR(image.status());
  TSC_ASSIGN_OR_RETURN(CuFunction function, load(name, *image));
  disk.store({{text}, {{name}, std::move(*image)}});
  return function;
}

StatusOr<CuFunction> Programs::find(const std::string &name, Source source) {
  return make(name, source, {}, /*mayFail=*/false);
}

StatusOr<CuFunction> Programs::findIfCompiles(const std::string &name, Source source,
                                              llvm::ArrayRef<std::string> headers) {
  return make(name, source, headers, /*mayFail=*/true);
}
