//===- FakeGraphs.cpp - Graphs of kernels, and events, without a GPU -------===//
//
// What is launched on a stream while it is captured from becomes a chain of nodes, and so
// does what is added to a graph. Graphs and what is instantiated of them are counted; nodes
// take other parameters through the graph that they are of, and kernels run when it is
// launched.
//
//===----------------------------------------------------------------------===//
#include "FakeState.h"
#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unistd.h>
#include <utility>

using namespace fake;

namespace {
constexpr int unknownError = 999, invalidValue = 1, updateFailure = 910, notReady = 600;

struct Node {
  enum Kind { Kernel, Work, Child } kind;
  Launched launch{};
  std::function<void()> work{}; ///< A library's.
  std::vector<Node> child{};
  void run() const {
    switch (kind) {
    case Kernel: return runLaunch(launch);
    case Work: return work();
    case Child:
      for (const Node &node : child)
        node.run();
    }
  }
};
struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<Node> copies() const {
    std::vector<Node> all;
    for (const auto &node : nodes)
      all.push_back(*node);
    return all;
  }
};
struct Exec {
  Graph *of;
  std::vector<Node> nodes;
};
using Clock = std::chrono::steady_clock;
struct Event {
  Clock::time_point recorded;
  bool isRecorded = false;
  void *stream = nullptr;
  uint64_t place = 0; ///< How much deferred work of the stream comes before it.
};
/// Work of a stream that waits for something.
struct Deferred {
  std::deque<std::function<bool()>> attempts;
  uint64_t numDone = 0;
  bool isAdvancing = false;
};
std::map<void *, Deferred> deferred;
struct Capture {
  std::unique_ptr<Graph> graph;
  void *last = nullptr;
};
std::map<void *, Capture> captures; ///< By stream.
std::set<Graph *> graphs;
std::set<Exec *> execs;
std::set<Event *> events;

// As the driver has it.
struct KernelNodeParams {
  void *function;
  unsigned grid[3], block[3], sharedBytes;
  void **parameters, **extra;
  void *kernel, *context;
};
} // namespace

#define BEGIN                                                                                                          \
  std::lock_guard<std::recursive_mutex> guard(lock());                                                                 \
  if (!begin(__func__, true))                                                                                          \
    return unknownError;

void fake::defer(void *stream, std::function<bool()> attempt) {
  deferred[stream].attempts.push_back(std::move(attempt));
}
void fake::forgetDeferred(void *stream) {
  deferred[stream].numDone += deferred[stream].attempts.size();
  deferred[stream].attempts.clear();
}
std::pair<uint64_t, uint64_t> fake::advance(void *stream) {
  Deferred &all = deferred[stream];
  // Of two streams that wait for each other's points, each asks how far the other one is.
  for (bool isOuter = !std::exchange(all.isAdvancing, true); isOuter;) {
    if (all.attempts.empty() || !all.attempts.front()()) {
      all.isAdvancing = false;
      break;
    }
    all.attempts.pop_front();
    ++all.numDone;
  }
  return {all.numDone, all.numDone + all.attempts.size()};
}
void fake::settle(void *stream) {
  for (auto [done, all] = advance(stream); done != all; std::tie(done, all) = advance(stream)) {
    lock().unlock();
    usleep(50);
    lock().lock();
  }
}

bool fake::isCapturing(void *stream) { return captures.count(stream); }

bool fake::isCaptured(void *stream, const Launched &launch) {
  auto found = captures.find(stream);
  if (found == captures.end())
    return false;
  found->second.graph->nodes.push_back(std::make_unique<Node>(Node{Node::Kernel, launch}));
  return true;
}
void fake::perform(void *stream, std::function<void()> work) {
  auto found = captures.find(stream);
  if (found == captures.end()) {
    settle(stream);
    return work();
  }
  found->second.graph->nodes.push_back(std::make_unique<Node>(Node{Node::Work, {}, std::move(work)}));
}

