// Loads the plug-in beside it, whose only function of interest is growModel; nothing of tsc's can be found in it.
#include <cstdio>
#include <dlfcn.h>

int main() {
  void *model = dlopen(MODEL, RTLD_NOW | RTLD_LOCAL);
  if (!model) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  auto *grow = reinterpret_cast<double (*)(double)>(dlsym(model, "growModel"));
  if (!grow || dlsym(model, "_ZN3tsc7ProgramD1Ev")) { // tsc::Program::~Program()
    std::fprintf(stderr, "the plug-in does not export what it should, or more\n");
    return 1;
  }
  return grow(3) == 8 ? 0 : 1;
}
