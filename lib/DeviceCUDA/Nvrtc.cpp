//===- Nvrtc.cpp - CUDA's runtime compiler --------------------------------===//
#include "tsc/DeviceCUDA/Nvrtc.h"
#include "llvm/ADT/ScopeExit.h"

using namespace tsc;
using namespace tsc::fuser;

StatusOr<std::unique_ptr<Nvrtc>> Nvrtc::open(llvm::StringRef path) {
  TSC_ASSIGN_OR_RETURN(SharedLibrary library,
                       SharedLibrary::open("NVRTC, CUDA's runtime compiler,", toolkitLibrary("nvrtc", path, {13, 12})));
  std::unique_ptr<Nvrtc> opened(new Nvrtc(std::move(library)));
  TSC_RETURN_IF_ERROR(opened->findFunctions());
  TSC_RETURN_IF_ERROR(opened->check(opened->versionOf(&opened->number.first, &opened->number.second), "nvrtcVersion"));
  return opened;
}

Status Nvrtc::findFunctions() {
  TSC_RETURN_IF_ERROR(library.find("nvrtcVersion", versionOf));
  TSC_RETURN_IF_ERROR(library.find("nvrtcGetErrorString", errorString));
  TSC_RETURN_IF_ERROR(library.find("nvrtcCreateProgram", create));
  TSC_RETURN_IF_ERROR(library.find("nvrtcDestroyProgram", destroy));
  TSC_RETURN_IF_ERROR(library.find("nvrtcCompileProgram", compileProgram));
  TSC_RETURN_IF_ERROR(library.find("nvrtcGetProgramLogSize", logSize));
  TSC_RETURN_IF_ERROR(library.find("nvrtcGetProgramLog", getLog));
  TSC_RETURN_IF_ERROR(library.find("nvrtcGetPTXSize", ptxSize));
  TSC_RETURN_IF_ERROR(library.find("nvrtcGetPTX", getPtx));
  TSC_RETURN_IF_ERROR(library.find("nvrtcGetCUBINSize", cubinSize));
  return library.find("nvrtcGetCUBIN", getCubin);
}

Status Nvrtc::check(int result, llvm::StringRef what) const {
  if (result == 0)
    return okStatus();
  return internalError((what + ": " + errorString(result)).str());
}

std::vector<std::string> Nvrtc::optionsFor(llvm::StringRef architecture, Effort effort, bool hasHeaders, int version) {
  // A product and a sum are rounded each, as on the processor.
  std::vector<std::string> options{("--gpu-architecture=" + architecture).str(), "--fmad=false", "--std=c++17",
                                   "--disable-warnings", "--device-as-default-execution-space"};
  if (!hasHeaders && version >= 13) // without what a program of ours never calls: textures, and CUDA's functions
    options.push_back("--minimal");
  if (effort == Effort::Least && version >= 13)
    options.push_back("--Ofast-compile=min");
  return options;
}

StatusOr<std::string> Nvrtc::compile(const std::string &source, llvm::StringRef architecture, Output output,
                                     Effort effort, llvm::ArrayRef<std::string> headers) const {
  Program program = nullptr;
  TSC_RETURN_IF_ERROR(check(create(&program, source.c_str(), "tsc.cu", 0, nullptr, nullptr), "nvrtcCreateProgram"));
  auto destroyer = llvm::make_scope_exit([&] { destroy(&program); });
  std::vector<std::string> texts = optionsFor(architecture, effort, !headers.empty(), number.first);
  for (const std::string &folder : headers)
    texts.push_back("--include-path=" + folder);
  std::vector<const char *> options;
  for (const std::string &text : texts)
    options.push_back(text.c_str());
  if (int result = compileProgram(program, static_cast<int>(options.size()), options.data())) {
    size_t size = 0;
    std::string log;
    if (logSize(program, &size) == 0 && size > 1) {
      log.resize(size);
      if (getLog(program, log.data()) != 0)
        log.clear();
      log = log.c_str();
    }
    return withContext(check(result, "nvrtcCompileProgram"), "CUDA kernels do not compile: " + log);
  }
  const bool isPtx = output == Output::Ptx;
  size_t size = 0;
  TSC_RETURN_IF_ERROR(check(isPtx ? ptxSize(program, &size) : cubinSize(program, &size), "nvrtcGetSize"));
  std::string made(size, '\0');
  TSC_RETURN_IF_ERROR(check(isPtx ? getPtx(program, made.data()) : getCubin(program, made.data()), "nvrtcGet"));
  return made;
}
