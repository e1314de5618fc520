//===- Backward.cpp - From results to operands ----------------------------===//
#include "GradientServices.h"
#include "TapeImpl.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Tape/TapedCode.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"
#include <queue>

using namespace tsc;

namespace {

/// One request.
class Reverse {
public:
  Reverse(Tape::Impl &tape, CallContext &call, const GradientRequest &request)
      : tape(tape), call(call), request(request), keepsCaptures(request.retainGraph || request.createGraph) {}

  StatusOr<std::vector<Tensor>> run() {
    for (auto [i, output] : llvm::enumerate(request.outputs))
      TSC_RETURN_IF_ERROR(seed(i, output));
    for (const Tensor &input : request.inputs) {
      if (!input.defined() || !input.requiresGrad())
        return invalidArgument("One of the differentiated Tensors does not require grad");
      targets.push_back(tape.edgeOf(call, input));
    }
    found.resize(targets.size());
    findUseful();
    countAwaited();
    while (!ready.empty()) {
      Ref<GradientNode> node = ready.top().node;
      ready.pop();
      TSC_RETURN_IF_ERROR(process(node));
      TSC_RETURN_IF_ERROR(settle(*node));
    }
    while (!awaited.empty()) // leaves to which some node had nothing to hand on
      TSC_RETURN_IF_ERROR(complete(awaited.front().second.leaf));
    for (auto [i, gradient] : llvm::enumerate(found))
      if (!gradient.defined() && !request.allowUnused)
        return invalidArgument("One of the differentiated Tensors appears to not have been used in the graph. Set "
                               "allow_unused=True if this is the desired behavior.");
    return std::move(found);
  }

private:
  struct Entry {
    Ref<GradientNode> node;
    size_t number; ///< When it was first reached: equal orders come in that order.
    bool operator<(const Entry &other) const {
      return node->order != other.node->order ? node->order < other.node->order : number > other.number;
    }
  };
  using Gradients = llvm::SmallVector<Tensor, 1>; ///< By result; undefined: none has arrived.
  /// A leaf with a listener, and how many edges still lead to it.
  struct Awaited {
    Ref<GradientNode> leaf;
    unsigned edges = 0;
  };

  /// Runs f with the grad mode in which gradients are computed.
  template <typename F> auto withGradMode(F f) {
    bool before = std::exchange(call.gradMode, request.createGraph);
    auto result = f();
    call.gradMode = before;
    return result;
  }

  Status seed(size_t number, const Tensor &output) {
    if (!output.defined() || !output.requiresGrad())
      return invalidArgument("element " + llvm::Twine(number) +
                             " of tensors does not require grad and does not have a grad_fn");
    Tensor weight = number < request.weights.size() ? request.weights[number] : Tensor();
    if (!weight.defined()) {
      if (output.numel() != 1)
        return invalidArgument("grad can be implicitly created only for scalar outputs");
      TSC_ASSIGN_OR_RETURN(weight, filled(GradientShape::of(output), 1));
    } else if (weight.sizes() != output.sizes()) {
      return invalidArgument("Mismatch in shape: grad_output[" + llvm::Twine(number) + "] has a shape of torch.Size(" +
                             pythonShape(weight.sizes()) + ") and output[" + llvm::Twine(number) +
                             "] has a shape of torch.Size(" + pythonShape(output.sizes()) + ").");
    } else if (isComplex(weight.dtype()) != isComplex(output.dtype())) {
      return invalidArgument(
          "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
          "grad_output[" +
          llvm::Twine(number) + "] has a dtype of torch." + pythonName(weight.dtype()) + " and output[" +
          llvm::Twine(number) + "] has a dtype of torch." + pythonName(output.dtype()) + ".");
    } else {
      TSC_ASSIGN_OR_RETURN(weight, withGradMode([&] { return tape.toDType(call, weight, output.dtype()); }));
    }
    return add(tape.edgeOf(call, output), weight);
  }
  static std::string pythonShape(ArrayRef<int64_t> sizes) { return shapeString(sizes); }

