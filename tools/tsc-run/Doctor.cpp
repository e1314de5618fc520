//===- Doctor.cpp - tsc-run --doctor --------------------------------------===//
//
// What a user needs to know when a machine is slower than expected or a cache stays
// empty, on one screen.
//
//===----------------------------------------------------------------------===//
#include "Doctor.h"
#include "About.h"
#include "tsc/Kernels/Machine.h"
#include "tsc/Support/DiskCache.h"
#include "tsc/Support/PrivateFolder.h"
#include "tsc/Support/SimdLevel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <thread>

using namespace tsc;
using namespace tsc::run;
using llvm::StringRef;

namespace {
/// Prints the report line by line, and collects what is wrong.
class Doctor {
public:
  Doctor(llvm::raw_ostream &os, const Options &options) : os(os), options(options) {}

  unsigned run() {
    showBuild();
    showProcessor();
    showMemory();
    showOneDnn();
    showGpu();
    showCache();
    for (const std::string &problem : problems)
      os << "problem: " << problem << '\n';
    os << (problems.empty()
               ? "nothing is wrong\n"
               : llvm::Twine(problems.size()).str() + (problems.size() == 1 ? " problem\n" : " problems\n"));
    return static_cast<unsigned>(problems.size());
  }

private:
  void show(StringRef name, const llvm::Twine &text) { os << llvm::left_justify(name, 12) << text << '\n'; }

  void showBuild() { show("tsc", TSC_VERSION ", " + buildText()); }

  void showProcessor() {
    if (Status chosen = chooseSimdLevel(options.simd); !chosen.ok())
      problems.push_back(messageOf(chosen).str());
    const cpu::VectorSupport vectors = cpu::vectorSupport();
    show("processor", modelName() + " (" + llvm::sys::getHostCPUName() + "), " +
                          llvm::Twine(std::thread::hardware_concurrency()) + " threads; --threads uses 1 unless told");
    std::string of = (nameOf(simdLevel()) + " (" + simdReason() + "), " + llvm::Twine(vectors.used) + " bits").str();
    if (vectors.used < vectors.offered)
      of += ", of " + std::to_string(vectors.offered) + " at this level: this build has no kernels for more";
    if (simdLevel() != machineSimdLevel())
      of += ("; the machine has " + nameOf(machineSimdLevel())).str();
    if (simdLevel() == SimdLevel::V2)
      of += "; fused operators run one by one, since kernels for them need v3";
    show("vectors", of);
    if (vectors.used > vectors.offered)
      problems.push_back("this build was made for another processor, whose vectors have " +
                         std::to_string(vectors.used) + " bits: programs end with an illegal instruction here");
  }
  /// Returns the processor's name from /proc/cpuinfo, or "unknown".
  static std::string modelName() {
    auto text = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo");
    if (text)
      for (auto [line, rest] = (*text)->getBuffer().split('\n'); !line.empty(); std::tie(line, rest) = rest.split('\n'))
        if (line.starts_with("model name"))
          return line.split(':').second.trim().str();
    return "unknown";
  }

  void showMemory() {
    struct sysinfo info{};
    rlimit limit{};
    std::string bound;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      bound = "; the process may have " + gigabytes(limit.rlim_cur) + " of addresses (ulimit -v)";
    if (sysinfo(&info) == 0)
      show("memory", gigabytes(uint64_t{info.totalram} * info.mem_unit) + bound);
  }
  static std::string gigabytes(uint64_t bytes) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.1f GB", static_cast<double>(bytes) / 1e9);
    return text;
  }

  void showOneDnn() {
    const cpu::OneDnnFacts found = cpu::oneDnnFacts();
    show("oneDNN", found.version.empty() ? "not there: tsc's own kernels do its work (Debian's package: libdnnl2)"
                                         : found.version + ", " + found.file);
  }

  void showGpu() {
    CudaFuserOptions asked;
    asked.device = std::max<int>(options.device.index, 0);
    asked.driver = asked.nvrtc = asked.cublasLt = asked.cudnn = options.cudaDriver;
    asked.cacheFolder = ""; // nothing is compiled
    StatusOr<std::shared_ptr<CudaGpu>> gpu = CudaGpu::open(asked);
    show("GPU", gpu.ok() ? (*gpu)->name() + ", " + (*gpu)->architecture() : "none: " + messageOf(gpu.status()));
  }

  void showCache() {
    const std::string path = defaultCacheFolder();
    if (path.empty()) {
      show("cache", "none: there is no home folder for it, and kernels are compiled anew in each process");
      return;
    }
    if (!llvm::sys::fs::exists(path)) {
      show("cache", path + ": not there yet");
      return;
    }
    StatusOr<PrivateFolder> folder = PrivateFolder::open(path);
    if (!folder.ok()) {
      show("cache", path + ": not used");
      if (folder.status().code() == StatusCode::PermissionDenied)
        problems.push_back("kernels are not kept: " + messageOf(folder.status()).str());
      return;
    }
    uint64_t files = 0, bytes = 0;
    folder->forEachFile([&](const std::string &, const struct stat &file) {
      ++files;
      bytes += static_cast<uint64_t>(file.st_size);
    });
    std::string text;
    llvm::raw_string_ostream(text) << path
                                   << llvm::format(": %llu files, %.1f MB", static_cast<unsigned long long>(files),
                                                   static_cast<double>(bytes) / 1e6);
    show("cache", text);
  }

  llvm::raw_ostream &os;
  const Options &options;
  std::vector<std::string> problems;
};
} // namespace

unsigned run::printDoctor(llvm::raw_ostream &os, const Options &options) { return Doctor(os, options).run(); }
