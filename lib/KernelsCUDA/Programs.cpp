//===- Programs.cpp - Kernels that are written by hand --------------------===//
#include "Programs.h"
#include "tsc/KernelsCUDA/Prelude.h"

using namespace tsc;
using namespace tsc::fuser;

Programs::~Programs() {
  for (CuModule module : modules)
    (void)context.unload(module); // what fails here has no reader
}

StatusOr<CuFunction> Programs::load(const std::string &name, const std::string &image, Entry &entry) {
  TSC_ASSIGN_OR_RETURN(CuModule module, context.load(image));
  {
    std::lock_guard<std::mutex> guard(lock);
    modules.push_back(module);
  }
  TSC_ASSIGN_OR_RETURN(entry.function, context.find(module, name));
  entry.isMade = true;
  return entry.function;
}

StatusOr<CuFunction> Programs::make(const std::string &name, Source source, llvm::ArrayRef<std::string> headers,
                                    bool mayFail) {
  Entry *entry = nullptr;
  {
    std::lock_guard<std::mutex> guard(lock);
    std::unique_ptr<Entry> &found = entries[name];
    if (!found)
      found = std::make_unique<Entry>();
    entry = found.get();
  }
  std::lock_guard<std::mutex> guard(entry->lock);
  if (entry->isMade)
    return entry->function;
  const std::string text = cudaPrelude().str() + source();
  if (const std::optional<StoredKernels> stored = disk.load(text))
    if (StatusOr<CuFunction> loaded = load(name, stored->object.bytes, *entry); loaded.ok())
      return loaded;
  StatusOr<std::string> image =
      nvrtc.compile(text, context.architecture(), Nvrtc::Output::Cubin, Nvrtc::Effort::Full, headers);
  if (!image.ok() && mayFail) {
    entry->isMade = true;
    return nullptr;
  }
  TSC_RETURN_IF_ERROR(image.status());
  TSC_ASSIGN_OR_RETURN(CuFunction function, load(name, *image, *entry));
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
