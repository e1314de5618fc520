//===- FakeDriver.cpp - CUDA's driver and NVRTC, without a GPU -------------===//
//
// A shared library that is opened in the place of the driver's and of NVRTC. Memory is
// the host's; programs are built by the host's compiler behind the shim, and launches
// run them. Every call is recorded and checked: contexts that are current, allocations
// and frees, the addresses that kernels get. Any one call can be made to fail.
//
//===----------------------------------------------------------------------===//
#include "FakeDriver.h"
#include "FakeState.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace {
using Launcher = void (*)(unsigned, unsigned, bool, const void *);
struct Function {
  Launcher launcher;
  unsigned operands;
  size_t bytes;
  bool hasBarriers;
};
struct Module {
  void *library;
  std::map<std::string, Function> functions;
};
struct Program {
  std::string source, image, log;
};

/// Memory of the device: the processor cannot touch it, but for while a call of the driver reads, writes or runs.
class DeviceArena {
public:
  DeviceArena()
      : base(static_cast<char *>(mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {
    free[reinterpret_cast<uint64_t>(base)] = size;
  }
  /// 0: there is no room.
  uint64_t allocate(size_t bytes) {
    bytes = (bytes + 255) / 256 * 256;
    for (auto [address, room] : free)
      if (room >= bytes) {
        free.erase(address);
        if (room > bytes)
          free[address + bytes] = room - bytes;
        used = std::max(used, address + bytes - reinterpret_cast<uint64_t>(base));
        return address;
      }
    return 0;
  }
  void release(uint64_t address, size_t bytes) {
    bytes = (bytes + 255) / 256 * 256;
    auto at = free.emplace(address, bytes).first;
    if (auto next = std::next(at); next != free.end() && at->first + at->second == next->first) {
      at->second += next->second;
      free.erase(next);
    }
    if (at == free.begin())
      return;
    if (auto before = std::prev(at); before->first + before->second == at->first) {
      before->second += at->second;
      free.erase(at);
    }
  }
  /// While one lives, the memory can be touched.
  struct Opened {
    explicit Opened(DeviceArena &arena) : arena(arena) {
      if (arena.depth++ == 0)
        mprotect(arena.base, arena.pages(), PROT_READ | PROT_WRITE);
    }
    ~Opened() {
      if (--arena.depth == 0)
        mprotect(arena.base, arena.pages(), PROT_NONE);
    }
    DeviceArena &arena;
  };

private:
  size_t pages() const { return std::max<size_t>((used + 4095) / 4096 * 4096, 4096); }
  static constexpr size_t size = size_t{8} << 30;
  char *const base;
  std::map<uint64_t, size_t> free; ///< Ranges that nobody has, by address.
  size_t used = 0;                 ///< Bytes from the beginning that somebody has had.
  int depth = 0;
};

struct State {
  std::recursive_mutex lock;
  int calls = 0, failing = 0, retained = 0, objects = 0, devices = 1, major = 9, minor = 0;
  std::string failed, complaints, log;
  std::vector<void *> current; ///< Contexts, the last on top.
  std::map<uint64_t, size_t> allocations;
  std::set<void *> streams, pinned;
  std::set<Module *> modules;
  std::set<Function *> functions;
  std::map<std::string, std::string> images; ///< By source.
  DeviceArena arena;
  size_t bytesLeft = size_t{4} << 30; ///< What may be allocated.
};
State &state() {
  static State it;
  return it;
}
char theContext;

} // namespace

void fake::complain(const std::string &what) { state().complaints += what + "\n"; }
const std::string &fake::complaints() { return state().complaints; }
std::recursive_mutex &fake::lock() { return state().lock; }

/// What was made and not given back, also before the last reset. It has no end, as then all of it would look leaked.
static std::set<const void *> &kept() {
  static std::set<const void *> &it = *new std::set<const void *>;
  return it;
}
void fake::keep(const void *object) { kept().insert(object), ++state().objects; }
void fake::giveBack(const void *object) { kept().erase(object), --state().objects; }

bool fake::begin(const char *function, bool needsContext) {
  State &s = state();
  s.log += std::string(function) + "\n";
  if (needsContext && s.current.empty())
    complain(std::string(function) + " without a context");
  if (++s.calls != s.failing)
    return true;
  s.failed = function;
  return false;
}
void fake::checkStream(const char *function, void *stream) {
  if (!state().streams.count(stream))
    complain(std::string(function) + " on no stream");
}
bool fake::isAllocated(uint64_t address, size_t bytes) {
  auto &all = state().allocations;
  auto next = all.upper_bound(address);
  if (next == all.begin())
    return false;
  --next;
  return address + bytes <= next->first + next->second; // an operand without elements may be at the end
}

fake::Opened::Opened() : opened(new DeviceArena::Opened(state().arena)) {}
fake::Opened::~Opened() { delete static_cast<DeviceArena::Opened *>(opened); }

using namespace fake;
namespace {
constexpr int unknownError = 999, outOfMemory = 2, notFound = 500;
} // namespace

#define BEGIN(NEEDS_CONTEXT)                                                                                           \
  std::lock_guard<std::recursive_mutex> guard(state().lock);                                                           \
  if (!begin(__func__, NEEDS_CONTEXT))                                                                                 \
    return unknownError;

/// What is neither a launch nor a capture's own.
static void checkIdle(const char *function, void *stream) {
  checkStream(function, stream);
  if (isCapturing(stream))
    complain(std::string(function) + " on a stream that is captured from");
  settle(stream);
}
//===- The driver ---------------------------------------------------------===//

EXPORT int cuGetErrorName(int error, const char **name) {
  *name = error == unknownError  ? "CUDA_ERROR_UNKNOWN"
          : error == outOfMemory ? "CUDA_ERROR_OUT_OF_MEMORY"
                                 : "CUDA_ERROR";
  return 0;
}
EXPORT int cuGetErrorString(int error, const char **text) {
  *text = error == unknownError ? "unknown error" : error == outOfMemory ? "out of memory" : "error";
  return 0;
}
EXPORT int cuInit(unsigned) {
  BEGIN(false)
  return 0;
}
EXPORT int cuDriverGetVersion(int *version) {
  BEGIN(false)
  *version = 13000;
  return 0;
}
EXPORT int cuDeviceGetCount(int *count) {
  BEGIN(false)
  *count = state().devices;
  return 0;
}
EXPORT int cuDeviceGet(int *device, int ordinal) {
  BEGIN(false)
  *device = ordinal;
  return 0;
}
EXPORT int cuDeviceGetName(char *name, int length, int) {
  BEGIN(false)
  snprintf(name, static_cast<size_t>(length), "a fake GPU");
  return 0;
}
EXPORT int cuDeviceGetAttribute(int *value, int attribute, int) {
  BEGIN(false)
  *value = attribute == 75   ? state().major
           : attribute == 76 ? state().minor
           : attribute == 16 ? 7
           : attribute == 39 ? 2048
                             : 0;
  return 0;
}
/// A process has a GPU of its own, unless the environment says that all have one.
EXPORT int cuDeviceGetUuid_v2(unsigned char *bytes, int device) {
  BEGIN(false)
  memset(bytes, 0, 16);
  bytes[0] = static_cast<unsigned char>(device);
  if (const int process = getpid(); !getenv("TSC_FAKE_GPU_SHARED"))
    memcpy(bytes + 4, &process, sizeof process);
  return 0;
}
EXPORT int cuDevicePrimaryCtxRetain(void **context, int) {
  BEGIN(false)
  ++state().retained;
  *context = &theContext;
  return 0;
}
EXPORT int cuDevicePrimaryCtxRelease_v2(int) {
  BEGIN(false)
  if (--state().retained < 0)
    complain("a context is released too often");
  return 0;
}
EXPORT int cuCtxPushCurrent_v2(void *context) {
  BEGIN(false)
  if (context != &theContext || state().retained == 0)
    complain("a context that is not retained becomes current");
  state().current.push_back(context);
  return 0;
}
EXPORT int cuCtxPopCurrent_v2(void **context) {
  std::lock_guard<std::recursive_mutex> guard(state().lock);
  bool works = begin(__func__, true);
  if (!state().current.empty()) { // it goes in any case, so that one error does not look like others
    *context = state().current.back();
    state().current.pop_back();
  }
  return works ? 0 : unknownError;
}
EXPORT int cuStreamCreate(void **stream, unsigned) {
  BEGIN(true)
  *stream = malloc(1);
  state().streams.insert(*stream);
  keep(*stream);
  return 0;
}
EXPORT int cuStreamDestroy_v2(void *stream) {
  BEGIN(true)
  checkIdle(__func__, stream);
  state().streams.erase(stream);
  giveBack(stream);
  free(stream);
  return 0;
}
EXPORT int cuStreamSynchronize(void *stream) {
  BEGIN(true)
  checkIdle(__func__, stream);
  return 0;
}
EXPORT int cuMemAllocAsync(uint64_t *address, size_t bytes, void *stream) {
  std::lock_guard<std::recursive_mutex> guard(state().lock);
  if (!begin(__func__, true))
    return outOfMemory;
  checkIdle(__func__, stream);
  if (bytes == 0)
    complain("an allocation of no bytes");
  *address = bytes <= state().bytesLeft ? state().arena.allocate(bytes) : 0;
  if (*address == 0)
    return outOfMemory;
  state().allocations[*address] = bytes;
  state().bytesLeft -= bytes;
  return 0;
}
EXPORT int cuMemFreeAsync(uint64_t address, void *stream) {
  BEGIN(true)
  checkIdle(__func__, stream);
  auto known = state().allocations.find(address);
  if (known == state().allocations.end()) {
    complain("memory is freed that is not allocated");
    return 0;
  }
  state().arena.release(address, known->second);
  state().bytesLeft += known->second;
  state().allocations.erase(known);
  return 0;
}
EXPORT int cuMemHostAlloc(void **data, size_t bytes, unsigned) {
  BEGIN(true)
  *data = malloc(bytes);
  state().pinned.insert(*data);
  return 0;
}
EXPORT int cuMemFreeHost(void *data) {
  BEGIN(true)
  if (state().pinned.erase(data) == 0)
    complain("pinned memory is freed that is not allocated");
  else
    free(data);
  return 0;
}
static int copy(const char *function, uint64_t to, uint64_t from, size_t bytes, bool toDevice, bool fromDevice) {
  if ((toDevice && !isAllocated(to)) || (fromDevice && !isAllocated(from)))
    complain(std::string(function) + " of memory that is not allocated");
  else {
    DeviceArena::Opened opened(state().arena);
    memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes);
  }
  return 0;
}
EXPORT int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
  BEGIN(true)
  checkIdle(__func__, stream);
  return copy(__func__, to, reinterpret_cast<uint64_t>(from), bytes, true, false);
}
EXPORT int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
  BEGIN(true)
  checkIdle(__func__, stream);
  return copy(__func__, reinterpret_cast<uint64_t>(to), from, bytes, false, true);
}
EXPORT int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream) {
  BEGIN(true)
  checkStream(__func__, stream);
  perform(stream, [=] { copy("cuMemcpyDtoDAsync_v2", to, from, bytes, true, true); });
  return 0;
}
EXPORT int cuModuleLoadData(void **module, const void *image) {
  BEGIN(true)
  auto *made = new Module;
  made->library = dlopen(static_cast<const char *>(image), RTLD_NOW | RTLD_LOCAL);
  if (!made->library)
    complain("no program: " + std::string(dlerror()));
  state().modules.insert(made);
  keep(made);
  *module = made;
  return 0;
}
EXPORT int cuModuleUnload(void *module) {
  BEGIN(true)
  auto *made = static_cast<Module *>(module);
  if (state().modules.erase(made) == 0) {
    complain("a module is unloaded that is not loaded");
    return unknownError;
  }
  for (auto &[name, function] : made->functions)
    state().functions.erase(&function);
  dlclose(made->library);
  giveBack(made);
  delete made;
  return 0;
}
EXPORT int cuModuleGetFunction(void **function, void *module, const char *name) {
  BEGIN(true)
  auto *made = static_cast<Module *>(module);
  auto symbol = [&](const char *suffix) { return dlsym(made->library, (std::string(name) + suffix).c_str()); };
  if (!symbol("_on_host"))
    return notFound;
  Function &found = made->functions[name];
  found = {reinterpret_cast<Launcher>(symbol("_on_host")), reinterpret_cast<unsigned (*)()>(symbol("_operands"))(),
           reinterpret_cast<size_t (*)()>(symbol("_bytes"))(), *static_cast<const bool *>(symbol("_barriers"))};
  state().functions.insert(&found);
  *function = &found;
  return 0;
}
bool fake::readLaunch(Launched &launch, const unsigned (&grid)[3], const unsigned (&block)[3], void **parameters,
                      const char *function) {
  auto *called = static_cast<Function *>(launch.function);
  if (!state().functions.count(called)) {
    complain(std::string(function) + " of a function that is in no module");
    return false;
  }
  if (grid[0] == 0 || grid[1] != 1 || grid[2] != 1 || block[0] == 0 || block[0] > 1024 || block[1] != 1 ||
      block[2] != 1)
    complain(std::string(function) + " of no such grid");
  const auto *words = static_cast<const uint64_t *>(parameters[0]);
  launch.blocks = grid[0], launch.threads = block[0];
  launch.words.assign(words, words + called->bytes / sizeof(uint64_t));
  return true;
}
void fake::runLaunch(const Launched &launch) {
  auto *called = static_cast<Function *>(launch.function);
  if (!state().functions.count(called))
    return complain("a launch of a function whose module is gone");
  for (unsigned k = 0; k != called->operands; ++k)
    if (!isAllocated(launch.words[k]))
      complain("a launch with memory that is not allocated");
  DeviceArena::Opened opened(state().arena);
  called->launcher(launch.blocks, launch.threads, called->hasBarriers, launch.words.data());
}
EXPORT int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                          unsigned blockY, unsigned blockZ, unsigned, void *stream, void **parameters, void **) {
  BEGIN(true)
  checkStream(__func__, stream);
  settle(stream);
  Launched launch{function, 0, 0, {}};
  if (!readLaunch(launch, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, parameters, __func__))
    return unknownError;
  if (!isCaptured(stream, launch))
    runLaunch(launch);
  return 0;
}