EXPORT int cuStreamBeginCapture_v2(void *stream, int mode) {
  BEGIN
  checkStream(__func__, stream);
  if (mode < 0 || mode > 2)
    complain("a capture in no mode");
  if (!captures.try_emplace(stream, Capture{std::make_unique<Graph>()}).second)
    complain("a stream is captured from twice");
  return 0;
}
EXPORT int cuStreamGetCaptureInfo_v2(void *stream, int *status, unsigned long long *id, void **graph,
                                     void *const **dependencies, size_t *count) {
  BEGIN
  auto found = captures.find(stream);
  *status = found != captures.end(), *count = 0;
  if (!*status)
    return 0;
  Capture &capture = found->second;
  *id = 1, *graph = capture.graph.get();
  if (capture.graph->nodes.empty())
    return 0;
  capture.last = capture.graph->nodes.back().get();
  *dependencies = &capture.last, *count = 1;
  return 0;
}
EXPORT int cuStreamEndCapture(void *stream, void **graph) {
  std::lock_guard<std::recursive_mutex> guard(lock());
  const bool works = begin(__func__, true);
  auto found = captures.find(stream);
  if (found == captures.end()) {
    complain("a capture ends that did not begin");
    return invalidValue;
  }
  if (works) {
    *graph = *graphs.insert(found->second.graph.release()).first;
    keep(*graph);
  }
  captures.erase(found); // in any case: an error ends it too
  return works ? 0 : unknownError;
}
EXPORT int cuGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags) {
  BEGIN
  auto *of = static_cast<Graph *>(graph);
  if (!graphs.count(of) || flags != 0) {
    complain("no such graph is instantiated");
    return invalidValue;
  }
  auto *made = new Exec{of, of->copies()};
  execs.insert(made);
  keep(made);
  *exec = made;
  return 0;
}
/// The node of an executable graph that was made of this one; null, and a complaint, where there is none.
static Node *nodeOf(void *exec, void *node, Node::Kind kind) {
  auto *changed = static_cast<Exec *>(exec);
  if (!execs.count(changed) || !graphs.count(changed->of)) {
    complain("parameters are set in no graph");
    return nullptr;
  }
  auto &nodes = changed->of->nodes;
  auto found = std::find_if(nodes.begin(), nodes.end(), [&](const auto &other) { return other.get() == node; });
  if (found == nodes.end() || (*found)->kind != kind) {
    complain("parameters are set in a node of another graph, or of another kind");
    return nullptr;
  }
  return &changed->nodes[static_cast<size_t>(found - nodes.begin())];
}
EXPORT int cuGraphExecKernelNodeSetParams_v2(void *exec, void *node, const KernelNodeParams *params) {
  BEGIN
  Node *changed = nodeOf(exec, node, Node::Kernel);
  if (!changed)
    return invalidValue;
  Launched &launch = changed->launch;
  if (launch.function != params->function || params->extra || params->kernel)
    complain("a node becomes another kernel");
  launch.function = params->function;
  return readLaunch(launch, params->grid, params->block, params->parameters, __func__) ? 0 : unknownError;
}
EXPORT int cuGraphExecChildGraphNodeSetParams(void *exec, void *node, void *child) {
  BEGIN
  Node *changed = nodeOf(exec, node, Node::Child);
  if (!changed || !graphs.count(static_cast<Graph *>(child)))
    return invalidValue;
  std::vector<Node> nodes = static_cast<Graph *>(child)->copies();
  bool isAlike = nodes.size() == changed->child.size();
  for (size_t i = 0; isAlike && i != nodes.size(); ++i)
    isAlike = nodes[i].kind == changed->child[i].kind;
  if (!isAlike)
    return updateFailure;
  changed->child = std::move(nodes);
  return 0;
}

