//===- RankEngine.cpp - Collectives over a transport ----------------------===//
#include "RankEngine.h"
#include "llvm/ADT/ScopeExit.h"
#include <cstring>
#include <numeric>

using namespace tsc;
using namespace tsc::ranks;
using llvm::StringRef;
using namespace std::chrono_literals;

/// How many messages of an exchange are received at once. A long one is asked for when its beginning has come, and the
/// time until the answer comes is that of others.
static constexpr size_t atOnce = 64;
/// How many bytes of memory stay for the next exchange.
static constexpr size_t largestSpare = 64 << 20;

RankEngine::RankEngine(std::unique_ptr<Transport> opened, double timeout, bool isChecked, Backends backends)
    : transport(std::move(opened)), timeout(timeout), isChecked(isChecked), backends(backends) {
  auto all = std::make_unique<Group>();
  all->name = "0";
  all->index = 1;
  all->self = transport->rank();
  all->ranks.resize(static_cast<size_t>(transport->size()));
  std::iota(all->ranks.begin(), all->ranks.end(), 0);
  groups.emplace("0", std::move(all));
  if (transport->threadsMayChange())
    thread = std::thread([this] { work(); });
}

RankEngine::~RankEngine() {
  (void)end("");
  if (!abandoned->empty())     // Nobody can take back a message,
    (void)abandoned.release(); // and so the memory is the transport's for good.
}

std::string RankEngine::self() const {
  return "rank " + std::to_string(transport->rank()) + " of " + std::to_string(transport->size());
}

RankEngine::Group *RankEngine::find(StringRef name) {
  auto found = groups.find(name.str());
  return found == groups.end() ? nullptr : found->second.get();
}

std::vector<int64_t> RankEngine::ranksOf(StringRef name) {
  std::lock_guard guard(queueLock);
  const bool isBackend = name == "nccl" && !backends.takesHost && backends.onDevice == Backends::OnDevice::Required;
  const Group *group = find(isBackend ? "0" : name);
  if (!group)
    return {};
  std::vector<int64_t> all{group->self};
  all.insert(all.end(), group->ranks.begin(), group->ranks.end());
  return all;
}

StatusOr<std::string> RankEngine::makeGroup(llvm::ArrayRef<int64_t> ranks) {
  std::lock_guard guard(queueLock);
  Group &all = *find("0");
  auto made = std::make_unique<Group>();
  made->name = std::to_string(all.numGroups + 1);
  made->index = static_cast<uint32_t>(all.numGroups + 2);
  for (int64_t rank : ranks) {
    if (rank < 0 || rank >= transport->size() || llvm::is_contained(made->ranks, static_cast<int>(rank)))
      return invalidArgument("new_group: " + llvm::Twine(rank) + " is not the number of one more rank, from 0 to " +
                             llvm::Twine(transport->size() - 1));
    if (rank == transport->rank())
      made->self = static_cast<int>(made->ranks.size());
    made->ranks.push_back(static_cast<int>(rank));
  }
  if (ranks.empty())
    return invalidArgument("new_group: a group has ranks");
  if (made->index >= 4096 || Tags::rest(Tags::of(made->index, true, Tags::largestOfPrograms)) > transport->largestTag())
    return resourceExhausted("new_group: this transport has no tags for more than " + llvm::Twine(made->index - 2) +
                             " groups");
  ++all.numGroups;
  std::string name = made->name;
  groups.emplace(name, std::move(made));
  return name;
}

//===-- What is asked for ------------------------------------------------===//

/// Returns the exchange of tensors that programs name so.
static std::optional<Exchange> exchangeOf(StringRef name) {
  for (int i = 0; i <= static_cast<int>(Exchange::Receive); ++i)
    if (name == nameOf(static_cast<Exchange>(i)))
      return static_cast<Exchange>(i);
  return std::nullopt;
}

