//===- OneDnn.cpp - oneDNN, opened when it is wanted ----------------------===//
#include "OneDnn.h"
#include "tsc/Kernels/Machine.h"
#include "tsc/Support/ForkSafety.h"
#include "tsc/Support/LoaderNamespace.h"
#include "tsc/Support/SimdLevel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <atomic>
#include <dlfcn.h>
#include <link.h>
#include <mutex>

using namespace tsc;
using namespace tsc::cpu;

#define TSC_TEXT_OF(x) #x
#define TSC_TEXT(x) TSC_TEXT_OF(x)

/// Holds oneDNN, which has just been opened, to the level of vector instructions that was chosen, where that is below
/// the machine's. It takes this before its first work alone, which a host in the same process may have given it.
static void limitInstructions(void *handle) {
  if (!handle || simdLevel() == machineSimdLevel())
    return;
  if (void *set = dlsym(handle, "dnnl_set_max_cpu_isa"))
    (void)reinterpret_cast<decltype(&::dnnl_set_max_cpu_isa)>(set)(simdLevel() == SimdLevel::V3 ? dnnl_cpu_isa_avx2
                                                                                                : dnnl_cpu_isa_sse41);
}

/// Whether oneDNN's kernels are worth to be asked for: those of x86-64 are. For AArch64, Debian's build has none but
/// for processors with SVE of 512 bits, and computes products on others without vectors.
#if defined(__x86_64__)
static constexpr bool hasFastKernels = true;
#else
static constexpr bool hasFastKernels = false;
#endif

/// Returns the handle of oneDNN, of the major version whose headers we were compiled with, or null. It is never closed,
/// because threads may be running its code. A fork waits while it is opened. In a namespace of dlmopen's it would bring
/// a second copy of libgomp, whose keys of pthread_key_create() have the numbers of the first one's keys: a thread that
/// ends would run the destructors of both.
static void *library() {
  static std::mutex &mutex = makeForkSafeMutex();
  static std::atomic<bool> wasOpened = false;
  static void *handle;
  if (!wasOpened.load(std::memory_order_acquire)) {
    std::lock_guard lock(mutex);
    if (hasFastKernels && !wasOpened.load(std::memory_order_relaxed) && isInMainNamespace()) {
      handle = dlopen("libdnnl.so." TSC_TEXT(DNNL_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
      limitInstructions(handle);
    }
    wasOpened.store(true, std::memory_order_release);
  }
  return handle;
}

bool tsc::cpu::hasOneDnn() { return library(); }
void *tsc::cpu::findInOneDnn(const char *name) { return library() ? dlsym(library(), name) : nullptr; }

/// Returns what the loader bound a name to that a library does not define, or null where the library does not use it.
static void *boundIn(void *handle, llvm::StringRef name) {
  link_map *map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
    return nullptr;
  const ElfW(Sym) *symbols = nullptr;
  const char *names = nullptr;
  std::array<const ElfW(Rela) *, 2> begins{}; // of data, and of calls
  std::array<size_t, 2> sizes{};
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    // The loader of glibc, and no other, has added the library's address already.
    const auto *place = reinterpret_cast<const void *>(entry->d_un.d_ptr);
    switch (entry->d_tag) {
    case DT_SYMTAB: symbols = static_cast<const ElfW(Sym) *>(place); break;
    case DT_STRTAB: names = static_cast<const char *>(place); break;
    case DT_RELA: begins[0] = static_cast<const ElfW(Rela) *>(place); break;
    case DT_RELASZ: sizes[0] = entry->d_un.d_val; break;
    case DT_JMPREL: begins[1] = static_cast<const ElfW(Rela) *>(place); break;
    case DT_PLTRELSZ: sizes[1] = entry->d_un.d_val; break;
    default: break;
    }
  }
  for (size_t i = 0; symbols && names && i != begins.size(); ++i)
    for (const ElfW(Rela) & relocation : llvm::ArrayRef(begins[i], sizes[i] / sizeof(ElfW(Rela))))
      if (size_t symbol = ELF64_R_SYM(relocation.r_info); symbol != 0 && name == names + symbols[symbol].st_name)
        return *reinterpret_cast<void **>(map->l_addr + relocation.r_offset);
  return nullptr;
}

/// Returns the library in which an address is, or null.
static link_map *libraryOf(void *address) {
  Dl_info place;
  void *map = nullptr;
  return dladdr1(address, &place, &map, RTLD_DL_LINKMAP) ? static_cast<link_map *>(map) : nullptr;
}

/// The functions of the OpenMP runtime that oneDNN uses, or null. A process may hold several runtimes, and which one
/// the loader gave oneDNN depends on who opened it first: only oneDNN's own table of addresses tells.
struct OpenMP {
  int (*getMaxThreads)() = nullptr;
  void (*setNumThreads)(int) = nullptr;

  OpenMP() {
    static constexpr char name[] = "omp_get_max_threads";
    void *ask = library() ? boundIn(library(), name) : nullptr;
    link_map *map = ask ? libraryOf(ask) : nullptr, *own = nullptr;
    if (map && dlinfo(library(), RTLD_DI_LINKMAP, &own) == 0 && map == own) {
      // A host has opened oneDNN so that the loader binds a function when it is first called, as here.
      reinterpret_cast<int (*)()>(ask)();
      ask = boundIn(library(), name);
      map = libraryOf(ask);
    }
    if (!map || map == own)
      return;
    void *runtime = dlopen(*map->l_name ? map->l_name : nullptr, RTLD_LAZY | RTLD_NOLOAD);
    void *set = runtime ? dlsym(runtime, "omp_set_num_threads") : nullptr;
    if (!set)
      return;
    getMaxThreads = reinterpret_cast<int (*)()>(ask);
    setNumThreads = reinterpret_cast<void (*)(int)>(set);
  }
};
static const OpenMP &openMP() {
  static const OpenMP found;
  return found;
}
static int maxThreads() { return openMP().getMaxThreads ? openMP().getMaxThreads() : 1; }
static void setThreads(int count) { openMP().setNumThreads(count); }

SingleThreadedDnn::SingleThreadedDnn() : previous(maxThreads()) {
  if (previous != 1)
    setThreads(1);
}
SingleThreadedDnn::~SingleThreadedDnn() {
  if (previous != 1)
    setThreads(previous);
}

OneDnnFacts tsc::cpu::oneDnnFacts() {
  OneDnnFacts facts;
  void *const ask = findInOneDnn("dnnl_version");
  if (!ask)
    return facts;
  const dnnl_version_t *version = reinterpret_cast<const dnnl_version_t *(*)()>(ask)();
  facts.version =
      std::to_string(version->major) + "." + std::to_string(version->minor) + "." + std::to_string(version->patch);
  Dl_info place;
  if (dladdr(ask, &place) && place.dli_fname)
    facts.file = place.dli_fname;
  return facts;
}
