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
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#define TSC_DRIVER_CALL(DRIVER_OBJECT, FUNCTION, ...)                                                                  \
  TSC_RETURN_IF_ERROR((DRIVER_OBJECT).check((DRIVER_OBJECT).FUNCTION(__VA_ARGS__), #FUNCTION))

namespace tsc::fuser {

using CuContext = struct CuContextObject *;
using CuStream = struct CuStreamObject *;
using CuModule = struct CuModuleObject *;
using CuFunction = struct CuFunctionObject *;
using CuGraph = struct CuGraphObject *;
using CuGraphNode = struct CuGraphNodeObject *;
using CuGraphExec = struct CuGraphExecObject *;
using CuEvent = struct CuEventObject *;
using CuPointer = unsigned long long;

/// CUDA_KERNEL_NODE_PARAMS, its second version.
struct CuKernelNodeParams {
  CuFunction function;
  unsigned grid[3], block[3], sharedBytes;
  void **parameters, **extra;
  void *kernel, *context;
};

class Driver {
public:
  /// From `path`, or where the system has it; initialized.
  static StatusOr<std::unique_ptr<Driver>> open(llvm::StringRef path);
  /// `what`: the function that gave `result`.
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
  uint64_t bytes = 0; ///< That it moves.
};

/// What goes on the stream and may be held back, to be launched at once with others: a kernel, or a call of a library's
/// that works on no more than the memory it is given.
struct StreamOperation {
  /// A call of a library.
  static StreamOperation ofCall(llvm::ArrayRef<int64_t> key, llvm::ArrayRef<const void *> addresses,
                                std::function<Status(CuStream)> run) {
    StreamOperation made;
    made.key.assign(key.begin(), key.end());
    for (const void *address : addresses)
      made.words.push_back(reinterpret_cast<uintptr_t>(address));
    made.run = std::move(run);
    return made;
  }

  CuFunction function = nullptr; ///< Null: a call.
  unsigned blocks = 0, threads = 0;
  std::vector<uint64_t> key;                          ///< Of a call: what tells it from others, but for addresses.
  std::vector<uint64_t> words;                        ///< The kernel's parameter; of a call, its addresses.
  std::function<Status(CuStream)> run;                ///< Of a call.
  std::shared_ptr<const KernelLabel> label = nullptr; ///< Of a kernel where calls are traced.
  bool isLike(const StreamOperation &other) const { return function == other.function && key == other.key; }
};

/// Who may hold operations of a stream back. What is held is launched before anything else comes on the stream.
class StreamOrder {
public:
  virtual ~StreamOrder() = default;
  /// Whether operations of this thread are wanted one by one, to be held or remembered.
  virtual bool wantsEach() const = 0;
  /// Launches the operation, now or later. False: that is left to the caller, for whom it is next.
  virtual StatusOr<bool> take(StreamOperation &&operation) = 0;
  /// Launches what is held.
  virtual Status settle() = 0;
};

/// A device's primary context, with a stream on which everything happens. It is made when something is first asked of
/// it.
///
/// Threads: everything may be called from many threads.
class DriverContext {
public:
  static StatusOr<std::unique_ptr<DriverContext>> open(std::unique_ptr<Driver> driver, int ordinal);
  ~DriverContext();

  const std::string &name() const { return deviceName; }
  const std::string &architecture() const { return deviceArchitecture; }
  int driverVersion() const { return version; }
  int multiprocessors() const { return numMultiprocessors; }
  int threadsOfMultiprocessor() const { return mostThreads; }

  StatusOr<CuPointer> allocate(size_t bytes);
  Status deallocate(CuPointer address);
  /// Returns when `from` may be written again.
  Status copyToDevice(CuPointer to, const void *from, size_t bytes);
  /// Waits until it is there.
  Status copyToHost(void *to, CuPointer from, size_t bytes);
  Status copy(CuPointer to, CuPointer from, size_t bytes);
  /// The same on a stream that call() gives.
  Status copyOn(CuStream on, CuPointer to, CuPointer from, size_t bytes);
  Status synchronize();

  /// Null: everything goes on the stream at once. Set before the context is used, and after.
  void setOrder(StreamOrder *o) { order = o; }
  bool wantsEach() const { return order && order->wantsEach(); }

  StatusOr<CuModule> load(const std::string &image);
  Status unload(CuModule module);
  StatusOr<CuFunction> find(CuModule module, const std::string &name);
  struct Configuration {
    CuFunction function;
    unsigned blocks, threads;
    llvm::ArrayRef<uint64_t> parameter; ///< The kernel's only one, in words.
  };
  Status launch(const Configuration &launch);
  /// Launches it, or lets it be held.
  Status submit(StreamOperation &&operation);
  /// Puts it on the stream, whatever the order.
  Status launchNow(const StreamOperation &operation);

  /// Launches as a graph: what they were, one for each node.
  struct Graph {
    CuGraph graph = nullptr;
    CuGraphExec exec = nullptr;
    std::vector<CuGraphNode> nodes;
  };
  /// Captures launches, which run nothing, from a stream of its own: the other one may be in use by other threads.
  Status capture(llvm::ArrayRef<Configuration> launches, Graph &graph);
  /// Gives a node other parameters, or another grid.
  Status update(const Graph &graph, size_t node, const Configuration &launch);
  /// It is never held: whoever has the graph asked wantsEach() before.
  Status launch(const Graph &graph);
  /// Whatever the order.
  Status launchNow(const Graph &graph);
  void destroy(Graph &graph);

  /// Operations as a graph: a kernel is a node, and a call a graph in it, captured by itself.
  Status makeGraph(llvm::ArrayRef<StreamOperation> operations, Graph &graph);
  /// Gives a node another operation of its kind.
  Status update(const Graph &graph, size_t node, const StreamOperation &operation);

  /// Times between points of the stream.
  class Timer {
  public:
    explicit Timer(DriverContext &context) : context(context) {}
    Timer(const Timer &) = delete;
    ~Timer();
    Status mark();
    /// Waits, and gives the microseconds between neighbouring marks.
    StatusOr<std::vector<double>> micros();

  private:
    DriverContext &context;
    std::vector<CuEvent> events;
  };

  /// Calls `f`, which calls a library that works on the stream, in the context. It takes no memory, and launches
  /// nothing else.
  Status call(llvm::function_ref<Status(CuStream)> f);
  /// The same for what puts nothing on the stream.
  Status callBeside(llvm::function_ref<Status()> f) { return within(f); }

private:
  DriverContext(std::unique_ptr<Driver> driver, int device) : driver(std::move(driver)), device(device) {}
  Status describe();
  Status make();
  void leave();
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
  std::mutex lock; ///< Of what follows, while it is made.
  CuContext context = nullptr;
  CuStream stream = nullptr;
  std::mutex pinnedLock; ///< Of what follows.
  /// Half of the pinned memory, where pieces of what is copied are on their way, every other one.
  struct PinnedHalf {
    char *data = nullptr;
    CuEvent event = nullptr; ///< When its piece is over.
    bool isOnItsWay = false; ///< To the device: it may not be written.
  };
  PinnedHalf pinned[2];
  bool hasNoPinned = false;
  std::mutex captureLock; ///< Of the next, while it is made and captured from.
  CuStream captureStream = nullptr;
};

} // namespace tsc::fuser

#endif
