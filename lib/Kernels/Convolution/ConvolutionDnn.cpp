//===- ConvolutionDnn.cpp - Convolutions through oneDNN -------------------===//
//
// oneDNN chooses the layouts it likes, and operands are reordered into them: that
// costs less than computing on plain layouts. Making a primitive takes hundreds of
// microseconds, so plans are kept by shape; so are the reordered weights of layers
// whose weights are constants, where that saves a share of the time. The layouts and
// the bits are the same with and without.
//
//===----------------------------------------------------------------------===//
#include "ConvolutionDnn.h"
#include "Support/OneDnn.h"
#include "tsc/Support/ForkSafety.h"
#include "tsc/Tensor/LongLivedTensors.h"
#include <map>
#include <memory>
#include <mutex>

using namespace tsc;
using namespace tsc::cpu;

namespace {
/// A primitive and the reorders around it. Immutable once made; threads share it, each with buffers of its own.
struct ConvPlan {
  dnnl::memory::desc plainSource, plainWeights, plainOut, bias;
  dnnl::memory::desc source, weights, out, scratch;
  dnnl::convolution_forward convolution;
  dnnl::reorder reorderSource, reorderWeights, reorderOut; ///< Null where the layouts agree.
  bool isWorthKeepingWeights;
};

/// The weights of one storage in the layouts that plans asked for. Immutable: another layout makes another object.
class KeptWeights final : public RefCounted {
public:
  struct Form {
    int64_t offset; ///< Of the plain weights in their storage.
    dnnl::memory::desc plain, arranged;
    Tensor elements;
  };
  /// Null when these weights are not there in this layout.
  const Form *find(const ConvPlan &plan, const Tensor &weight) const {
    for (const Form &form : forms)
      if (form.offset == weight.storageOffset() && form.plain == plan.plainWeights && form.arranged == plan.weights)
        return &form;
    return nullptr;
  }
  std::vector<Form> forms;
};
using PlanKey = std::vector<int64_t>;
} // namespace

static dnnl::reorder reorderBetween(const dnnl::memory::desc &from, const dnnl::memory::desc &to) {
  if (from == to)
    return {};
  return dnnl::reorder(dnnl::reorder::primitive_desc(engine(), from, engine(), to));
}

static std::shared_ptr<const ConvPlan> makePlan(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                                const ConvParams &params, const Tensor &out) {
  using Desc = dnnl::memory::desc;
  const auto type = input.dtype() == DType::BFloat16 ? dnnl::memory::data_type::bf16 : dnnl::memory::data_type::f32;
  auto dims = [](ArrayRef<int64_t> sizes) { return dnnl::memory::dims(sizes.begin(), sizes.end()); };
  auto plan = std::make_shared<ConvPlan>();
  Dims weightSizes(weight.sizes());
  if (params.groups != 1) {
    weightSizes[0] /= params.groups;
    weightSizes.insert(weightSizes.begin(), params.groups);
  }
  plan->plainSource = Desc(dims(input.sizes()), type, dims(contiguousStrides(input.sizes())));
  plan->plainWeights = Desc(dims(weightSizes), type, dims(contiguousStrides(weightSizes)));
  plan->plainOut = Desc(dims(out.sizes()), type, dims(contiguousStrides(out.sizes())));
  if (bias.defined())
    plan->bias = Desc(dims(bias.sizes()), type, dnnl::memory::format_tag::x);
  Dims dilation = params.dilation;
  for (int64_t &d : dilation)
    --d; // oneDNN counts the gaps
  constexpr auto any = dnnl::memory::format_tag::any;
  Desc source(dims(input.sizes()), type, any), weights(dims(weightSizes), type, any),
      result(dims(out.sizes()), type, any);
  // The kernels for training add up in an order that has half the rounding error of those for inference alone, cost the
  // same on blocked layouts, and are the ones PyTorch runs.
  dnnl::convolution_forward::desc description(dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct,
                                              source, weights, plan->bias, result, dims(params.stride), dims(dilation),
                                              dims(params.padding), dims(params.padding));
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::convolution_forward::primitive_desc pd(description, attributes, engine());
  if (llvm::StringRef(pd.impl_info_str()).contains("ref"))
    return plan; // without a primitive: slower than ours
  plan->convolution = dnnl::convolution_forward(pd);
  plan->source = pd.src_desc();
  plan->weights = pd.weights_desc();
  plan->out = pd.dst_desc();
  plan->scratch = pd.scratchpad_desc();
  plan->reorderSource = reorderBetween(plan->plainSource, plan->source);
  plan->reorderWeights = reorderBetween(plan->plainWeights, plan->weights);
  plan->reorderOut = reorderBetween(plan->out, plan->plainOut);
  // Moving a weight takes as long as about 45 multiplications: with more positions than these it is 5 % of the whole.
  constexpr int64_t manyPositions = 1024;
  int64_t positions = out.numel() / out.size(1);
  plan->isWorthKeepingWeights = plan->reorderWeights.get(true) && positions <= manyPositions;
  return plan;
}