  /// Adds to what has arrived at a result.
  Status add(const GradientEdge &edge, const Tensor &gradient) {
    if (!edge.node || !gradient.defined())
      return okStatus();
    auto [entry, isNew] = arrived.try_emplace(edge.node.get());
    if (isNew) {
      entry->second.resize(edge.node->results.size());
      ready.push({edge.node, numReached++});
    }
    return accumulate(entry->second[edge.result], gradient);
  }

  /// With targets, only nodes from which one is reached are run.
  void findUseful() {
    if (targets.empty())
      return;
    for (const GradientEdge &target : targets)
      useful.insert(target.node.get());
    // In post-order, without recursion: a chain may be as long as the program ran.
    llvm::DenseSet<GradientNode *> seen;
    std::vector<std::pair<GradientNode *, bool>> pending;
    for (auto &[node, gradients] : arrived)
      pending.push_back({node, false});
    while (!pending.empty()) {
      auto [node, isDone] = pending.back();
      pending.pop_back();
      if (isDone) {
        if (llvm::any_of(node->operands, [&](const GradientNode::Operand &operand) {
              return llvm::any_of(operand.edges, [&](const GradientEdge &e) { return useful.contains(e.node.get()); });
            }))
          useful.insert(node);
        continue;
      }
      if (!seen.insert(node).second)
        continue;
      pending.push_back({node, true});
      for (const GradientNode::Operand &operand : node->operands)
        for (const GradientEdge &edge : operand.edges)
          if (edge.node && !seen.contains(edge.node.get()))
            pending.push_back({edge.node.get(), false});
    }
  }

  /// Counts the edges that lead to each leaf with a listener, in the order in which leaves are found.
  void countAwaited() {
    if (!targets.empty() || !TapeServices::hasListeners())
      return;
    llvm::DenseSet<const GradientNode *> seen;
    std::vector<GradientNode *> pending;
    for (auto &[node, gradients] : arrived)
      pending.push_back(node);
    while (!pending.empty()) {
      GradientNode *node = pending.back();
      pending.pop_back();
      if (!seen.insert(node).second)
        continue;
      for (const GradientNode::Operand &operand : node->operands)
        for (const GradientEdge &edge : operand.edges) {
          if (!edge.node)
            continue;
          if (edge.node->kind == GradientNode::Kind::Leaf && edge.node->gradient->listener().first)
            ++awaited.insert({edge.node.get(), {edge.node, 0}}).first->second.edges;
          pending.push_back(edge.node.get());
        }
    }
  }

  /// Takes back the edges of a node that has handed on all it has. A leaf to which no other leads is complete.
  Status settle(const GradientNode &node) {
    if (awaited.empty())
      return okStatus();
    for (const GradientNode::Operand &operand : node.operands)
      for (const GradientEdge &edge : operand.edges)
        if (auto found = awaited.find(edge.node.get()); found != awaited.end() && --found->second.edges == 0)
          TSC_RETURN_IF_ERROR(complete(edge.node));
    return okStatus();
  }

  /// Tells the listener of a leaf that its gradient is complete, once what has arrived there was added to it.
  Status complete(Ref<GradientNode> leaf) {
    awaited.erase(leaf.get());
    if (arrived.contains(leaf.get()))
      TSC_RETURN_IF_ERROR(process(leaf));
    auto [listener, number] = leaf->gradient->listener();
    return listener ? listener->complete(call, number, leaf->gradient->get()) : okStatus();
  }