/// Returns how many elements go to each rank, or come from it.
static StatusOr<std::vector<size_t>> splitsOf(llvm::ArrayRef<int64_t> asked, int64_t count, int ranks) {
  if (asked.empty()) {
    if (count % ranks != 0)
      return invalidArgument("all_to_all: " + llvm::Twine(count) + " elements cannot be divided among " +
                             llvm::Twine(ranks) + " ranks");
    return std::vector<size_t>(static_cast<size_t>(ranks), static_cast<size_t>(count / ranks));
  }
  std::vector<size_t> splits;
  int64_t sum = 0;
  for (int64_t split : asked) {
    if (split < 0 || split > count - sum)
      return invalidArgument("all_to_all: split sizes do not match the sizes of the tensor");
    splits.push_back(static_cast<size_t>(split));
    sum += split;
  }
  if (sum != count || splits.size() != static_cast<size_t>(ranks))
    return invalidArgument(
        "all_to_all: split sizes do not match the sizes of the tensor, or there is not one for each of " +
        llvm::Twine(ranks) + " ranks");
  return splits;
}

/// Checks how many elements go in and out, and sets what the signature says of them.
Status RankEngine::checkCounts(const Group &group, const CollectiveCall &call, Task &task) const {
  const int64_t ranks = static_cast<int64_t>(group.ranks.size()), in = call.inputCount, out = call.outputCount;
  const bool isPeer = group.self == call.peer;
  bool fits = true;
  task.signature.count = static_cast<uint64_t>(in);
  switch (task.signature.exchange) {
  case Exchange::AllGather: fits = out == in * ranks; break;
  case Exchange::ReduceScatter: fits = in == out * ranks; break;
  case Exchange::Gather: fits = !isPeer || out == in * ranks; break;
  case Exchange::Scatter:
    fits = !isPeer || in == out * ranks;
    task.signature.count = static_cast<uint64_t>(out);
    break;
  case Exchange::AllToAll: {
    task.signature.count = 0;
    TSC_ASSIGN_OR_RETURN(task.inputSplits, splitsOf(call.inputSplits, in, static_cast<int>(ranks)));
    TSC_ASSIGN_OR_RETURN(task.outputSplits, splitsOf(call.outputSplits, out, static_cast<int>(ranks)));
    break;
  }
  default: fits = in == out; break;
  }
  return fits ? okStatus()
              : invalidArgument(call.name + ": the input has " + llvm::Twine(in) + " elements and the output " +
                                llvm::Twine(out) + ", which does not fit a group of " + llvm::Twine(ranks));
}

StatusOr<Task> RankEngine::taskOf(const Group &group, const CollectiveCall &call) const {
  Task task;
  const std::optional<Exchange> exchange = exchangeOf(call.name);
  if (!exchange)
    return invalidArgument("ranks have no '" + call.name + "'");
  task.signature.exchange = *exchange;
  task.signature.dtype = call.dtype;
  if (elementSize(call.dtype) == 0)
    return invalidArgument(call.name + ": ranks do not exchange tensors of " + pythonName(call.dtype));
  if (*exchange == Exchange::AllReduce || *exchange == Exchange::Reduce || *exchange == Exchange::ReduceScatter) {
    TSC_ASSIGN_OR_RETURN(task.signature.op, combineOpOf(call.reduceOp, call.dtype));
  }
  const bool isToOne = *exchange == Exchange::Send || *exchange == Exchange::Receive;
  const int64_t least = *exchange == Exchange::Receive ? -1 : 0;
  if (call.peer < least || call.peer >= static_cast<int64_t>(group.ranks.size()))
    return invalidArgument(call.name + ": there is no rank " + llvm::Twine(call.peer) + " in a group of " +
                           llvm::Twine(group.ranks.size()));
  if (isToOne && call.peer == group.self)
    return invalidArgument(call.name + ": a rank does not send to itself");
  if (isToOne && (call.tag < 0 || call.tag > Tags::largestOfPrograms ||
                  Tags::rest(Tags::of(group.index, true, call.tag)) > transport->largestTag()))
    return invalidArgument(call.name + ": a tag is from 0 to " + llvm::Twine(Tags::largestOfPrograms) +
                           ", or less where the transport has not as many");
  task.signature.peer = isToOne ? 0 : static_cast<int32_t>(call.peer);
  TSC_RETURN_IF_ERROR(checkCounts(group, call, task));
  task.input = static_cast<const char *>(call.input);
  task.output = static_cast<char *>(call.output);
  task.inputCount = static_cast<size_t>(call.inputCount);
  task.outputCount = static_cast<size_t>(call.outputCount);
  return task;
}

