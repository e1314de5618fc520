//===- Collectives.cpp - Operators of several ranks -----------------------===//
#include "tsc/Runtime/Dispatch/Collectives.h"
#include "Exchanged.h"
#include "GradientReduction.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/IValue.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/Ops/Collectives.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "tsc/Tensor/Tensor.h"
#include <map>
#include <mutex>
using namespace tsc;
using llvm::StringRef;

namespace {
class InstalledCollectives final : public ContextExtension {
public:
  explicit InstalledCollectives(Context &) {}
  std::mutex lock; ///< Guards the members below.
  CollectivesOpener opener = nullptr;
  std::shared_ptr<Collectives> ranks;
  /// Exchanges that begin when gradients have come, by number. The numbers are greater than those of other exchanges.
  std::map<int64_t, std::shared_ptr<GradientReduction>> reductions;
  static constexpr int64_t firstReduction = int64_t{1} << 62;
  int64_t lastReduction = firstReduction;
  /// What is to be copied to a device when an exchange is over, by the exchange's number.
  std::map<int64_t, std::shared_ptr<Exchanged>> undelivered;

  std::shared_ptr<GradientReduction> reduction(int64_t number) {
    std::lock_guard guard(lock);
    auto found = reductions.find(number);
    return found == reductions.end() ? nullptr : found->second;
  }
  std::shared_ptr<Exchanged> takeUndelivered(int64_t number) {
    std::lock_guard guard(lock);
    auto found = undelivered.find(number);
    if (found == undelivered.end())
      return nullptr;
    std::shared_ptr<Exchanged> taken = std::move(found->second);
    undelivered.erase(found);
    return taken;
  }
};
} // namespace

void tsc::setCollectivesOpener(Context &context, CollectivesOpener opener) {
  auto &installed = context.extension<InstalledCollectives>();
  std::lock_guard guard(installed.lock);
  installed.opener = opener;
}

void tsc::setCollectives(Context &context, std::shared_ptr<Collectives> collectives) {
  auto &installed = context.extension<InstalledCollectives>();
  std::lock_guard guard(installed.lock);
  installed.ranks.swap(collectives);
  installed.reductions.clear();
  installed.undelivered.clear();
}

std::shared_ptr<Collectives> tsc::collectivesOf(Context &context) {
  auto &installed = context.extension<InstalledCollectives>();
  std::lock_guard guard(installed.lock);
  return installed.ranks;
}

static StatusOr<std::shared_ptr<Collectives>> ranks(CallContext &context) {
  if (std::shared_ptr<Collectives> found = collectivesOf(context.context()))
    return found;
  return failedPrecondition(
      "Default process group has not been initialized, please make sure to call init_process_group.");
}

static Status finish(CallContext &context, Collectives &ranks, int64_t work, int64_t &sender) {
  TSC_ASSIGN_OR_RETURN(sender, ranks.finish(work, [&] { return context.checkLimits(); }));
  return okStatus();
}

/// Makes an exchange, and waits for it.
static Status exchange(CallContext &context, CollectiveCall call, const Tensor &input, const Tensor &output,
                       const IValue &group) {
  TSC_ASSIGN_OR_RETURN(auto ranks, ::ranks(context));
  const StringRef name = group.toString();
  TSC_ASSIGN_OR_RETURN(auto tensors, Exchanged::of(context, *ranks, name, call, input, output));
  TSC_ASSIGN_OR_RETURN(int64_t work, ranks->start(name, call, tensors)); // an interrupted exchange goes on using them
  int64_t sender;
  TSC_RETURN_IF_ERROR(finish(context, *ranks, work, sender));
  return tensors->deliver();
}

/// Makes an exchange with an output of the sizes `sizes`.
static Status exchangeInto(CallContext &context, const CollectiveCall &call, const IValue &input,
                           ArrayRef<int64_t> sizes, const IValue &group, IValue *results) {
  TSC_ASSIGN_OR_RETURN(Tensor from, cpu::contiguous(input.asTensor()));
  TSC_ASSIGN_OR_RETURN(Tensor output, Tensor::empty(sizes, from.dtype(), memoryOf(*from.get()->storage)));
  TSC_RETURN_IF_ERROR(exchange(context, call, from, output, group));
  results[0] = std::move(output);
  return okStatus();
}