  Status process(const Ref<GradientNode> &node) {
    Gradients gradients = std::move(arrived[node.get()]);
    if (gradients.empty()) // a leaf that was complete before its turn
      return okStatus();
    for (auto [target, result] : llvm::zip(targets, found))
      if (target.node == node && gradients[target.result].defined())
        result = gradients[target.result];
    for (auto &[result, kept] : node->retained)
      TSC_RETURN_IF_ERROR(
          addTo(kept->gradient, gradients[result], [&](Tensor &sum, const Tensor &more) { return retain(sum, more); }));
    if (node->kind == GradientNode::Kind::Leaf)
      return targets.empty() ? accumulateAtLeaf(*node, std::move(gradients[0])) : okStatus();
    if (node->kind == GradientNode::Kind::Constant)
      return okStatus();
    // A target's own node is run only where another target is reached from it.
    if (!targets.empty() && !leadsToTarget(*node))
      return okStatus();
    if (node->graph)
      return processGraph(node, gradients);
    if (node->host)
      return processHost(node, gradients);
    std::vector<IValue> inputs;
    bool isDropped = false;
    {
      std::lock_guard lock(node->releasing);
      if (node->isReleased)
        return secondTime();
      if (node->kind == GradientNode::Kind::Unknown)
        return unimplemented(
            "derivative for " +
            (node->op == OpKind::Unknown ? llvm::Twine(node->name) : llvm::Twine(opRecord(node->op).qualified)) +
            " is not implemented");
      TSC_RETURN_IF_ERROR(gatherInputs(node, gradients, inputs));
      isDropped = !keepsCaptures && node->readsElements();
    }
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> results, withGradMode([&] {
                           return tape.runGraph(call, *node->derivative->graph, opRecord(node->op).qualified,
                                                std::move(inputs));
                         }));
    if (isDropped)
      node->dropCaptures();
    for (auto [operand, result] : llvm::zip(node->operands, results))
      TSC_RETURN_IF_ERROR(handOn(operand, result));
    return okStatus();
  }

  /// What a host has computed.
  Status processHost(const Ref<GradientNode> &node, const Gradients &gradients) {
    std::vector<Tensor> saved;
    bool isDropped = false;
    {
      std::lock_guard lock(node->releasing);
      if (node->isReleased)
        return secondTime();
      for (CapturedTensor one : node->tensors) {
        if (std::exchange(one.isOwnResult, false))
          one.history.node = node;
        TSC_ASSIGN_OR_RETURN(Tensor tensor, restore(node, one));
        saved.push_back(std::move(tensor));
      }
      isDropped = !keepsCaptures && node->readsElements();
    }
    llvm::SmallBitVector wanted(node->operands.size());
    for (auto [i, operand] : llvm::enumerate(node->operands))
      wanted[i] = operand.edges[0].node && (targets.empty() || useful.contains(operand.edges[0].node.get()));
    TSC_ASSIGN_OR_RETURN(std::vector<Tensor> results,
                         withGradMode([&] { return node->host->run(call, {gradients, saved, wanted}); }));
    if (isDropped)
      node->dropCaptures();
    if (results.size() != node->operands.size())
      return invalidArgument("function " + llvm::Twine(node->name) +
                             " returned an incorrect number of gradients (expected " +
                             llvm::Twine(node->operands.size()) + ", got " + llvm::Twine(results.size()) + ")");
    for (auto [operand, result] : llvm::zip(node->operands, results))
      TSC_RETURN_IF_ERROR(handOn(operand.edges[0], operand.shapes[0], result));
    return okStatus();
  }

  static Status secondTime() {
    return invalidArgument(
        "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
        "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
        "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
        "saved tensors after calling backward.");
  }