//===- NVRTC --------------------------------------------------------------===//

EXPORT int nvrtcVersion(int *major, int *minor) {
  BEGIN(false)
  *major = 13, *minor = 0;
  return 0;
}
EXPORT const char *nvrtcGetErrorString(int error) { return error == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR"; }
EXPORT int nvrtcCreateProgram(void **program, const char *source, const char *, int, const char *const *,
                              const char *const *) {
  BEGIN(false)
  *program = new Program{source, "", ""};
  return 0;
}
EXPORT int nvrtcDestroyProgram(void **program) {
  delete static_cast<Program *>(*program);
  return 0;
}

/// What stands between a kernel's name and the next one tells whether it has barriers.
static std::string entriesOf(const std::string &source) {
  const std::string mark = "extern \"C\" __global__";
  std::string entries;
  for (size_t at = source.find(mark); at != std::string::npos;) {
    size_t next = source.find(mark, at + 1), paren = source.find("(const __grid", at);
    size_t start = source.rfind(' ', paren) + 1;
    std::string name = source.substr(start, paren - start);
    bool hasBarriers = source.substr(at, next - at).find("__syncthreads") != std::string::npos;
    entries += "TSC_SHIM_ENTRY(" + name + ")\nextern \"C\" __attribute__((visibility(\"default\"))) const bool " +
               name + "_barriers = " + (hasBarriers ? "true" : "false") + ";\n";
    at = next;
  }
  return entries;
}

/// Where the program is kept for other processes: in the folder that the environment names, if it does.
static std::string keptImage(const std::string &source) {
  const char *folder = getenv("TSC_FAKE_CUDA_CACHE");
  if (!folder || !*folder)
    return "";
  char name[40];
  snprintf(name, sizeof name, "/%016zx-%zx.so", std::hash<std::string>()(source), source.size());
  return folder + std::string(name);
}

EXPORT int nvrtcCompileProgram(void *program, int count, const char *const *options) {
  BEGIN(false)
  auto *made = static_cast<Program *>(program);
  std::string folders;
  for (const std::string option : std::vector<const char *>(options, options + count))
    if (const std::string mark = "--include-path="; option.rfind(mark, 0) == 0)
      folders += " -I" + option.substr(mark.size());
  std::string &image = state().images[made->source];
  const std::string kept = keptImage(made->source);
  if (image.empty() && !kept.empty() && access(kept.c_str(), R_OK) == 0)
    image = kept;
  if (image.empty()) {
    char folder[] = "/tmp/tsc-fake-cuda-XXXXXX";
    if (!mkdtemp(folder))
      return 1;
    const std::string base = folder;
    std::ofstream(base + "/kernels.cpp") << made->source << entriesOf(made->source);
    const std::string command =
        TSC_SHIM_COMMAND + folders + " " + base + "/kernels.cpp -o " + base + "/kernels.so > " + base + "/log 2>&1";
    if (system(command.c_str()) != 0) {
      std::stringstream log;
      log << std::ifstream(base + "/log").rdbuf();
      made->log = log.str();
      return 6;
    }
    image = base + "/kernels.so";
    if (!kept.empty() && rename(image.c_str(), kept.c_str()) == 0) {
      for (const char *file : {"/kernels.cpp", "/log"})
        unlink((base + file).c_str());
      rmdir(folder);
      image = kept;
    }
  }
  made->image = image;
  return 0;
}
EXPORT int nvrtcGetProgramLogSize(void *program, size_t *size) {
  *size = static_cast<Program *>(program)->log.size() + 1;
  return 0;
}
EXPORT int nvrtcGetProgramLog(void *program, char *log) {
  strcpy(log, static_cast<Program *>(program)->log.c_str());
  return 0;
}
EXPORT int nvrtcGetPTXSize(void *program, size_t *size) {
  BEGIN(false)
  *size = static_cast<Program *>(program)->image.size() + 1;
  return 0;
}
EXPORT int nvrtcGetPTX(void *program, char *image) {
  BEGIN(false)
  strcpy(image, static_cast<Program *>(program)->image.c_str());
  return 0;
}
EXPORT int nvrtcGetCUBINSize(void *program, size_t *size) { return nvrtcGetPTXSize(program, size); }
EXPORT int nvrtcGetCUBIN(void *program, char *image) { return nvrtcGetPTX(program, image); }

//===- What tests ask -----------------------------------------------------===//

static void reset(int failing) {
  State &s = state();
  s.calls = s.retained = s.objects = 0, s.failing = failing;
  s.failed.clear(), s.complaints.clear(), s.log.clear(), s.current.clear();
  for (auto [address, bytes] : s.allocations)
    s.arena.release(address, bytes), s.bytesLeft += bytes;
  for (void *data : s.pinned)
    free(data);
  s.pinned.clear();
  s.allocations.clear(), s.streams.clear(), s.modules.clear(), s.functions.clear();
}
static int numLive() {
  State &s = state();
  return static_cast<int>(s.allocations.size() + s.pinned.size() + s.current.size()) + s.retained + s.objects;
}
namespace {
struct FolderRemover {
  ~FolderRemover() {
    for (auto &[source, image] : state().images) {
      std::string folder = image.substr(0, image.rfind('/'));
      if (folder.find("/tsc-fake-cuda-") == std::string::npos)
        continue; // kept
      for (const char *file : {"/kernels.cpp", "/kernels.so", "/log"})
        unlink((folder + file).c_str());
      rmdir(folder.c_str());
    }
  }
};
} // namespace

extern "C" __attribute__((visibility("default")))
const FakeDriver fakeDriver = {reset,
                               [] { return state().calls; },
                               [] { return state().failed.c_str(); },
                               numLive,
                               [] { return state().complaints.c_str(); },
                               [] { return state().log.c_str(); },
                               [](int major, int minor) { state().major = major, state().minor = minor; },
                               [](int count) { state().devices = count; },
                               [](size_t bytes) { state().bytesLeft = bytes; },
                               [](int index) -> const char * {
                                 auto program = state().images.begin();
                                 for (; program != state().images.end() && index != 0; --index)
                                   ++program;
                                 return program == state().images.end() ? nullptr : program->first.c_str();
                               }};
static State &madeFirst = state(); // and so destroyed after the remover
static FolderRemover remover;