/// Returns a group that this process is in, for an exchange that begins now.
StatusOr<RankEngine::Group *> RankEngine::memberOf(StringRef name) {
  if (isEnding)
    return failedPrecondition("the process group was destroyed");
  TSC_RETURN_IF_ERROR(failure);
  Group *group = find(name);
  if (!group)
    return invalidArgument("there is no group '" + name + "'");
  if (group->self < 0)
    return invalidArgument(self() + " is not in group '" + name + "'");
  return group;
}

/// Lets an exchange of all ranks of the group begin when those before it are over. Returns its number.
int64_t RankEngine::enqueue(Group &group, std::shared_ptr<Job> job) {
  job->group = &group;
  job->deadline = deadline();
  const Exchange exchange = job->task.signature.exchange;
  pending.emplace(++lastNumber, job);
  if (exchange == Exchange::Send || exchange == Exchange::Receive) {
    posted.push_back(std::move(job));
  } else {
    job->tag = Tags::of(group.index, false, 0);
    job->task.signature.sequence = group.sequence++;
    queue.push_back(std::move(job));
  }
  ++numActive;
  wake.notify_one();
  return lastNumber;
}

/// Refuses elements in the processor's memory that the program wants to be on a device. Messages between two ranks have
/// tags, and may be of any rank, which devices' libraries do not know: they go as copies.
Status RankEngine::checkPlace(const Group &group, const CollectiveCall &call) const {
  if (call.device || call.name == "barrier")
    return okStatus();
  if (call.isCopy && (call.name == "send" || call.name == "recv" || backends.onDevice != Backends::OnDevice::Required))
    return okStatus();
  if (call.isCopy)
    return invalidArgument(call.name + ": " + (group.device ? group.device->name() : "the device") + " has no " +
                           (call.reduceOp.empty() ? "exchange" : call.reduceOp) + " of " + pythonName(call.dtype) +
                           "; the backend \"mpi\" exchanges such tensors through the processor's memory");
  if (!backends.takesHost)
    return invalidArgument(call.name + ": this backend exchanges tensors on a GPU alone, and this one is on the "
                                       "processor; the backend \"mpi\", or \"cpu:mpi,cuda:nccl\", exchanges both");
  return okStatus();
}

StatusOr<int64_t> RankEngine::start(StringRef name, const CollectiveCall &call, std::shared_ptr<void> memory) {
  std::shared_ptr<DevicePoint> point;
  if (call.device) {
    TSC_ASSIGN_OR_RETURN(point, call.device->point());
  }
  std::lock_guard guard(queueLock);
  TSC_ASSIGN_OR_RETURN(Group * group, memberOf(name));
  Status place = checkPlace(*group, call);
  StatusOr<Task> task = place.ok() ? taskOf(*group, call) : place;
  if (!task.ok())
    return withContext(task.status(), self() + ": ");
  assert((!call.device || call.device == group->device) && "the device has joined those of the group");
  auto job = std::make_shared<Job>();
  job->task = *std::move(task);
  job->buffers.memory = std::move(memory);
  job->device = call.device;
  job->point = std::move(point);
  job->reduceOp = call.reduceOp.str();
  const Exchange exchange = job->task.signature.exchange;
  if (exchange == Exchange::Send || exchange == Exchange::Receive) {
    job->tag = Tags::of(group->index, true, call.tag);
    job->sender = call.peer; // until it is known
  }
  return enqueue(*group, std::move(job));
}

//===-- How it is done ---------------------------------------------------===//

