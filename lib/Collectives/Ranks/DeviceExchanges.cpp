//===- DeviceExchanges.cpp - What a device's library exchanges ------------===//
//
// Before the first exchange of a group's devices, each rank tells all others what device
// it has, or why none. Where all have one of their own, they join a communicator of the
// device's library, whose id goes from rank 0 to the others over the transport.
//
// A library such as NCCL does not say that ranks do different things: it waits for ever,
// or writes what is no result. So ranks compare each exchange over the transport before.
//
//===----------------------------------------------------------------------===//
#include "RankEngine.h"
#include <cstring>

using namespace tsc;
using namespace tsc::ranks;
using llvm::StringRef;

namespace {
/// What a rank says of its device, or rank 0 of the id that all join by.
struct Told {
  bool isThere = false;
  uint32_t size = 0;
  char text[512] = {}; ///< The device's identity or the id; or why there is none.

  void set(bool there, StringRef what) {
    what = what.take_front(sizeof text);
    isThere = there;
    size = static_cast<uint32_t>(what.size());
    std::memcpy(text, what.data(), what.size());
  }
  StringRef str() const { return {text, std::min<size_t>(size, sizeof text)}; }
};

/// What a rank is about to do, as another one is told.
struct Offer {
  Signature signature;
  uint64_t given = 0; ///< How many elements of all_to_all the other one gets.
};
} // namespace

static Told toldOf(const StatusOr<std::string> &text) {
  Told told;
  told.set(text.ok(), text.ok() ? StringRef(*text) : messageOf(text.status()));
  return told;
}

/// Returns why the devices of a group cannot exchange tensors: one is missing, or two ranks have the same.
static Status checkDevices(llvm::ArrayRef<Told> all, StringRef library) {
  for (size_t rank = 0; rank != all.size(); ++rank)
    if (!all[rank].isThere)
      return failedPrecondition("rank " + llvm::Twine(rank) + " of the group: " + all[rank].str());
  for (size_t rank = 0; rank != all.size(); ++rank)
    for (size_t other = 0; other != rank; ++other)
      if (all[other].str() == all[rank].str())
        return failedPrecondition("ranks " + llvm::Twine(other) + " and " + llvm::Twine(rank) +
                                  " of the group have one GPU, and " + library + " wants one for each");
  return okStatus();
}

RankEngine::Answer RankEngine::answerOf(const Group &group, const DeviceCollectivesOrWhy &device) const {
  if (group.devices == Group::Devices::Unknown)
    return std::nullopt;
  if (group.devices == Group::Devices::Apart)
    return backends.onDevice == Backends::OnDevice::Required ? StatusOr<bool>(group.whyApart) : StatusOr<bool>(false);
  if (!device.ok() || *device != group.device)
    return StatusOr<bool>(invalidArgument(
        "a rank exchanges tensors of one GPU, that of its first exchange; init_process_group(\"cpu:mpi,cuda:mpi\") "
        "exchanges those of all, through the processor's memory"));
  return StatusOr<bool>(true);
}

StatusOr<bool> RankEngine::joinDevice(StringRef name, const DeviceCollectivesOrWhy &device,
                                      llvm::function_ref<Status()> asked) {
  if (backends.onDevice == Backends::OnDevice::Never)
    return false;
  int64_t work = 0;
  {
    std::unique_lock guard(queueLock);
    TSC_ASSIGN_OR_RETURN(Group * group, memberOf(name));
    while (group->isJoining) // for another thread of this rank
      done.wait_for(guard, std::chrono::milliseconds(1));
    if (const Answer known = answerOf(*group, device))
      return *known;
    group->isJoining = true;
    auto job = std::make_shared<Job>();
    job->task.signature.exchange = Exchange::Join;
    job->device = device;
    work = enqueue(*group, std::move(job));
  }
  Status joined = finish(work, asked).status();
  std::lock_guard guard(queueLock);
  Group &group = *find(name);
  group.isJoining = false;
  TSC_RETURN_IF_ERROR(joined);
  return *answerOf(group, device);
}

