//===- DriverGraphs.cpp - Graphs of what a stream is given ----------------===//
//
// Plans are captured from a stream. Longer sequences are put together: a kernel is a node
// whose parameters can be set, and what a library does in a call is a graph of its own in
// the whole one, which another capture of the same call can take the place of.
//
//===----------------------------------------------------------------------===//
#include "tsc/DeviceCUDA/Driver.h"

using namespace tsc;
using namespace tsc::fuser;

static constexpr int captureRelaxed = 2; ///< Other threads are not kept from anything.

static Status launchOn(const Driver &driver, CuStream stream, const DriverContext::Configuration &launch) {
  void *parameters[] = {const_cast<uint64_t *>(launch.parameter.data())};
  TSC_DRIVER_CALL(driver, cuLaunchKernel, launch.function, launch.blocks, 1, 1, launch.threads, 1, 1, 0, stream,
                  parameters, nullptr);
  return okStatus();
}

Status DriverContext::launch(const Configuration &launch) {
  if (order) {
    TSC_ASSIGN_OR_RETURN(
        bool isTaken,
        order->take({launch.function, launch.blocks, launch.threads, {}, launch.parameter.vec(), nullptr}));
    if (isTaken)
      return okStatus();
  }
  return within([&] { return launchOn(*driver, stream, launch); });
}

Status DriverContext::submit(StreamOperation &&operation) {
  if (order) {
    TSC_ASSIGN_OR_RETURN(bool isTaken, order->take(std::move(operation)));
    if (isTaken)
      return okStatus();
  }
  return launchNow(operation);
}