static std::shared_ptr<const ConvPlan> planFor(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                               const ConvParams &params, const Tensor &out) {
  static std::mutex &mutex = makeForkSafeMutex();
  static auto &plans =
      *new std::map<PlanKey, std::shared_ptr<const ConvPlan>>; // never destroyed: threads may outlive main
  constexpr size_t limit = 1024;
  PlanKey key;
  for (ArrayRef<int64_t> part : {input.sizes(), weight.sizes(), ArrayRef<int64_t>(params.stride),
                                 ArrayRef<int64_t>(params.padding), ArrayRef<int64_t>(params.dilation)}) {
    key.push_back(part.size());
    key.insert(key.end(), part.begin(), part.end());
  }
  key.push_back(params.groups);
  key.push_back(bias.defined());
  key.push_back(static_cast<int64_t>(input.dtype()));
  {
    std::lock_guard lock(mutex);
    auto found = plans.find(key);
    if (found != plans.end())
      return found->second;
  }
  auto plan = makePlan(input, weight, bias, params, out);
  std::lock_guard lock(mutex);
  if (plans.size() >= limit)
    plans.clear();
  return plans.emplace(std::move(key), std::move(plan)).first->second;
}

/// A buffer for what a description needs; null when there is no memory.
static Tensor bufferFor(const dnnl::memory::desc &desc) {
  StatusOr<Tensor> buffer = Tensor::empty({static_cast<int64_t>(desc.get_size() / sizeof(float) + 16)}, DType::Float);
  return buffer.ok() ? *buffer : Tensor();
}

/// The weights as the plan wants them, from earlier calls or for later ones. Undefined when they are not to be kept.
static Tensor keptWeights(const ConvPlan &plan, const Tensor &weight, dnnl::stream &stream) {
  constexpr size_t mostForms = 4; // a layer that sees more layouts than these has the others made for each call
  std::optional<Kept> kept = plan.isWorthKeepingWeights ? keptFor(weight, Keeper::Convolution) : std::nullopt;
  if (!kept)
    return Tensor();
  const auto *before = static_cast<const KeptWeights *>(kept->object.get()); // what convolutions keep
  const KeptWeights::Form *form = before ? before->find(plan, weight) : nullptr;
  if (form)
    return form->elements;
  Tensor elements = before && before->forms.size() == mostForms ? Tensor() : bufferFor(plan.weights);
  if (!elements.defined())
    return Tensor();
  dnnl::memory from(plan.plainWeights, engine(), const_cast<void *>(weight.data())),
      to(plan.weights, engine(), elements.mutableData());
  plan.reorderWeights.execute(stream, from, to);
  stream.wait();
  auto after = before ? makeRef<KeptWeights>(*before) : makeRef<KeptWeights>();
  after->forms.push_back({weight.storageOffset(), plan.plainWeights, plan.weights, elements});
  keepFor(weight, Keeper::Convolution, kept->version, std::move(after));
  return elements;
}

static bool execute(const ConvPlan &plan, const Tensor &input, const Tensor &weight, const Tensor &bias,
                    const Tensor &out) {
  dnnl::stream &stream = threadStream();
  auto memory = [](const dnnl::memory::desc &desc, const void *data) {
    return dnnl::memory(desc, engine(), const_cast<void *>(data));
  };
  std::vector<Tensor> buffers;
  auto scratch = [&](const dnnl::memory::desc &desc) -> void * {
    buffers.push_back(bufferFor(desc));
    return buffers.back().defined() ? buffers.back().mutableData() : nullptr;
  };
  dnnl::memory source = memory(plan.plainSource, input.data()), weights = memory(plan.plainWeights, weight.data()),
               plainOut = memory(plan.plainOut, out.mutableData()), result = plainOut;
  auto arrange = [&](const dnnl::reorder &reorder, dnnl::memory &from, const dnnl::memory::desc &to) {
    if (!reorder.get(true))
      return true;
    void *data = scratch(to);
    if (!data)
      return false;
    dnnl::memory target = memory(to, data);
    reorder.execute(stream, from, target);
    from = target;
    return true;
  };
  Tensor kept = keptWeights(plan, weight, stream);
  if (kept.defined())
    weights = memory(plan.weights, kept.data());
  if (!arrange(plan.reorderSource, source, plan.source) ||
      (!kept.defined() && !arrange(plan.reorderWeights, weights, plan.weights)))
    return false;
  if (plan.reorderOut.get(true)) {
    void *data = scratch(plan.out);
    if (!data)
      return false;
    result = memory(plan.out, data);
  }
  std::unordered_map<int, dnnl::memory> arguments = {
      {DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, result}};
  if (bias.defined())
    arguments.emplace(DNNL_ARG_BIAS, memory(plan.bias, bias.data()));
  if (plan.scratch.get_size() != 0) {
    void *data = scratch(plan.scratch);
    if (!data)
      return false;
    arguments.emplace(DNNL_ARG_SCRATCHPAD, memory(plan.scratch, data));
  }
  plan.convolution.execute(stream, arguments);
  if (plan.reorderOut.get(true))
    plan.reorderOut.execute(stream, result, plainOut);
  stream.wait();
  return true;
}

bool tsc::cpu::convolveDnn(const Tensor &input, const Tensor &weight, const Tensor &bias, const ConvParams &params,
                           const Tensor &out) {
  assert(input.isContiguous() && weight.isContiguous() && out.isContiguous() && "operands are row-major");
  assert(input.dtype() == weight.dtype() && input.dtype() == out.dtype() &&
         (!bias.defined() || bias.dtype() == input.dtype()) && "operands of one dtype");
  assert((input.dtype() == DType::Float || input.dtype() == DType::BFloat16) && "a dtype of oneDNN's");
  if (!hasOneDnn())
    return false;
  SingleThreadedDnn scope;
  try { // oneDNN's C++ interface throws; nothing leaves this file
    const std::shared_ptr<const ConvPlan> plan = planFor(input, weight, bias, params, out);
    return plan->convolution.get(true) && execute(*plan, input, weight, bias, out);
  } catch (const dnnl::error &) {
    return false;
  }
}