  /// A graph as one operator. What its operators have kept is released when gradients have gone through all of them.
  Status processGraph(const Ref<GradientNode> &node, const Gradients &gradients) {
    if (request.createGraph)
      return unimplemented("gradients of gradients through what an earlier call has taken down as one graph");
    TapedCode &code = *node->graph;
    llvm::SmallBitVector arrived(code.graph().numResults()), wanted(node->operands.size());
    for (unsigned i : code.graph().tracked().set_bits())
      arrived[i] = gradients[i].defined();
    for (auto [i, operand] : llvm::enumerate(node->operands))
      wanted[i] = operand.edges[0].node && (targets.empty() || useful.contains(operand.edges[0].node.get()));
    TSC_ASSIGN_OR_RETURN(const TapedCode::Backward *backward, code.backward(arrived, wanted));
    const TapedGraph::Backward &how = backward->how;
    std::vector<IValue> inputs;
    std::unique_lock lock(node->releasing);
    if (node->isReleased || node->released.anyCommon(how.operators))
      return secondTime();
    for (const TapedGraph::Read &read : how.checked) {
      const GradientNode::Captured &captured = node->captured[code.numberOf(read.source)];
      if (captured.first >= 0)
        TSC_RETURN_IF_ERROR(checkVersion(node->tensors[captured.first], &read));
    }
    for (const TapedGraph::Source &source : how.captures) {
      if (source.kind == TapedGraph::Source::Gradient) {
        inputs.emplace_back(gradients[source.index]);
        continue;
      }
      const int number = code.numberOf(source);
      if (number < 0)
        return unimplemented("a graph keeps less than its gradients read");
      const GradientNode::Captured &captured = node->captured[number];
      inputs.push_back(captured.first < 0 ? captured.value : IValue(node->tensors[captured.first].tensor));
    }
    lock.unlock();
    StatusOr<std::vector<IValue>> results = withGradMode([&] {
      llvm::SaveAndRestore<OperatorObserver *> unobserved(call.observer, nullptr);
      return backward->code->run(call, std::move(inputs));
    });
    TSC_RETURN_IF_ERROR(results.status());
    if (!keepsCaptures) {
      lock.lock();
      node->released |= how.operators;
      const bool isWhole = node->released.any() && node->released == code.operators();
      lock.unlock();
      if (isWhole)
        node->dropCaptures();
    }
    for (auto [number, result] : llvm::zip(how.operands, *results))
      TSC_RETURN_IF_ERROR(handOn(node->operands[number], result));
    return okStatus();
  }

  bool leadsToTarget(const GradientNode &node) const {
    return llvm::any_of(node.operands, [&](const GradientNode::Operand &operand) {
      return llvm::any_of(operand.edges, [&](const GradientEdge &edge) { return useful.contains(edge.node.get()); });
    });
  }

  Status accumulate(Tensor &sum, const Tensor &gradient) {
    if (!gradient.defined())
      return okStatus();
    if (!sum.defined()) {
      sum = gradient;
      return okStatus();
    }
    TSC_ASSIGN_OR_RETURN(sum, withGradMode([&] {
                           return tape.runOperator(call, OpKind::Aten_add_Tensor,
                                                   {IValue(sum), IValue(gradient), IValue(int64_t{1})});
                         }));
    return okStatus();
  }

  /// Adds a gradient to what is in the slot. Whoever adds takes the sum out meanwhile, so that no other thread writes
  /// to it; of two that do so, the one that is ready last adds the other's.
  Status addTo(GradientSlot &slot, Tensor gradient, llvm::function_ref<Status(Tensor &sum, Tensor gradient)> add) {
    std::optional<Tensor> taken = gradient.defined() ? slot.take() : std::nullopt;
    if (!taken)
      return okStatus();
    Tensor sum = *std::move(taken);
    auto putBack = llvm::make_scope_exit([&] {
      if (Tensor other = slot.put(sum); other.defined())
        (void)slot.put(other); // the sum of a call that fails gives way to that of one that goes on
    });
    while (gradient.defined()) {
      TSC_RETURN_IF_ERROR(add(sum, std::exchange(gradient, Tensor())));
      gradient = slot.put(sum);
    }
    putBack.release();
    return okStatus();
  }

  Status accumulateAtLeaf(GradientNode &leaf, Tensor gradient) {
    return addTo(*leaf.gradient, std::move(gradient),
                 [&](Tensor &sum, Tensor more) { return addAtLeaf(leaf, sum, std::move(more)); });
  }