/// Gives all ranks of the group what each one says.
static StatusOr<std::vector<Told>> tellAll(Link &link, Signature signature, const Told &own, uint8_t step) {
  signature.step = step;
  std::vector<Piece> sends, receives;
  auto *told = reinterpret_cast<Told *>(link.allocate((static_cast<size_t>(link.size()) + 1) * sizeof(Told)));
  Told *sent = &told[link.size()];
  *sent = own;
  for (int i = 1; i < link.size(); ++i) {
    const int other = (link.rank() + i) % link.size();
    sends.push_back({other, sent, sizeof *sent});
    receives.push_back({other, &told[other], sizeof *sent});
  }
  TSC_RETURN_IF_ERROR(link.exchange(signature, sends, receives));
  told[link.rank()] = own;
  return std::vector<Told>(told, told + link.size());
}

/// Connects the devices of a group, or finds why that cannot be.
Status RankEngine::join(Link &link, Job &job) {
  const StatusOr<std::string> identity = job.device.ok() ? (*job.device)->identity() : job.device.status();
  const Signature &signature = job.task.signature;
  TSC_ASSIGN_OR_RETURN(std::vector<Told> all, tellAll(link, signature, toldOf(identity), 0));
  Status why = checkDevices(all, job.device.ok() ? (*job.device)->name() : "");
  std::unique_ptr<DeviceCommunicator> communicator;
  if (why.ok()) {
    Told id;
    if (link.rank() == 0)
      id = toldOf((*job.device)->makeId());
    TSC_ASSIGN_OR_RETURN(all, tellAll(link, signature, id, 1));
    if (!all[0].isThere)
      return failedPrecondition("rank 0 of the group: " + all[0].str());
    TSC_ASSIGN_OR_RETURN(communicator, (*job.device)->join(all[0].str(), link.size(), link.rank()));
    TSC_RETURN_IF_ERROR(
        waitFor([&] { return communicator->isJoined(); }, job,
                [&] { return "for " + (*job.device)->name().str() + " to connect the GPUs of the group"; }));
  }
  std::lock_guard guard(queueLock);
  job.group->devices = why.ok() ? Group::Devices::Connected : Group::Devices::Apart;
  job.group->whyApart = withContext(why, "tensors on a GPU cannot be exchanged without copies: ");
  job.group->device = why.ok() ? *job.device : nullptr;
  job.group->communicator = std::move(communicator);
  return okStatus();
}

/// Makes sure that all ranks of the group are about to do the same, and give each other what they expect.
static Status compareOffers(Link &link, const Task &task) {
  Signature comparison; // which fits whatever the others are about to do on their devices
  comparison.exchange = Exchange::OnDevice;
  comparison.sequence = task.signature.sequence;
  const auto ranks = static_cast<size_t>(link.size());
  auto *given = reinterpret_cast<Offer *>(link.allocate(2 * ranks * sizeof(Offer)));
  Offer *taken = given + ranks;
  std::vector<Piece> sends, receives;
  for (size_t i = 1; i < ranks; ++i) {
    const size_t other = (static_cast<size_t>(link.rank()) + i) % ranks;
    given[other] = {task.signature, task.inputSplits.empty() ? 0 : task.inputSplits[other]};
    sends.push_back({static_cast<int>(other), &given[other], sizeof(Offer)});
    receives.push_back({static_cast<int>(other), &taken[other], sizeof(Offer)});
  }
  TSC_RETURN_IF_ERROR(link.exchange(comparison, sends, receives));
  for (const Piece &piece : receives) {
    const auto rank = static_cast<size_t>(piece.rank);
    if (taken[rank].signature != task.signature)
      return invalidArgument("rank " + llvm::Twine(rank) + " of the group does " + taken[rank].signature.str() +
                             ", where this rank does " + task.signature.str());
    const uint64_t expected = task.outputSplits.empty() ? 0 : task.outputSplits[rank];
    if (taken[rank].given != expected)
      return invalidArgument("rank " + llvm::Twine(rank) + " of the group gives this rank " +
                             llvm::Twine(taken[rank].given) + " elements in " + task.signature.str() +
                             ", where it expects " + llvm::Twine(expected));
  }
  const auto own = static_cast<size_t>(link.rank());
  if (!task.inputSplits.empty() && task.inputSplits[own] != task.outputSplits[own])
    return invalidArgument("all_to_all: this rank gives itself " + llvm::Twine(task.inputSplits[own]) +
                           " elements, and takes " + llvm::Twine(task.outputSplits[own]));
  return okStatus();
}