/// Makes an exchange that writes to its operand.
static Status exchangeInPlace(CallContext &context, const CollectiveCall &call, const Tensor &input, const Tensor &self,
                              const IValue &group, IValue *results) {
  Tensor output = self;
  if (!self.isContiguous()) {
    TSC_ASSIGN_OR_RETURN(output, cpu::contiguous(self));
  }
  TSC_RETURN_IF_ERROR(exchange(context, call, input, output, group));
  if (!output.isSameAs(self))
    TSC_RETURN_IF_ERROR(cpu::copyInto(self, output));
  self.bumpVersion();
  results[0] = self;
  return okStatus();
}

static CollectiveCall callOf(StringRef name, StringRef reduceOp = "", int64_t peer = 0) {
  CollectiveCall call;
  call.name = name;
  call.reduceOp = reduceOp;
  call.peer = peer;
  return call;
}

Status ops::allReduce(CallContext &context, const IValue *const *args, IValue *results) {
  return exchangeInto(context, callOf("all_reduce", args[1]->toString()), *args[0], args[0]->asTensor().sizes(),
                      *args[2], results);
}

Status ops::allReduceInPlace(CallContext &context, const IValue *const *args, IValue *results) {
  return exchangeInPlace(context, callOf("all_reduce", args[1]->toString()), Tensor(), args[0]->asTensor(), *args[2],
                         results);
}

/// Returns the sizes of a tensor with another size of dimension 0; a tensor without dimensions counts as one of one
/// element.
static Dims sizesWith(const Tensor &tensor, int64_t first) {
  Dims sizes(tensor.sizes());
  if (sizes.empty())
    sizes.push_back(1);
  sizes[0] = first;
  return sizes;
}

static int64_t rowsOf(const Tensor &tensor) { return tensor.dim() == 0 ? 1 : tensor.size(0); }

static Status beyondNumbers(llvm::StringRef name) {
  return invalidArgument(name + ": the result has more elements than numbers can count");
}

Status ops::allGather(CallContext &context, const IValue *const *args, IValue *results) {
  const Tensor &input = args[0]->asTensor();
  if (args[1]->toInt() <= 0)
    return invalidArgument("group_size must be positive");
  int64_t rows = 0;
  if (llvm::MulOverflow(rowsOf(input), args[1]->toInt(), rows))
    return beyondNumbers("all_gather_into_tensor");
  return exchangeInto(context, callOf("all_gather"), *args[0], sizesWith(input, rows), *args[2], results);
}

Status ops::allGatherOut(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(Tensor input, cpu::contiguous(args[0]->asTensor()));
  return exchangeInPlace(context, callOf("all_gather"), input, args[3]->asTensor(), *args[2], results);
}

Status ops::reduceScatter(CallContext &context, const IValue *const *args, IValue *results) {
  const Tensor &input = args[0]->asTensor();
  const int64_t size = args[2]->toInt();
  if (size <= 0 || rowsOf(input) % size)
    return invalidArgument("reduce_scatter_tensor: input of " + llvm::Twine(rowsOf(input)) +
                           " rows cannot be divided among " + llvm::Twine(size) + " ranks");
  return exchangeInto(context, callOf("reduce_scatter", args[1]->toString()), *args[0],
                      sizesWith(input, rowsOf(input) / size), *args[3], results);
}