/// The engine, as one exchange of a group sees it.
class RankEngine::GroupLink final : public Link {
public:
  GroupLink(RankEngine &engine, Job &job) : engine(engine), job(job) {}
  int rank() const override { return job.group->self; }
  int size() const override { return static_cast<int>(job.group->ranks.size()); }
  Status exchange(const Signature &signature, llvm::ArrayRef<Piece> sends, llvm::ArrayRef<Piece> receives) override {
    Transport &transport = *engine.transport;
    std::vector<Incoming> &incoming = job.buffers.incoming;
    std::vector<Outgoing> &outgoing = job.buffers.outgoing;
    incoming.clear();
    outgoing.clear();
    for (const Piece &piece : receives) {
      TSC_ASSIGN_OR_RETURN(incoming.emplace_back(), Incoming::start(transport, signature, piece.data, piece.bytes,
                                                                    processOf(piece.rank), job.tag));
    }
    for (const Piece &piece : sends) {
      TSC_ASSIGN_OR_RETURN(outgoing.emplace_back(), Outgoing::start(transport, signature, piece.data, piece.bytes,
                                                                    processOf(piece.rank), job.tag));
    }
    size_t received = 0, sent = 0;
    return engine.waitFor(
        [&]() -> StatusOr<bool> {
          bool isInOrder = true;
          for (size_t i = received; i != incoming.size() && i < received + atOnce; ++i) {
            TSC_ASSIGN_OR_RETURN(bool isDone, incoming[i].advance(transport));
            isInOrder &= isDone;
            received += isInOrder;
          }
          for (; sent != outgoing.size(); ++sent) {
            TSC_ASSIGN_OR_RETURN(bool isDone, outgoing[sent].advance(transport));
            if (!isDone)
              break;
          }
          return received == incoming.size() && sent == outgoing.size();
        },
        job,
        [&] {
          const int missing = received != incoming.size() ? processOf(receives[received].rank)
                              : sent != outgoing.size()   ? processOf(sends[sent].rank)
                                                          : -1;
          return "for rank " + std::to_string(missing) + " in " + job.task.signature.str();
        });
  }

  char *allocate(size_t bytes) override {
    std::vector<Scratch> &all = job.buffers.scratch;
    Scratch &largest = engine.spare;
    if (largest.size >= bytes && bytes != 0)
      all.push_back(std::exchange(largest, Scratch()));
    else
      all.push_back({std::unique_ptr<char[]>(new char[bytes]), bytes});
    return all.back().bytes.get();
  }

private:
  int processOf(int rank) const { return job.group->ranks[static_cast<size_t>(rank)]; }
  RankEngine &engine;
  Job &job;
};

/// Waits until `isDone`, and lets messages go on meanwhile. `what` says what it waits for.
Status RankEngine::waitFor(llvm::function_ref<StatusOr<bool>()> isDone, const Job &job,
                           llvm::function_ref<std::string()> what) {
  for (uint64_t turn = 0;; ++turn) {
    TSC_ASSIGN_OR_RETURN(bool done, isDone());
    if (done)
      return okStatus();
    advanceMessages();
    TSC_RETURN_IF_ERROR(advanceDevices());
    if (mustCheck()) {
      TSC_RETURN_IF_ERROR(checkOthers());
      TSC_RETURN_IF_ERROR(checkEnded([&](int rank) { return llvm::is_contained(job.group->ranks, rank); }));
      if (interrupt)
        TSC_RETURN_IF_ERROR(interrupt());
      if (isAborting)
        return aborted("this rank failed");
      if (Clock::now() > job.deadline)
        return aborted("timed out after " + shortString(timeout) + " s waiting " + what());
    }
    pause(turn);
  }
}

/// Gives the processor away, for longer the longer nothing has happened: another rank may need it. Where nobody waits
/// for an exchange, the program's own thread does, which computes meanwhile.
void RankEngine::pause(uint64_t turn) const {
  if (numWaiting.load(std::memory_order_relaxed) == 0 && turn > 20)
    std::this_thread::sleep_for(200us);
  else if (turn > 20000)
    std::this_thread::sleep_for(50us);
  else if (turn > 100)
    std::this_thread::yield();
}

/// Returns what another process told, if one did.
StatusOr<std::optional<RankEngine::Word>> RankEngine::receiveWord() {
  TSC_ASSIGN_OR_RETURN(bool isThere, transport->probe(Tags::control));
  if (!isThere)
    return std::optional<Word>();
  std::unique_ptr<char[]> bytes(new char[firstBytes]);
  TSC_ASSIGN_OR_RETURN(Transport::Request request, transport->receive(bytes.get(), firstBytes, -1, Tags::control));
  Transport::Received received;
  for (bool isDone = false; !isDone;) {
    TSC_ASSIGN_OR_RETURN(isDone, transport->test(request, received));
  }
  Header header;
  if (received.bytes < sizeof header)
    return dataLoss("a rank sent what is no message of tsc");
  std::memcpy(&header, bytes.get(), sizeof header);
  ended.try_emplace(received.from, Clock::now());
  return std::optional<Word>(Word{header.signature.exchange, received.from,
                                  std::string(bytes.get() + sizeof header, received.bytes - sizeof header)});
}