Status DriverContext::launchNow(const StreamOperation &operation) {
  return within([&]() -> Status {
    if (!operation.function)
      return operation.run(stream);
    return launchOn(*driver, stream, {operation.function, operation.blocks, operation.threads, operation.words});
  });
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

Status DriverContext::captureOn(CuStream from, llvm::ArrayRef<Configuration> launches, Graph &graph) {
  TSC_DRIVER_CALL(*driver, cuStreamBeginCapture_v2, from, captureRelaxed);
  Status captured = okStatus();
  for (const Configuration &launch : launches) {
    int status = 0;
    unsigned long long id = 0;
    CuGraph whole = nullptr;
    const CuGraphNode *last = nullptr;
    size_t count = 0;
    captured = launchOn(*driver, from, launch);
    if (captured.ok())
      captured = driver->check(driver->cuStreamGetCaptureInfo_v2(from, &status, &id, &whole, &last, &count),
                               "cuStreamGetCaptureInfo_v2");
    if (captured.ok() && count != 1)
      captured = internalError("a launch was not captured");
    if (!captured.ok())
      break;
    graph.nodes.push_back(*last);
  }
  // It ends in any case, so that the stream can be used again.
  Status ended = driver->check(driver->cuStreamEndCapture(from, &graph.graph), "cuStreamEndCapture");
  TSC_RETURN_IF_ERROR(captured);
  TSC_RETURN_IF_ERROR(ended);
  TSC_DRIVER_CALL(*driver, cuGraphInstantiateWithFlags, &graph.exec, graph.graph, 0);
  return okStatus();
}

Status DriverContext::capture(llvm::ArrayRef<Configuration> launches, Graph &graph) {
  std::lock_guard<std::mutex> guard(captureLock);
  return within([&]() -> Status {
    TSC_RETURN_IF_ERROR(makeCaptureStream());
    Status captured = captureOn(captureStream, launches, graph);
    if (!captured.ok()) { // where this fails too the device is lost
      if (graph.graph)
        (void)driver->cuGraphDestroy(graph.graph);
      graph = {};
    }
    return captured;
  });
}

static CuKernelNodeParams paramsOf(const DriverContext::Configuration &launch, void **parameters) {
  parameters[0] = const_cast<uint64_t *>(launch.parameter.data());
  return {launch.function, {launch.blocks, 1, 1}, {launch.threads, 1, 1}, 0, parameters, nullptr, nullptr, nullptr};
}

Status DriverContext::update(const Graph &graph, size_t node, const Configuration &launch) {
  void *parameters[1];
  const CuKernelNodeParams params = paramsOf(launch, parameters);
  return within([&]() -> Status {
    TSC_DRIVER_CALL(*driver, cuGraphExecKernelNodeSetParams_v2, graph.exec, graph.nodes[node], &params);
    return okStatus();
  });
}

Status DriverContext::launch(const Graph &graph) {
  auto run = [this, exec = graph.exec](CuStream on) -> Status {
    TSC_DRIVER_CALL(*driver, cuGraphLaunch, exec, on);
    return okStatus();
  };
  return submit(StreamOperation::ofCall({}, {}, run));
}

Status DriverContext::launchNow(const Graph &graph) {
  return within([&]() -> Status {
    TSC_DRIVER_CALL(*driver, cuGraphLaunch, graph.exec, stream);
    return okStatus();
  });
}

void DriverContext::destroy(Graph &graph) {
  (void)within([&]() -> Status {
    if (graph.exec)
      (void)driver->cuGraphExecDestroy(graph.exec);
    if (graph.graph)
      (void)driver->cuGraphDestroy(graph.graph);
    return okStatus();
  });
  graph = {};
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

Status DriverContext::withCaptured(const StreamOperation &operation, llvm::function_ref<Status(CuGraph)> f) {
  std::lock_guard<std::mutex> guard(captureLock);
  TSC_RETURN_IF_ERROR(makeCaptureStream());
  TSC_DRIVER_CALL(*driver, cuStreamBeginCapture_v2, captureStream, captureRelaxed);
  const Status called = operation.run(captureStream);
  CuGraph captured = nullptr; // it ends in any case, so that the stream can be used again
  Status done = driver->check(driver->cuStreamEndCapture(captureStream, &captured), "cuStreamEndCapture");
  if (!called.ok())
    done = called;
  if (done.ok())
    done = f(captured);
  if (captured)
    (void)driver->cuGraphDestroy(captured); // others have copies of it
  return done;
}

Status DriverContext::addNode(const StreamOperation &operation, Graph &graph) {
  CuGraphNode made = nullptr;
  const CuGraphNode *before = graph.nodes.empty() ? nullptr : &graph.nodes.back();
  const size_t numBefore = graph.nodes.empty() ? 0 : 1;
  if (operation.function) {
    void *parameters[1];
    const CuKernelNodeParams params =
        paramsOf({operation.function, operation.blocks, operation.threads, operation.words}, parameters);
    TSC_DRIVER_CALL(*driver, cuGraphAddKernelNode_v2, &made, graph.graph, before, numBefore, &params);
  } else {
    TSC_RETURN_IF_ERROR(withCaptured(operation, [&](CuGraph captured) -> Status {
      TSC_DRIVER_CALL(*driver, cuGraphAddChildGraphNode, &made, graph.graph, before, numBefore, captured);
      return okStatus();
    }));
  }
  graph.nodes.push_back(made);
  return okStatus();
}

Status DriverContext::makeGraphIn(llvm::ArrayRef<StreamOperation> operations, Graph &graph) {
  TSC_DRIVER_CALL(*driver, cuGraphCreate, &graph.graph, 0);
  for (const StreamOperation &operation : operations)
    TSC_RETURN_IF_ERROR(addNode(operation, graph));
  TSC_DRIVER_CALL(*driver, cuGraphInstantiateWithFlags, &graph.exec, graph.graph, 0);
  return okStatus();
}

Status DriverContext::makeGraph(llvm::ArrayRef<StreamOperation> operations, Graph &graph) {
  Status made = within([&] { return makeGraphIn(operations, graph); });
  if (!made.ok())
    destroy(graph);
  return made;
}

Status DriverContext::update(const Graph &graph, size_t node, const StreamOperation &operation) {
  if (operation.function)
    return update(graph, node, Configuration{operation.function, operation.blocks, operation.threads, operation.words});
  return within([&] {
    return withCaptured(operation, [&](CuGraph captured) -> Status {
      TSC_DRIVER_CALL(*driver, cuGraphExecChildGraphNodeSetParams, graph.exec, graph.nodes[node], captured);
      return okStatus();
    });
  });
}
