//===- Driver.h - CUDA's driver, and a device's context ---------*- C++ -*-===//
//
// The driver's library is opened at run time; its functions are declared in
// DriverFunctions.def. What fails is a Status with the error's name and text.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_DEVICECUDA_DRIVER_H
#define TSC_DEVICECUDA_DRIVER_H

#include "tsc/DeviceCUDA/SharedLibrary.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#define TSC_DRIVER_CALL(DRIVER_OBJECT, FUNCTION, ...)                                                                  \
  TSC_RETURN_IF_ERROR((DRIVER_OBJECT).check((DRIVER_OBJECT).FUNCTION(__VA_ARGS__), #FUNCTION))

namespace tsc::fuser {

using CuContext = struct CuContextObject *;     ///< A context of a device.
using CuStream = struct CuStreamObject *;       ///< A stream, on which work is done in order.
using CuModule = struct CuModuleObject *;       ///< A loaded program.
using CuFunction = struct CuFunctionObject *;   ///< A kernel of a loaded program.
using CuGraph = struct CuGraphObject *;         ///< A graph of launches.
using CuGraphNode = struct CuGraphNodeObject *; ///< A launch of a graph.
using CuGraphExec = struct CuGraphExecObject *; ///< A graph that can be launched.
using CuEvent = struct CuEventObject *;         ///< A point of a stream.
using CuPointer = unsigned long long;           ///< An address in a device's memory.

/// The parameters of a kernel's node in a graph: CUDA_KERNEL_NODE_PARAMS in its second version, a fact of the driver's
/// ABI.
struct CuKernelNodeParams {
  CuFunction function;
  unsigned grid[3], block[3], sharedBytes;
  void **parameters, **extra;
  void *kernel, *context;
};

/// The driver's library, whose functions are members of their own names.
///
/// Threads: everything may be called from many threads.
class Driver {
public:
  /// Opens the library at `path`, or where the system has it when that is empty, and initializes it. Returns NotFound
  /// where there is none.
  static StatusOr<std::unique_ptr<Driver>> open(llvm::StringRef path);
  /// Returns OK for 0, else ResourceExhausted, NotFound or Internal with the error's name and text. `what` names the
  /// function that gave `result`.
  Status check(int result, llvm::StringRef what) const;

#define DRIVER(NAME, ...) int (*NAME)(__VA_ARGS__) = nullptr;
#include "tsc/DeviceCUDA/DriverFunctions.def"

private:
  explicit Driver(SharedLibrary library) : library(std::move(library)) {}
  SharedLibrary library;
};

/// What a trace says of a launch.
struct KernelLabel {
  std::string name, sizes;
  uint64_t bytes = 0; ///< How many bytes the kernel reads and writes.
};

/// What goes on the stream and may be held back, to be launched at once with others: a kernel, or a call of a library's
/// that works on no more than the memory it is given.
struct StreamOperation {
  /// Returns a call of a library. Two calls with the same key differ by nothing but `addresses`, the memory that they
  /// work on; `run` makes the call on a stream, and may be run more than once.
  static StreamOperation ofCall(llvm::ArrayRef<int64_t> key, llvm::ArrayRef<const void *> addresses,
                                std::function<Status(CuStream)> run) {
    StreamOperation made;
    made.key.assign(key.begin(), key.end());
    for (const void *address : addresses)
      made.words.push_back(reinterpret_cast<uintptr_t>(address));
    made.run = std::move(run);
    return made;
  }

  CuFunction function = nullptr; ///< The kernel; null for a call.
  unsigned blocks = 0, threads = 0;
  std::vector<uint64_t> key;                          ///< What tells a call from others, but for its addresses.
  std::vector<uint64_t> words;                        ///< The words of the kernel's parameter, or a call's addresses.
  std::function<Status(CuStream)> run;                ///< Makes the call; empty for a kernel.
  std::shared_ptr<const KernelLabel> label = nullptr; ///< A kernel's, where calls are traced.
  /// Whether both are the same but for the words.
  bool isLike(const StreamOperation &other) const { return function == other.function && key == other.key; }
};

/// An object that may hold operations of a stream back. What is held is launched before anything else comes on the
/// stream.
///
/// Threads: everything may be called from many threads.
class StreamOrder {
public:
  virtual ~StreamOrder() = default;
  /// Whether operations of this thread are wanted one by one, to be held or remembered.
  virtual bool wantsEach() const = 0;
  /// Launches the operation, now or later. Returns false where it is left to the caller, for whom it is next.
  virtual StatusOr<bool> take(StreamOperation &&operation) = 0;
  /// Launches what is held. Returns the first error of that.
  virtual Status settle() = 0;
};

/// A device's primary context, with a stream on which everything happens. It is made when something is first asked of
/// it.
///
/// Threads:   everything may be called from many threads.
/// Ownership: owns the driver, and what allocate() and load() gave until it is given back.
/// Errors:    those of the driver, by name and text.
class DriverContext {
public:
  /// Opens the device that the driver counts as `ordinal`. Returns NotFound where there is none, and Unimplemented for
  /// an architecture below 8.0.
  static StatusOr<std::unique_ptr<DriverContext>> open(std::unique_ptr<Driver> driver, int ordinal);
  ~DriverContext();

  const std::string &name() const { return deviceName; }
  /// Returns the architecture as NVRTC names it: "sm_90".
  const std::string &architecture() const { return deviceArchitecture; }
  int driverVersion() const { return version; }
  int multiprocessors() const { return numMultiprocessors; }
  /// Returns how many threads a multiprocessor holds at most.
  int threadsOfMultiprocessor() const { return mostThreads; }

  /// Returns what tells the GPU, or the part of one that it is, from all others of the world.
  StatusOr<std::array<unsigned char, 16>> uuid();
  /// Returns the driver, for calls that are made within call() or callBeside().
  const Driver &functions() const { return *driver; }

  /// Allocates memory of the device, in the order of the stream.
  StatusOr<CuPointer> allocate(size_t bytes);
  /// Gives memory of allocate() back, in the order of the stream.
  Status deallocate(CuPointer address);
  /// Copies from the processor's memory. Returns when `from` may be written again.
  Status copyToDevice(CuPointer to, const void *from, size_t bytes);
  /// Copies to the processor's memory, and waits until it is there.
  Status copyToHost(void *to, CuPointer from, size_t bytes);
  /// Copies within the device, in the order of the stream.
  Status copy(CuPointer to, CuPointer from, size_t bytes);
  /// Copies within the device on a stream that call() gives.
  Status copyOn(CuStream on, CuPointer to, CuPointer from, size_t bytes);
  /// Waits until the device has done all that is on the stream.
  Status synchronize();
  /// Says that something on which the stream waited was given up, and what the device holds may be wrong: from now on
  /// copyToHost() and synchronize() return `why`. Later calls do nothing.
  void fail(const Status &why);

  /// Sets who may hold operations back; null, the default, for nobody. Nobody else uses the context meanwhile.
  void setOrder(StreamOrder *o) { order = o; }
  /// Whether an order is set that wants the operations of this thread one by one.
  bool wantsEach() const { return order && order->wantsEach(); }

  /// Loads a compiled program, which stays until it is unloaded.
  StatusOr<CuModule> load(const std::string &image);
  /// Unloads a program of load().
  Status unload(CuModule module);
  /// Returns the kernel of that name.
  StatusOr<CuFunction> find(CuModule module, const std::string &name);
  /// A launch of a kernel on so many blocks of so many threads.
  struct Configuration {
    CuFunction function;
    unsigned blocks, threads;
    llvm::ArrayRef<uint64_t> parameter; ///< The kernel's only parameter, in words.
  };
  /// Launches a kernel, or lets it be held.
  Status launch(const Configuration &launch);
  /// Launches an operation, or lets it be held.
  Status submit(StreamOperation &&operation);
  /// Puts an operation on the stream, whoever may hold operations.
  Status launchNow(const StreamOperation &operation);

  /// Launches that are one, a node for each.
  struct Graph {
    CuGraph graph = nullptr;
    CuGraphExec exec = nullptr;
    std::vector<CuGraphNode> nodes;
  };
  /// Captures launches, which run nothing, from a stream of its own: the other one may be in use by other threads.
  Status capture(llvm::ArrayRef<Configuration> launches, Graph &graph);
  /// Gives a node other parameters, or another grid.
  Status update(const Graph &graph, size_t node, const Configuration &launch);
  /// Launches a graph, which is never held: whoever has the graph asked wantsEach() before.
  Status launch(const Graph &graph);
  /// Launches a graph, whoever may hold operations.
  Status launchNow(const Graph &graph);
  /// Destroys a graph, and leaves an empty one.
  void destroy(Graph &graph);

  /// Makes a graph of operations. A kernel is a node, and a call is a graph in a node, captured by itself.
  Status makeGraph(llvm::ArrayRef<StreamOperation> operations, Graph &graph);
  /// Gives a node another operation of its kind.
  Status update(const Graph &graph, size_t node, const StreamOperation &operation);

  /// The times between points of the stream.
  class Timer {
  public:
    explicit Timer(DriverContext &context) : context(context) {}
    Timer(const Timer &) = delete;
    ~Timer();
    /// Adds a point behind what is on the stream.
    Status mark();
    /// Waits for the last point, and returns the microseconds between neighbouring marks.
    StatusOr<std::vector<double>> micros();

  private:
    DriverContext &context;
    std::vector<CuEvent> events;
  };

  /// Calls `f`, which calls a library that works on the stream, in the context. It takes no memory, and launches
  /// nothing else.
  Status call(llvm::function_ref<Status(CuStream)> f);
  /// Calls `f` in the context; it puts nothing on the stream.
  Status callBeside(llvm::function_ref<Status()> f) { return within(f); }

private:
  DriverContext(std::unique_ptr<Driver> driver, int device) : driver(std::move(driver)), device(device) {}
  Status describe();
  Status make();
  void leave();
  Status checkFailed();
  /// Calls f in the context.
  Status within(llvm::function_ref<Status()> f);
  /// The same for an f that works on the stream: what is held comes before it.
  Status inOrder(llvm::function_ref<Status()> f);
  /// Whether there is pinned memory, which is allocated when something is first copied.
  bool makePinned();
  void releasePinned();
  void calmPinned();
  size_t pieceBytes(size_t piece, size_t bytes) const;
  Status sendPiece(size_t piece, CuPointer to, const void *from, size_t bytes);
  Status askForPiece(size_t piece, CuPointer from, size_t bytes);
  Status receivePieces(void *to, CuPointer from, size_t bytes);
  Status makeCaptureStream();
  Status captureOn(CuStream from, llvm::ArrayRef<Configuration> launches, Graph &graph);
  /// Calls f with a graph of what the operation's call does.
  Status withCaptured(const StreamOperation &operation, llvm::function_ref<Status(CuGraph)> f);
  Status addNode(const StreamOperation &operation, Graph &graph);
  Status makeGraphIn(llvm::ArrayRef<StreamOperation> operations, Graph &graph);

  std::unique_ptr<Driver> driver;
  StreamOrder *order = nullptr;
  const int device;
  std::string deviceName, deviceArchitecture;
  int numMultiprocessors = 1, mostThreads = 2048, version = 0;
  std::mutex lock; ///< Guards what follows, while it is made.
  CuContext context = nullptr;
  CuStream stream = nullptr;
  Status failed;         ///< What fail() was told.
  std::mutex pinnedLock; ///< Guards what follows.
  /// Half of the pinned memory, where pieces of what is copied are on their way, every other one.
  struct PinnedHalf {
    char *data = nullptr;
    CuEvent event = nullptr; ///< When its piece is over.
    bool isOnItsWay = false; ///< It goes to the device, and may not be written.
  };
  PinnedHalf pinned[2];
  bool hasNoPinned = false;
  std::mutex captureLock; ///< Guards the next, while it is made and captured from.
  CuStream captureStream = nullptr;
};

} // namespace tsc::fuser

#endif