  /// Adds to the gradient of a leaf, which belongs to the leaf alone and has its layout: a program may write to it. As
  /// in PyTorch, it grows in place, unless the gradients are to be differentiated themselves.
  Status addAtLeaf(const GradientNode &leaf, Tensor &sum, Tensor gradient) {
    const bool isDense = gradient.get()->storage && (!sum.defined() || sum.get()->storage);
    if (sum.defined() || !isDense) {
      if (request.createGraph || !isDense)
        return accumulate(sum, gradient);
      return withGradMode([&] {
               return tape.runOperator(call, OpKind::Aten_add__Tensor,
                                       {IValue(sum), IValue(gradient), IValue(int64_t{1})});
             })
          .status();
    }
    const bool isUnshared = gradient.get()->useCount() == 1 && gradient.get()->storage->useCount() == 1;
    if (!request.createGraph && isUnshared && !gradient.requiresGrad() && hasLayoutOf(leaf, gradient)) {
      sum = std::move(gradient);
    } else {
      TSC_ASSIGN_OR_RETURN(sum, copyInLayoutOf(leaf, gradient));
    }
    return okStatus();
  }

  static bool hasLayoutOf(const GradientNode &leaf, const Tensor &gradient) {
    if (!leaf.leafStrides)
      return gradient.isContiguous();
    for (auto [size, stride, wanted] : llvm::zip(gradient.sizes(), gradient.strides(), *leaf.leafStrides))
      if (size != 1 && stride != wanted)
        return false;
    return true;
  }

  static IValue intList(ArrayRef<int64_t> numbers) {
    IValue list = makeList(Type::intType(), numbers.size());
    for (int64_t number : numbers)
      appendToList(list, IValue(number));
    return list;
  }

  StatusOr<Tensor> copyInLayoutOf(const GradientNode &leaf, const Tensor &gradient) {
    const Dims strides = leaf.leafStrides ? *leaf.leafStrides : contiguousStrides(gradient.sizes());
    return withGradMode([&]() -> StatusOr<Tensor> {
      TSC_ASSIGN_OR_RETURN(Tensor copy, tape.runOperator(call, OpKind::Aten_new_empty_strided,
                                                         {IValue(gradient), intList(gradient.sizes()), intList(strides),
                                                          IValue(), IValue(), IValue(), IValue()}));
      return tape.runOperator(call, OpKind::Aten_copy_, {IValue(copy), IValue(gradient), IValue(false)});
    });
  }

  /// As `accumulate`, with a copy: what is written to it must not be seen in gradients that are computed from this one.
  Status retain(Tensor &sum, const Tensor &gradient) {
    if (sum.defined())
      return accumulate(sum, gradient);
    TSC_ASSIGN_OR_RETURN(sum, withGradMode([&] {
                           const IValue format(int64_t{0}); // contiguous
                           return tape.runOperator(call, OpKind::Aten_clone, {IValue(gradient), format});
                         }));
    return okStatus();
  }

  /// `read`: what of it a formula reads, where that is not the whole.
  static Status checkVersion(const CapturedTensor &captured, const TapedGraph::Read *read = nullptr) {
    const Tensor &kept = captured.tensor;
    uint32_t version = kept.get()->storage->version.load(std::memory_order_relaxed);
    if (version == captured.version)
      return okStatus();
    const llvm::SmallVector<int64_t, 4> sizes =
        read ? read->sizes(kept.sizes()) : llvm::SmallVector<int64_t, 4>(kept.sizes());
    return invalidArgument(
        "one of the variables needed for gradient computation has been modified by an inplace operation: [" +
        llvm::Twine(typeName(kept.dtype())) + " " + shapeString(sizes) + "] is at version " + llvm::Twine(version) +
        "; expected version " + llvm::Twine(captured.version) +
        " instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True).");
  }