Status ops::allToAll(CallContext &context, const IValue *const *args, IValue *results) {
  const Tensor &input = args[0]->asTensor();
  CollectiveCall call = callOf("all_to_all");
  const int64_t rowsIn = rowsOf(input);
  int64_t row = 1, rowsOut = 0;
  bool isCounted = true; // sizes beside one of 0 may be of any size
  for (int64_t size : input.sizes().drop_front(std::min<size_t>(1, input.sizes().size())))
    isCounted &= !llvm::MulOverflow(row, size, row);
  llvm::SmallVector<int64_t> splits[2];
  for (int i : {0, 1})
    for (int64_t count : args[1 + i]->toIntList().elements) {
      if (count < 0)
        return invalidArgument("all_to_all_single: split sizes must not be negative");
      int64_t elements = 0;
      isCounted &= !llvm::MulOverflow(count, row, elements) && !llvm::AddOverflow(rowsOut, i == 0 ? count : 0, rowsOut);
      splits[i].push_back(elements);
    }
  if (!isCounted)
    return beyondNumbers("all_to_all_single");
  call.outputSplits = splits[0];
  call.inputSplits = splits[1];
  return exchangeInto(context, call, *args[0], sizesWith(input, splits[0].empty() ? rowsIn : rowsOut), *args[3],
                      results);
}

Status ops::broadcastRanks(CallContext &context, const IValue *const *args, IValue *results) {
  return exchangeInto(context, callOf("broadcast", "", args[1]->toInt()), *args[0], args[0]->asTensor().sizes(),
                      *args[2], results);
}

Status ops::broadcastRanksInPlace(CallContext &context, const IValue *const *args, IValue *results) {
  return exchangeInPlace(context, callOf("broadcast", "", args[1]->toInt()), Tensor(), args[0]->asTensor(), *args[2],
                         results);
}

Status ops::waitTensor(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = *args[0];
  return okStatus();
}

//===-- What torch.distributed is made of --------------------------------===//

Status ops::initRanks(CallContext &context, const IValue *const *args, IValue *) {
  if (!context.files)
    return permissionDenied(
        "init_process_group: this program may not ask for ranks; a source program may where its host "
        "lets it have files, and an archive has those that its host made");
  auto &installed = context.context().extension<InstalledCollectives>();
  std::lock_guard guard(installed.lock);
  if (installed.ranks)
    return failedPrecondition("trying to initialize the default process group twice!");
  if (!installed.opener)
    return unimplemented("init_process_group: this host has no collectives");
  CollectivesOptions options;
  options.backend = args[0]->toString();
  if (!args[1]->isNone())
    options.method = args[1]->toString();
  options.timeout = args[2]->toDouble();
  options.isChecked = args[3]->toBool();
  options.openDevice = [&]() -> DeviceCollectivesOrWhy {
    Accelerator *accelerator = acceleratorOf(context.context());
    const Device gpu{DeviceKind::CUDA, -1};
    return accelerator && accelerator->serves(gpu.kind) ? accelerator->collectives(gpu)
                                                        : std::shared_ptr<DeviceCollectives>();
  };
  TSC_ASSIGN_OR_RETURN(installed.ranks, installed.opener(options));
  return okStatus();
}

Status ops::endRanks(CallContext &context, const IValue *const *, IValue *) {
  TSC_ASSIGN_OR_RETURN(auto ranks, ::ranks(context));
  setCollectives(context.context(), nullptr);
  return ranks->end("");
}

Status ops::newRanks(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(auto ranks, ::ranks(context));
  TSC_ASSIGN_OR_RETURN(std::string name, ranks->makeGroup(args[0]->toIntList().elements));
  results[0] = std::move(name);
  return okStatus();
}