/// Whether it is time to see what other processes tell. Where processors are few, a turn of a loop that waits is long.
bool RankEngine::mustCheck() {
  const Clock::time_point now = Clock::now();
  if (now - lastCheck < 500us)
    return false;
  lastCheck = now;
  return true;
}

/// Fails where another process told that it failed.
Status RankEngine::checkOthers() {
  TSC_ASSIGN_OR_RETURN(std::optional<Word> word, receiveWord());
  if (word && word->what == Exchange::Failure)
    return aborted("rank " + llvm::Twine(word->from) + " failed: " + word->text);
  return okStatus();
}

/// Fails where a process that is needed takes part no longer.
Status RankEngine::checkEnded(llvm::function_ref<bool(int)> isNeeded) const {
  for (const auto &[rank, since] : ended) // what it sent before may be under way for a moment
    if (Clock::now() - since > 300ms && isNeeded(rank))
      return aborted("rank " + llvm::Twine(rank) + " takes part no longer: its program has ended");
  return okStatus();
}

/// Ends messages that other processes will never send or take.
void RankEngine::failMessages() {
  const Status others = checkOthers();
  if (!launched.empty() && !others.ok())
    (void)failDevices(others);
  for (size_t i = 0; i < messages.size();) {
    Job &job = *messages[i];
    const int process = job.incoming() ? job.incoming()->from() : job.group->ranks[static_cast<size_t>(job.sender)];
    Status status = others.ok() ? checkEnded([&](int rank) { return rank == process; }) : others;
    if (status.ok() && isAborting)
      status = aborted("this rank failed");
    if (status.ok()) {
      ++i;
      continue;
    }
    finishJob(job, status);
    messages.erase(messages.begin() + static_cast<ptrdiff_t>(i));
  }
}

void RankEngine::finishJob(Job &job, Status status, int64_t sender) {
  std::lock_guard guard(queueLock);
  if (!status.ok()) {
    if (failure.ok())
      failure = withContext(status, self() + ": ");
    status = failure; // which is that of all others from now on
  }
  job.status = std::move(status);
  job.sender = sender;
  if (!job.status.ok())
    abandoned->push_back(std::move(job.buffers));
  job.buffers = {};
  job.isDone.store(true, std::memory_order_release);
  --numActive;
  done.notify_all();
}

/// Makes an exchange of what is in the processor's memory.
Status RankEngine::runOnHost(Link &link, Job &job) const {
  if (isChecked)
    TSC_RETURN_IF_ERROR(compareSignatures(link, job.task.signature));
  return ranks::run(link, job.task);
}

/// Makes an exchange of a group.
void RankEngine::run(const std::shared_ptr<Job> &next) {
  Job &job = *next;
  Status status;
  {
    std::lock_guard guard(queueLock);
    status = failure;
  }
  GroupLink link(*this, job);
  if (status.ok() && job.task.signature.exchange == Exchange::Join)
    status = join(link, job);
  else if (status.ok() && job.point)
    status = launchOnDevice(link, job);
  else if (status.ok())
    status = runOnHost(link, job);
  if (status.ok()) // memory that was just used is faster than what the system gives
    for (Scratch &scratch : job.buffers.scratch)
      if (scratch.size > spare.size && scratch.size <= largestSpare)
        std::swap(spare, scratch);
  if (status.ok() && job.work)
    launched.push_back(next);
  else
    finishJob(job, std::move(status));
}

