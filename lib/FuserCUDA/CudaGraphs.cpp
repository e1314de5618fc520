//===- CudaGraphs.cpp - Plans as graphs of kernels ------------------------===//
#include "CudaGraphs.h"
#include "tsc/Support/Trace.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;
using namespace tsc::fuser;
using Clock = TraceRecorder::Clock;

void CudaGraphs::close() {
  std::lock_guard<std::mutex> guard(lock);
  if (!isClosed)
    for (Graph &graph : all)
      context.destroy(graph);
  all.clear();
  isClosed = true;
}

StatusOr<CudaGraphs::Graph *> CudaGraphs::make(llvm::ArrayRef<PreparedLaunch> launches) {
  std::vector<DriverContext::Configuration> configurations;
  for (const PreparedLaunch &launch : launches)
    configurations.push_back(configuration(launch));
  Graph made;
  TSC_RETURN_IF_ERROR(context.capture(configurations, made));
  counters.graphs.fetch_add(1, std::memory_order_relaxed);
  std::lock_guard<std::mutex> guard(lock);
  return &all.emplace_back(std::move(made));
}

void CudaGraphs::drop(Graph *graph) {
  std::lock_guard<std::mutex> guard(lock);
  if (isClosed)
    return;
  context.destroy(*graph);
  all.remove_if([&](const Graph &other) { return &other == graph; });
}

/// Calls of many threads at once: one of them has the graph, and others launch one by one.
class CudaGraphs::Sequence final : public LaunchSequence {
public:
  Sequence(std::shared_ptr<CudaGraphs> graphs, const DeviceMemory &memory)
      : graphs(std::move(graphs)), memory(memory) {}
  ~Sequence() override {
    if (graph)
      graphs->drop(graph);
  }

  Status run(ArrayRef<std::unique_ptr<Launch>> launches, ArrayRef<char *> sources, ArrayRef<const IValue *> inputs,
             TraceRecorder *trace) override {
    PreparedLaunches prepared(memory);
    for (const auto &launch : launches)
      TSC_RETURN_IF_ERROR(static_cast<const CudaLaunch &>(*launch).prepare(sources, inputs, prepared));
    if (graphs->context.wantsEach()) {
      for (const PreparedLaunch &one : prepared.launches) {
        const DriverContext::Configuration way = graphs->configuration(one);
        auto label = trace ? std::make_shared<const KernelLabel>(labelOf(launches, one)) : nullptr;
        TSC_RETURN_IF_ERROR(graphs->context.submit(
            {way.function, way.blocks, way.threads, {}, way.parameter.vec(), nullptr, std::move(label)}));
      }
      return okStatus();
    }
    const bool repeats = hasRun.exchange(true, std::memory_order_relaxed);
    std::unique_lock<std::mutex> guard(lock, std::defer_lock);
    const bool asGraph = repeats && prepared.launches.size() > 1 && guard.try_lock() && hasGraph(prepared.launches);
    if (trace)
      return runTraced(launches, prepared.launches, asGraph, *trace);
    return asGraph ? launchGraph(prepared.launches) : launchAll(prepared.launches, [] { return okStatus(); });
  }

private:
  static KernelLabel labelOf(ArrayRef<std::unique_ptr<Launch>> launches, const PreparedLaunch &prepared) {
    KernelLabel label{prepared.kernel->name, ""};
    for (const auto &one : launches)
      if (one->kernel == prepared.kernel)
        label.sizes = shapeString(one->walkedSizes()), label.bytes = one->bytesMoved();
    return label;
  }
  static KernelLabel labelOfGraph(ArrayRef<std::unique_ptr<Launch>> launches) {
    KernelLabel label{"graph of " + std::to_string(launches.size()) + " kernels", ""};
    for (const auto &one : launches)
      label.bytes += one->bytesMoved();
    return label;
  }

  /// Calls f, in which one launch is made, and counts the time that it takes.
  Status launch(llvm::function_ref<Status()> f) {
    const auto start = Clock::now();
    TSC_RETURN_IF_ERROR(f());
    const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
    graphs->counters.launches.fetch_add(1, std::memory_order_relaxed);
    graphs->counters.launchNanos.fetch_add(static_cast<uint64_t>(took.count()), std::memory_order_relaxed);
    return okStatus();
  }

  /// Calls `after` behind each.
  Status launchAll(llvm::ArrayRef<PreparedLaunch> launches, llvm::function_ref<Status()> after) {
    for (const PreparedLaunch &one : launches) {
      TSC_RETURN_IF_ERROR(launch([&] { return graphs->context.launch(graphs->configuration(one)); }));
      TSC_RETURN_IF_ERROR(after());
    }
    return okStatus();
  }

  /// Makes it where there is none. What cannot be captured is launched one by one from then on.
  bool hasGraph(llvm::ArrayRef<PreparedLaunch> launches) {
    if (graph || isRefused)
      return graph;
    StatusOr<Graph *> made = graphs->make(launches);
    isRefused = !made.ok();
    if (isRefused)
      return false;
    graph = *made;
    last.assign(launches.begin(), launches.end());
    return true;
  }

  Status launchGraph(llvm::ArrayRef<PreparedLaunch> launches) {
    return launch([&]() -> Status {
      const auto before = std::exchange(last, {}); // not known where an update fails
      for (size_t i = 0; i != launches.size(); ++i)
        if (before.empty() || launches[i].params != before[i].params)
          TSC_RETURN_IF_ERROR(graphs->context.update(*graph, i, graphs->configuration(launches[i])));
      last.assign(launches.begin(), launches.end());
      TSC_RETURN_IF_ERROR(graphs->context.launch(*graph));
      graphs->counters.graphLaunches.fetch_add(1, std::memory_order_relaxed);
      return okStatus();
    });
  }

  /// Waits for the device: times are its own.
  Status runTraced(ArrayRef<std::unique_ptr<Launch>> launches, llvm::ArrayRef<PreparedLaunch> prepared, bool asGraph,
                   TraceRecorder &trace) {
    DriverContext::Timer timer(graphs->context);
    const auto start = Clock::now();
    TSC_RETURN_IF_ERROR(timer.mark());
    if (asGraph) {
      TSC_RETURN_IF_ERROR(launchGraph(prepared));
      TSC_RETURN_IF_ERROR(timer.mark());
    } else {
      TSC_RETURN_IF_ERROR(launchAll(prepared, [&] { return timer.mark(); }));
    }
    trace.add("launch", asGraph ? "graph of kernels" : "kernels", std::to_string(prepared.size()), 0, start,
              Clock::now());
    TSC_ASSIGN_OR_RETURN(std::vector<double> micros, timer.micros());
    auto from = start;
    for (size_t i = 0; i != micros.size(); ++i) {
      const auto to =
          from + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::micro>(micros[i]));
      KernelLabel label = asGraph ? labelOfGraph(launches) : labelOf(launches, prepared[i]);
      trace.add("kernel", std::move(label.name), std::move(label.sizes), label.bytes, from, to);
      from = to;
    }
    return okStatus();
  }

  const std::shared_ptr<CudaGraphs> graphs; // goes with the last plan
  const DeviceMemory &memory;
  std::atomic<bool> hasRun{false};
  std::mutex lock; ///< Of what follows.
  Graph *graph = nullptr;
  bool isRefused = false;
  std::vector<PreparedLaunch> last; ///< What its nodes are.
};

std::unique_ptr<LaunchSequence> CudaGraphs::sequence(std::shared_ptr<CudaGraphs> graphs, const DeviceMemory &memory) {
  return std::make_unique<Sequence>(std::move(graphs), memory);
}
