//===- SharedLibrary.cpp - Libraries that may be missing ------------------===//
#include "tsc/DeviceCUDA/SharedLibrary.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace tsc;
using namespace tsc::fuser;

StatusOr<SharedLibrary> SharedLibrary::open(llvm::StringRef what, llvm::ArrayRef<std::string> paths) {
  std::string why;
  // NVIDIA's libraries do not give back all of their memory when they are unloaded, so that each opening would lose
  // some.
  constexpr int flags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
  for (const std::string &path : paths) {
    if (void *handle = dlopen(path.c_str(), flags))
      return SharedLibrary(handle);
    if (why.empty())
      if (const char *error = dlerror())
        why = error;
  }
  return notFound(what + " is not there: " + why);
}

SharedLibrary::~SharedLibrary() {
  if (handle)
    dlclose(handle);
}

void *SharedLibrary::address(const char *name) const { return dlsym(handle, name); }

std::vector<std::string> fuser::toolkitLibrary(llvm::StringRef name, llvm::StringRef path,
                                               llvm::ArrayRef<int> versions) {
  if (!path.empty())
    return {path.str()};
  const std::string file = ("lib" + name + ".so").str();
  std::vector<std::string> paths;
  for (int version : versions)
    paths.push_back(file + "." + std::to_string(version));
  paths.push_back(file);
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *folder = secure_getenv(variable)) // what is found there is run
      paths.push_back(std::string(folder) + "/lib64/" + file);
  paths.push_back("/usr/local/cuda/lib64/" + file);
  return paths;
}

std::vector<std::string> fuser::toolkitHeaders(llvm::StringRef header, llvm::StringRef path) {
  std::vector<std::string> folders;
  if (!path.empty()) {
    folders.push_back(path.str());
  } else {
    for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
      if (const char *folder = secure_getenv(variable))
        folders.push_back(std::string(folder) + "/include");
    folders.push_back("/usr/local/cuda/include");
  }
  for (const std::string &folder : folders)
    for (const std::string &libraries : {folder + "/cccl", folder}) // since version 13, and before
      if (llvm::sys::fs::exists(libraries + "/" + header))
        return libraries == folder ? std::vector{folder} : std::vector{libraries, folder};
  return {};
}