/// "all_reduce_gradients": the first inputs are leaves, as many as the splits say, and the others are added to their
/// gradients. `peer` is the number of the one that is to begin before, or -1.
static Status awaitGradients(CallContext &context, std::shared_ptr<Collectives> ranks, const IValue *const *args,
                             IValue *results) {
  auto &installed = context.context().extension<InstalledCollectives>();
  const Tensor &total = args[1]->asTensor();
  TSC_RETURN_IF_ERROR(checkExchanged(total));
  const ArrayRef<Tensor> inputs = args[2]->toTensorList().elements;
  const ArrayRef<int64_t> splits = args[6]->toIntList().elements;
  if (splits.size() != 1 || splits[0] < 0 || splits[0] > static_cast<int64_t>(inputs.size()))
    return invalidArgument("all_reduce_gradients: the number of leaves is not one of a part of the inputs");
  GradientReduction::Request request;
  request.reduceOp = args[5]->toString();
  request.group = args[7]->toString();
  request.leaves = inputs.take_front(static_cast<size_t>(splits[0])).vec();
  request.earlier = inputs.drop_front(static_cast<size_t>(splits[0])).vec();
  request.total = total;
  request.before = installed.reduction(args[3]->toInt());
  TSC_ASSIGN_OR_RETURN(auto made, GradientReduction::make(context, std::move(ranks), std::move(request)));
  std::lock_guard guard(installed.lock);
  installed.reductions.emplace(++installed.lastReduction, std::move(made));
  results[0] = installed.lastReduction;
  return okStatus();
}

Status ops::startCollective(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(auto ranks, ::ranks(context));
  if (args[0]->toString() == "all_reduce_gradients")
    return awaitGradients(context, std::move(ranks), args, results);
  CollectiveCall call = callOf(args[0]->toString(), args[5]->toString(), args[3]->toInt());
  call.tag = args[4]->toInt();
  // The first half of the splits is of the output, the second one of the input.
  const ArrayRef<int64_t> splits = args[6]->toIntList().elements;
  call.outputSplits = splits.take_front(splits.size() / 2);
  call.inputSplits = splits.drop_front(splits.size() / 2);
  const ArrayRef<Tensor> inputs = args[2]->toTensorList().elements;
  if (inputs.size() > 1)
    return invalidArgument(call.name + " takes one input");
  const StringRef group = args[7]->toString();
  TSC_ASSIGN_OR_RETURN(auto tensors, Exchanged::of(context, *ranks, group, call, inputs.empty() ? Tensor() : inputs[0],
                                                   args[1]->asTensor()));
  TSC_ASSIGN_OR_RETURN(int64_t work, ranks->start(group, call, tensors));
  if (tensors->mustDeliver()) {
    auto &installed = context.context().extension<InstalledCollectives>();
    std::lock_guard guard(installed.lock);
    installed.undelivered.emplace(work, tensors);
  } else if (tensors->written().numel()) {
    tensors->written().bumpVersion();
  }
  results[0] = work;
  return okStatus();
}

Status ops::finishCollective(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(auto ranks, ::ranks(context));
  int64_t sender = -1, work = args[0]->toInt();
  auto &installed = context.context().extension<InstalledCollectives>();
  std::shared_ptr<GradientReduction> reduction = installed.reduction(work);
  if (reduction) {
    {
      std::lock_guard guard(installed.lock);
      installed.reductions.erase(work);
    }
    TSC_ASSIGN_OR_RETURN(work, reduction->begin(context));
  }
  std::shared_ptr<Exchanged> tensors = installed.takeUndelivered(work);
  TSC_RETURN_IF_ERROR(finish(context, *ranks, work, sender));
  if (tensors)
    TSC_RETURN_IF_ERROR(tensors->deliver());
  if (reduction)
    TSC_RETURN_IF_ERROR(reduction->deliver());
  if (args[1]->asTensor().numel())
    args[1]->asTensor().bumpVersion();
  results[0] = sender;
  return okStatus();
}

Status ops::ranksOf(CallContext &context, const IValue *const *args, IValue *results) {
  IValue list = makeList(Type::intType());
  if (std::shared_ptr<Collectives> ranks = collectivesOf(context.context()))
    for (int64_t rank : ranks->ranksOf(args[0]->toString()))
      appendToList(list, rank);
  results[0] = std::move(list);
  return okStatus();
}

Status ops::isFinished(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(auto ranks, ::ranks(context));
  int64_t work = args[0]->toInt();
  if (std::shared_ptr<GradientReduction> reduction =
          context.context().extension<InstalledCollectives>().reduction(work)) {
    if (!reduction->exchange()) {
      results[0] = false;
      return okStatus();
    }
    work = *reduction->exchange();
  }
  results[0] = ranks->isFinished(work);
  return okStatus();
}
