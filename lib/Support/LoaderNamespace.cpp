//===- LoaderNamespace.cpp - Where the loader has put us ------------------===//
#include "tsc/Support/LoaderNamespace.h"
#include <dlfcn.h>
#include <link.h>

bool tsc::isInMainNamespace() {
  static const char anchor = 0;
  Dl_info place;
  void *map = nullptr;
  Lmid_t found = LM_ID_BASE;
  return !dladdr1(&anchor, &place, &map, RTLD_DL_LINKMAP) || dlinfo(map, RTLD_DI_LMID, &found) != 0 ||
         found == LM_ID_BASE;
}