  /// A captured tensor as it was, with its history.
  StatusOr<Tensor> restore(const Ref<GradientNode> &node, const CapturedTensor &captured) {
    if (!captured.tensor.defined())
      return Tensor();
    const Tensor &kept = captured.tensor;
    if (!captured.isOnlyMeasured)
      TSC_RETURN_IF_ERROR(checkVersion(captured));
    Tensor restored = kept.alias(kept.sizes(), kept.strides(), kept.storageOffset());
    restored.get()->requiresGrad = captured.requiresGrad;
    GradientEdge edge = captured.history;
    if (captured.isOwnResult)
      edge = {node, static_cast<unsigned>(&captured - node->tensors.data())};
    if (captured.requiresGrad && edge.node) {
      auto history = makeRef<History>();
      history->made = edge;
      restored.get()->history = Ref<RefCounted>(std::move(history));
    }
    return restored;
  }

  static const char *typeName(DType dtype) {
    switch (dtype) {
    case DType::Float: return "torch.FloatTensor";
    case DType::Double: return "torch.DoubleTensor";
    case DType::Half: return "torch.HalfTensor";
    case DType::BFloat16: return "torch.BFloat16Tensor";
    case DType::ComplexFloat: return "torch.ComplexFloatTensor";
    case DType::ComplexDouble: return "torch.ComplexDoubleTensor";
    default: return "torch.Tensor";
    }
  }

  static StatusOr<Tensor> filled(const GradientShape &shape, int64_t number) {
    TSC_ASSIGN_OR_RETURN(Tensor made, Tensor::full(shape.sizes, Scalar(number), shape.dtype));
    return shape.memory == &DeviceMemory::cpu() ? StatusOr<Tensor>(made) : copyTensor(made, *shape.memory);
  }

  /// What the derivative reads, in its order.
  Status gatherInputs(const Ref<GradientNode> &node, const Gradients &gradients, std::vector<IValue> &inputs) {
    size_t next = 0;
    for (const Derivative::Capture &capture : node->derivative->captures) {
      if (capture.kind == Derivative::Capture::Gradient) {
        TSC_RETURN_IF_ERROR(gatherGradient(*node, capture, gradients, inputs));
        continue;
      }
      const GradientNode::Captured &captured = node->captured[next++];
      if (captured.first < 0) {
        inputs.push_back(captured.value);
        continue;
      }
      IValue list = captured.isList ? makeList(Type::tensorType()) : IValue();
      for (unsigned i = 0; i != captured.count; ++i) {
        CapturedTensor &one = node->tensors[captured.first + i];
        StatusOr<Tensor> tensor = one.isOwnResult ? restoreResult(node, capture.index, i, one) : restore(node, one);
        TSC_RETURN_IF_ERROR(tensor.status());
        if (!captured.isList)
          inputs.push_back(tensor->defined() ? IValue(*tensor) : IValue());
        else
          appendToList(list, IValue(*tensor));
      }
      if (captured.isList)
        inputs.push_back(std::move(list));
    }
    return okStatus();
  }

  StatusOr<Tensor> restoreResult(const Ref<GradientNode> &node, unsigned result, unsigned element,
                                 const CapturedTensor &captured) {
    CapturedTensor own = captured;
    own.isOwnResult = false;
    unsigned number = element;
    for (unsigned i = 0; i != result; ++i)
      number += node->listLengths[i] < 0 ? 1 : node->listLengths[i];
    own.history = {node, number};
    own.requiresGrad = true;
    DType dtype = node->results[number].dtype;
    if (!isFloating(dtype) && !isComplex(dtype))
      own.requiresGrad = false;
    return restore(node, own);
  }

  Status gatherGradient(const GradientNode &node, const Derivative::Capture &capture, const Gradients &gradients,
                        std::vector<IValue> &inputs) {
    unsigned first = 0;
    for (unsigned i = 0; i != capture.index; ++i)
      first += node.listLengths[i] < 0 ? 1 : node.listLengths[i];
    int length = node.listLengths[capture.index];
    auto one = [&](unsigned number) -> StatusOr<Tensor> {
      return gradients[number].defined() ? StatusOr<Tensor>(gradients[number]) : filled(node.results[number], 0);
    };
    if (length < 0) {
      if (!gradients[first].defined() && capture.mayBeNone) {
        inputs.emplace_back();
        return okStatus();
      }
      TSC_ASSIGN_OR_RETURN(Tensor gradient, one(first));
      inputs.push_back(IValue(gradient));
      return okStatus();
    }
    IValue list = makeList(Type::tensorType());
    for (int i = 0; i != length; ++i) {
      TSC_ASSIGN_OR_RETURN(Tensor gradient, one(first + i));
      appendToList(list, IValue(gradient));
    }
    inputs.push_back(std::move(list));
    return okStatus();
  }

