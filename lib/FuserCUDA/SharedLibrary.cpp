//===- SharedLibrary.cpp - Libraries that may be missing ------------------===//
#include "SharedLibrary.h"
#include <dlfcn.h>

using namespace tsc;
using namespace tsc::fuser;

StatusOr<SharedLibrary> SharedLibrary::open(llvm::StringRef what, llvm::ArrayRef<std::string> paths) {
  std::string why;
  for (const std::string &path : paths) {
    if (void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
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