EXPORT int cuGraphCreate(void **graph, unsigned flags) {
  BEGIN
  if (flags != 0)
    return invalidValue;
  *graph = *graphs.insert(new Graph).first;
  keep(*graph);
  return 0;
}
/// Adds a node behind the last one, which alone it may depend on.
static int add(void **made, void *graph, void *const *dependencies, size_t count, Node node) {
  auto *to = static_cast<Graph *>(graph);
  if (!graphs.count(to)) {
    complain("a node is added to no graph");
    return invalidValue;
  }
  if (count != (to->nodes.empty() ? 0u : 1u) || (count != 0 && dependencies[0] != to->nodes.back().get()))
    complain("a node that does not depend on the last one");
  to->nodes.push_back(std::make_unique<Node>(std::move(node)));
  *made = to->nodes.back().get();
  return 0;
}
EXPORT int cuGraphAddKernelNode_v2(void **node, void *graph, void *const *dependencies, size_t count,
                                   const KernelNodeParams *params) {
  BEGIN
  Node made{Node::Kernel, {params->function, 0, 0, {}}};
  if (!readLaunch(made.launch, params->grid, params->block, params->parameters, __func__))
    return unknownError;
  return add(node, graph, dependencies, count, std::move(made));
}
EXPORT int cuGraphAddChildGraphNode(void **node, void *graph, void *const *dependencies, size_t count, void *child) {
  BEGIN
  auto *of = static_cast<Graph *>(child);
  if (!graphs.count(of)) {
    complain("no such graph is added to another");
    return invalidValue;
  }
  return add(node, graph, dependencies, count, {Node::Child, {}, {}, of->copies()});
}
EXPORT int cuGraphLaunch(void *exec, void *stream) {
  BEGIN
  checkStream(__func__, stream);
  auto *launched = static_cast<Exec *>(exec);
  if (!execs.count(launched)) {
    complain("no such graph is launched");
    return invalidValue;
  }
  settle(stream);
  for (const Node &node : launched->nodes)
    node.run();
  return 0;
}
EXPORT int cuGraphExecDestroy(void *exec) {
  BEGIN
  auto *gone = static_cast<Exec *>(exec);
  if (execs.erase(gone) == 0) {
    complain("a graph is destroyed that is not there");
    return invalidValue;
  }
  giveBack(gone);
  delete gone;
  return 0;
}
EXPORT int cuGraphDestroy(void *graph) {
  BEGIN
  auto *gone = static_cast<Graph *>(graph);
  if (graphs.erase(gone) == 0) {
    complain("a graph is destroyed that is not there");
    return invalidValue;
  }
  giveBack(gone);
  delete gone;
  return 0;
}

//===- Events -------------------------------------------------------------===//

EXPORT int cuEventCreate(void **event, unsigned) {
  BEGIN
  *event = *events.insert(new Event).first;
  keep(*event);
  return 0;
}
static Event *eventOf(const char *function, void *event, bool wantsRecorded) {
  auto *found = static_cast<Event *>(event);
  if (events.count(found) && (found->isRecorded || !wantsRecorded))
    return found;
  complain(std::string(function) + " of no such event, or of one that was not recorded");
  return nullptr;
}
EXPORT int cuEventRecord(void *event, void *stream) {
  BEGIN
  checkStream(__func__, stream);
  Event *recorded = eventOf(__func__, event, false);
  if (!recorded)
    return invalidValue;
  recorded->recorded = Clock::now(), recorded->isRecorded = true;
  recorded->stream = stream, recorded->place = advance(stream).second;
  return 0;
}
EXPORT int cuEventQuery(void *event) {
  BEGIN
  Event *asked = eventOf(__func__, event, true);
  if (!asked)
    return invalidValue;
  return advance(asked->stream).first >= asked->place ? 0 : notReady;
}
EXPORT int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
  BEGIN
  checkStream(__func__, stream);
  Event *asked = eventOf(__func__, event, true);
  if (!asked || flags != 0)
    return invalidValue;
  const Event point = *asked; // it may be put elsewhere meanwhile, or be gone
  if (advance(point.stream).first < point.place)
    defer(stream, [point] { return advance(point.stream).first >= point.place; });
  return 0;
}
EXPORT int cuEventSynchronize(void *event) {
  BEGIN
  Event *asked = eventOf(__func__, event, true);
  if (!asked)
    return invalidValue;
  settle(asked->stream);
  return 0;
}
EXPORT int cuEventElapsedTime(float *milliseconds, void *from, void *to) {
  BEGIN
  Event *first = eventOf(__func__, from, true), *second = eventOf(__func__, to, true);
  if (!first || !second)
    return invalidValue;
  *milliseconds = std::chrono::duration<float, std::milli>(second->recorded - first->recorded).count();
  return 0;
}
EXPORT int cuEventDestroy_v2(void *event) {
  BEGIN
  auto *gone = static_cast<Event *>(event);
  if (events.erase(gone) == 0) {
    complain("an event is destroyed that is not there");
    return invalidValue;
  }
  giveBack(gone);
  delete gone;
  return 0;
}