/// Lets the devices begin an exchange, when all ranks have come to it.
Status RankEngine::launchOnDevice(Link &link, Job &job) {
  const Task &task = job.task;
  TSC_RETURN_IF_ERROR(compareOffers(link, task));
  if (task.inputCount == 0 && task.outputCount == 0)
    return okStatus();
  const std::vector<int64_t> given(task.inputSplits.begin(), task.inputSplits.end()),
      taken(task.outputSplits.begin(), task.outputSplits.end());
  CollectiveCall call;
  call.name = nameOf(task.signature.exchange);
  call.reduceOp = job.reduceOp;
  call.dtype = task.signature.dtype;
  call.peer = task.signature.peer;
  call.input = task.input;
  call.output = task.output;
  call.inputCount = static_cast<int64_t>(task.inputCount);
  call.outputCount = static_cast<int64_t>(task.outputCount);
  call.inputSplits = given;
  call.outputSplits = taken;
  StatusOr<std::unique_ptr<DeviceWork>> begun = job.group->communicator->begin(call, *job.point);
  Status done = begun.status();
  if (done.ok())
    done = waitFor([&] { return (*begun)->isLaunched(); }, job,
                   [&] { return "for the GPU to begin " + task.signature.str(); });
  if (!done.ok())
    return failDevices(done);
  job.work = *std::move(begun);
  std::lock_guard guard(queueLock);
  job.isLaunched = true;
  this->done.notify_all();
  return okStatus();
}

/// Looks for exchanges that devices have finished. A failure is that of all.
Status RankEngine::advanceDevices() {
  if (launched.empty())
    return okStatus();
  {
    std::unique_lock guard(queueLock);
    if (!failure.ok() || isAborting) {
      const Status why = failure.ok() ? aborted("this rank failed") : failure;
      guard.unlock();
      return failDevices(why);
    }
  }
  while (!launched.empty()) {
    const std::shared_ptr<Job> job = launched.front();
    StatusOr<bool> isOver = job->work->isOver();
    if (isOver.ok() && !*isOver && Clock::now() > job->deadline)
      isOver = aborted("timed out after " + shortString(timeout) + " s waiting for the GPUs in " +
                       job->task.signature.str());
    if (!isOver.ok())
      return failDevices(isOver.status());
    if (!*isOver)
      return okStatus();
    launched.erase(launched.begin());
    finishJob(*job, okStatus());
  }
  return okStatus();
}

/// Gives up what devices were told: what other ranks never come to would keep them busy for ever. Nobody reads what
/// they hold then, as programs may have gone on without waiting.
Status RankEngine::failDevices(const Status &why) {
  std::vector<std::shared_ptr<Job>> given;
  given.swap(launched);
  std::vector<Group *> connected;
  Status told;
  {
    std::lock_guard guard(queueLock);
    if (failure.ok())
      failure = withContext(why, self() + ": ");
    told = failure;
    for (const auto &[name, group] : groups)
      if (group->communicator)
        connected.push_back(group.get());
  }
  for (Group *group : connected) {
    group->device->fail(told);
    group->communicator->abort();
  }
  for (const std::shared_ptr<Job> &job : given)
    finishJob(*job, told);
  return told;
}

/// Ends what connects the devices, as all ranks of each group do.
Status RankEngine::leaveDevices() {
  const Clock::time_point until = deadline();
  for (auto &[name, group] : groups) {
    for (bool isDone = !group->communicator; !isDone;) {
      TSC_ASSIGN_OR_RETURN(isDone, group->communicator->leave());
      if (isDone)
        break;
      TSC_RETURN_IF_ERROR(checkOthers());
      if (Clock::now() > until)
        return aborted("timed out after " + shortString(timeout) + " s waiting for others to leave");
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    group->communicator.reset();
    group->device.reset();
  }
  return okStatus();
}