Status RankEngine::beginMessage(Job &job) {
  const Task &task = job.task;
  const bool isReceived = task.signature.exchange == Exchange::Receive;
  const int process = job.sender < 0 ? -1 : job.group->ranks[static_cast<size_t>(job.sender)];
  const size_t bytes = task.inputCount * elementSize(task.signature.dtype);
  if (isReceived) {
    TSC_ASSIGN_OR_RETURN(job.buffers.incoming.emplace_back(),
                         Incoming::start(*transport, task.signature, task.output, bytes, process, job.tag));
  } else {
    TSC_ASSIGN_OR_RETURN(job.buffers.outgoing.emplace_back(),
                         Outgoing::start(*transport, task.signature, task.input, bytes, process, job.tag));
  }
  return okStatus();
}

/// Lets a message go on. Returns whether it is over.
bool RankEngine::advanceMessage(size_t number) {
  Job &job = *messages[number];
  Incoming *incoming = job.incoming();
  // The second half of a message is asked for in the order in which first halves came.
  bool mustWait = false;
  for (size_t before = 0; incoming && !incoming->hasHeader() && before != number; ++before) {
    const Incoming *other = messages[before]->incoming();
    mustWait |= other && !other->hasHeader() && other->tag() == incoming->tag() &&
                (other->from() < 0 || incoming->from() < 0 || other->from() == incoming->from());
  }
  StatusOr<bool> isDone = mustWait   ? StatusOr<bool>(false)
                          : incoming ? incoming->advance(*transport)
                                     : job.buffers.outgoing.front().advance(*transport);
  if (isDone.ok() && !*isDone) {
    if (Clock::now() <= job.deadline)
      return false;
    isDone = aborted("timed out after " + shortString(timeout) + " s waiting in " + job.task.signature.str());
  }
  int64_t sender = -1;
  if (incoming && isDone.ok())
    for (size_t place = 0; place != job.group->ranks.size(); ++place)
      if (job.group->ranks[place] == incoming->from())
        sender = static_cast<int64_t>(place);
  finishJob(job, isDone.ok() ? okStatus() : isDone.status(), sender);
  return true;
}

/// Lets messages between two ranks go on. Returns whether one was done.
bool RankEngine::advanceMessages() {
  if (numActive.load(std::memory_order_relaxed) == 0)
    return false;
  std::deque<std::shared_ptr<Job>> fresh;
  {
    std::lock_guard guard(queueLock);
    fresh.swap(posted);
  }
  bool isAnyDone = false;
  for (auto &job : fresh) {
    if (Status status = beginMessage(*job); status.ok())
      messages.push_back(std::move(job));
    else
      finishJob(*job, status);
  }
  for (size_t i = 0; i < messages.size();) {
    if (!advanceMessage(i)) {
      ++i;
      continue;
    }
    messages.erase(messages.begin() + static_cast<ptrdiff_t>(i));
    isAnyDone = true;
  }
  return isAnyDone;
}

/// Does a part of what there is to do: an exchange, or what messages allow. Returns whether anything was done.
bool RankEngine::step() {
  bool isProgress = advanceMessages();
  const size_t before = launched.size();
  (void)advanceDevices(); // whose failure is that of all exchanges from now on
  isProgress |= launched.size() != before;
  std::shared_ptr<Job> next;
  {
    std::lock_guard guard(queueLock);
    if (!queue.empty()) {
      next = std::move(queue.front());
      queue.pop_front();
    }
  }
  if (next)
    run(next);
  if (!isProgress && !next && mustCheck())
    failMessages();
  return isProgress || next;
}

/// What the engine's thread does.
void RankEngine::work() {
  for (uint64_t idle = 0;;) {
    {
      std::unique_lock lock(queueLock);
      wake.wait(lock, [&] { return isEnding || numActive != 0; });
      if (isEnding && (numActive == 0 || isAborting))
        return;
    }
    std::unique_lock lock(transportLock, std::try_to_lock);
    if (!lock) { // who waits does the work
      std::this_thread::sleep_for(200us);
      continue;
    }
    idle = step() ? 0 : idle + 1;
    lock.unlock();
    pause(idle);
  }
}