  /// Gives the gradient of an operand to what made it, in the operand's shape.
  Status handOn(const GradientNode::Operand &operand, const IValue &gradient) {
    if (!operand.isList)
      return handOn(operand.edges[0], operand.shapes[0], gradient.isTensor() ? gradient.asTensor() : Tensor());
    if (gradient.listSize() != operand.edges.size())
      return invalidArgument("the derivative gives " + llvm::Twine(gradient.listSize()) + " gradients for a list of " +
                             llvm::Twine(operand.edges.size()) + " tensors");
    for (size_t i = 0; i != operand.edges.size(); ++i) {
      IValue element = gradient.listElement(i);
      TSC_RETURN_IF_ERROR(
          handOn(operand.edges[i], operand.shapes[i], element.isTensor() ? element.asTensor() : Tensor()));
    }
    return okStatus();
  }

  Status handOn(const GradientEdge &edge, const GradientShape &shape, Tensor gradient) {
    if (!edge.node || !gradient.defined() || (!targets.empty() && !useful.contains(edge.node.get())))
      return okStatus();
    if (const Storage *storage = gradient.get()->storage.get();
        storage && storage->device() != shape.memory->device()) {
      TSC_ASSIGN_OR_RETURN(gradient, copyTensor(gradient, *shape.memory)); // the operand was moved
    }
    auto run = [&](OpKind op, std::vector<IValue> operands) {
      return withGradMode([&] { return tape.runOperator(call, op, std::move(operands)); });
    };
    if (gradient.sizes() != ArrayRef<int64_t>(shape.sizes)) {
      TSC_ASSIGN_OR_RETURN(gradient,
                           run(OpKind::Aten_sum_to_size, {IValue(gradient), IValue(ArrayRef(shape.sizes).vec())}));
    }
    if (isComplex(gradient.dtype()) && !isComplex(shape.dtype)) {
      TSC_ASSIGN_OR_RETURN(gradient, run(OpKind::Aten_real, {IValue(gradient)}));
    }
    TSC_ASSIGN_OR_RETURN(gradient, withGradMode([&] { return tape.toDType(call, gradient, shape.dtype); }));
    return add(edge, gradient);
  }

  Tape::Impl &tape;
  CallContext &call;
  const GradientRequest &request;
  const bool keepsCaptures;
  std::vector<GradientEdge> targets;
  std::vector<Tensor> found;
  llvm::DenseSet<GradientNode *> useful;
  llvm::DenseMap<GradientNode *, Gradients> arrived;
  llvm::MapVector<const GradientNode *, Awaited> awaited;
  std::priority_queue<Entry> ready;
  size_t numReached = 0;
};

} // namespace

StatusOr<std::vector<Tensor>> Tape::Impl::backward(CallContext &call, const GradientRequest &request) {
  TSC_ASSIGN_OR_RETURN(std::vector<Tensor> gradients, Reverse(*this, call, request).run());
  // Our formulas are not PyTorch's: which node of these would have come last isn't known.
  for (const Tensor &gradient : gradients)
    if (History *history = request.createGraph && gradient.defined() ? historyOf(gradient) : nullptr;
        history && history->made.node && history->made.node->kind != GradientNode::Kind::Leaf)
      history->madeBy = OpKind::Aten_grad;
  return gradients;
}

StatusOr<std::vector<Tensor>> Tape::backward(CallContext &call, const GradientRequest &request) {
  return impl->backward(call, request);
}