StatusOr<int64_t> RankEngine::finish(int64_t work, llvm::function_ref<Status()> asked) {
  std::shared_ptr<Job> job;
  {
    std::lock_guard guard(queueLock);
    auto found = pending.find(work);
    if (found == pending.end())
      return invalidArgument("there is no exchange " + llvm::Twine(work) + " to wait for");
    job = found->second;
  }
  ++numWaiting;
  auto waited = llvm::make_scope_exit([&] { --numWaiting; });
  // What a device has been told needs nobody who waits, but a thread that sees whether the others go on.
  auto isOver = [&] { return job->isDone || (thread.joinable() && job->isLaunched); };
  for (uint64_t turn = 0; !isOver(); ++turn) {
    if (std::unique_lock lock(transportLock, std::try_to_lock); lock) {
      interrupt = asked;
      step();
      interrupt = nullptr;
    } else {
      std::unique_lock waiting(queueLock);
      done.wait_for(waiting, 200us);
    }
    if (asked)
      TSC_RETURN_IF_ERROR(asked());
    if (turn > 10000)
      std::this_thread::sleep_for(50us);
    else if (turn > 100)
      std::this_thread::yield();
  }
  const Status followed = job->isDone ? okStatus() : job->work->follow();
  std::lock_guard guard(queueLock);
  pending.erase(work);
  TSC_RETURN_IF_ERROR(job->isDone ? job->status : followed);
  return job->sender;
}

bool RankEngine::isFinished(int64_t work) {
  std::shared_ptr<Job> job;
  {
    std::lock_guard guard(queueLock);
    auto found = pending.find(work);
    if (found == pending.end())
      return true;
    job = found->second;
  }
  if (!job->isDone && !thread.joinable()) // nobody else lets it go on
    if (std::unique_lock lock(transportLock, std::try_to_lock); lock)
      step();
  return job->isDone.load(std::memory_order_acquire);
}

//===-- The end ----------------------------------------------------------===//

/// Sends a word to all other ranks, and waits for a moment until it is gone.
void RankEngine::tellOthers(Exchange what, StringRef text) {
  Signature signature;
  signature.exchange = what;
  text = text.take_front(inlineBytes);
  std::vector<Outgoing> words;
  for (int rank = 0; rank != transport->size(); ++rank)
    if (rank != transport->rank())
      if (auto word = Outgoing::start(*transport, signature, text.data(), text.size(), rank, Tags::control); word.ok())
        words.push_back(*std::move(word));
  const Clock::time_point until = Clock::now() + 300ms;
  for (size_t i = 0; i != words.size() && Clock::now() < until;) {
    StatusOr<bool> isSent = words[i].advance(*transport);
    if (!isSent.ok() || *isSent)
      ++i;
    else
      std::this_thread::yield();
  }
}

/// Tells the other processes why all end, and ends them, once they have had time to say so.
void RankEngine::endAll(StringRef message) {
  isAborting = true;
  std::lock_guard guard(transportLock);
  tellOthers(Exchange::Failure, message);
  const Clock::time_point until = Clock::now() + 800ms;
  while (Clock::now() < until && ended.size() + 1 < static_cast<size_t>(transport->size()))
    if (StatusOr<std::optional<Word>> word = receiveWord(); !word.ok() || !*word)
      std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(100ms); // in which launchers pass on what was printed
  transport->abort();
}

/// Ends this process's part when all others end theirs.
Status RankEngine::close() {
  std::lock_guard guard(transportLock);
  TSC_RETURN_IF_ERROR(leaveDevices());
  tellOthers(Exchange::End, "");
  while (ended.size() + 1 < static_cast<size_t>(transport->size())) {
    TSC_RETURN_IF_ERROR(checkOthers());
    std::this_thread::sleep_for(200us);
  }
  return transport->close();
}

Status RankEngine::end(StringRef message) {
  Status known;
  {
    std::lock_guard guard(queueLock);
    if (std::exchange(isEnding, true))
      return okStatus();
    known = failure;
    wake.notify_all();
  }
  if (!message.empty() || !known.ok())
    endAll(message.empty() ? messageOf(known) : message);
  while (!isAborting && numActive != 0)
    if (std::unique_lock lock(transportLock, std::try_to_lock); lock)
      step();
    else
      std::this_thread::yield();
  if (thread.joinable())
    thread.join();
  {
    std::lock_guard guard(queueLock);
    known = failure;
  }
  if (isAborting)
    return known;
  if (!known.ok()) { // of what was finished here
    endAll(messageOf(known));
    return known;
  }
  return close();
}
