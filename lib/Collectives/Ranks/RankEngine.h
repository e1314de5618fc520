//===- RankEngine.h - Collectives over a transport --------------*- C++ -*-===//
//
// Exchanges of groups are made one after the other, in the order in which they were
// started; what one rank sends another goes on beside them. Both are done by a thread
// of the engine, where the transport allows that, or by whoever waits. Tensors on devices
// are exchanged by a library of the device, where the backend and all ranks allow that.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_COLLECTIVES_RANKS_RANKENGINE_H
#define TSC_LIB_COLLECTIVES_RANKS_RANKENGINE_H

#include "Algorithms.h"
#include "Backends.h"
#include "tsc/Runtime/Dispatch/DeviceCollectives.h"
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace tsc::ranks {

/// The ranks of one transport, as operators ask for them.
class RankEngine final : public Collectives {
public:
  RankEngine(std::unique_ptr<Transport> transport, double timeout, bool isChecked, Backends backends = {});
  ~RankEngine() override;

  std::vector<int64_t> ranksOf(llvm::StringRef group) override;
  StatusOr<std::string> makeGroup(llvm::ArrayRef<int64_t> ranks) override;
  StatusOr<bool> joinDevice(llvm::StringRef group, const DeviceCollectivesOrWhy &device,
                            llvm::function_ref<Status()> interrupt) override;
  StatusOr<int64_t> start(llvm::StringRef group, const CollectiveCall &call, std::shared_ptr<void> memory) override;
  StatusOr<int64_t> finish(int64_t work, llvm::function_ref<Status()> interrupt) override;
  bool isFinished(int64_t work) override;
  Status end(llvm::StringRef failure) override;

private:
  using Clock = std::chrono::steady_clock;
  struct Group {
    std::string name;
    uint32_t index;         ///< The number that its messages have in their tags, from 1.
    std::vector<int> ranks; ///< The numbers of its processes in the transport, in the order of its ranks.
    int self = -1;          ///< This process's place, or -1.
    uint64_t sequence = 0;
    uint64_t numGroups = 0; ///< How many groups were made of all; of group "0" alone.
    bool isJoining = false; ///< Whether a thread waits for the answer of joinDevice().
    enum class Devices : uint8_t { Unknown, Connected, Apart } devices = Devices::Unknown;
    Status whyApart;
    std::shared_ptr<DeviceCollectives> device;        ///< This rank's, where devices are connected.
    std::unique_ptr<DeviceCommunicator> communicator; ///< The one who uses the transport uses it.
  };
  /// Memory for what other ranks send, before it is combined.
  struct Scratch {
    std::unique_ptr<char[]> bytes;
    size_t size = 0;
  };
  /// What a transport may read and write until an exchange is over.
  struct Buffers {
    std::shared_ptr<void> memory; ///< The caller's.
    std::vector<Scratch> scratch;
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
  };
  struct Job {
    Group *group;
    Task task;
    int tag = 0;
    Buffers buffers;
    DeviceCollectivesOrWhy device =
        std::shared_ptr<DeviceCollectives>(); ///< What a Join connects, or what exchanges; or null.
    std::unique_ptr<DeviceWork> work;         ///< What a device's library has begun; set before isLaunched.
    std::shared_ptr<DevicePoint> point;       ///< What a device's exchange comes after; null for others.
    std::string reduceOp;                     ///< The name by which the program gave it.
    /// Returns the message that a "recv" waits for, or null.
    Incoming *incoming() { return task.signature.exchange == Exchange::Receive ? &buffers.incoming.front() : nullptr; }
    Clock::time_point deadline;
    std::atomic<bool> isLaunched{false}; ///< Whether a device has been told all that it has to do.
    std::atomic<bool> isDone{false};
    Status status;       ///< Set before isDone.
    int64_t sender = -1; ///< The rank that sent what was received, or -1; set before isDone.
  };
  class GroupLink;

  Group *find(llvm::StringRef name);
  /// Returns when something that begins now has waited too long for others.
  Clock::time_point deadline() const {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout));
  }
  StatusOr<Group *> memberOf(llvm::StringRef name);
  int64_t enqueue(Group &group, std::shared_ptr<Job> job);
  Status checkPlace(const Group &group, const CollectiveCall &call) const;
  using Answer = std::optional<StatusOr<bool>>;
  /// Returns what joinDevice() answers, or nothing where the ranks of the group have not told each other yet.
  Answer answerOf(const Group &group, const DeviceCollectivesOrWhy &device) const;
  Status join(Link &link, Job &job);
  Status launchOnDevice(Link &link, Job &job);
  Status advanceDevices();
  Status failDevices(const Status &why);
  Status runOnHost(Link &link, Job &job) const;
  Status leaveDevices();
  StatusOr<Task> taskOf(const Group &group, const CollectiveCall &call) const;
  Status checkCounts(const Group &group, const CollectiveCall &call, Task &task) const;
  void work();
  void pause(uint64_t turn) const;
  bool step();
  bool hasWork();
  void run(const std::shared_ptr<Job> &next);
  void finishJob(Job &job, Status status, int64_t sender = -1);
  Status beginMessage(Job &job);
  bool advanceMessage(size_t number);
  bool advanceMessages();
  Status waitFor(llvm::function_ref<StatusOr<bool>()> isDone, const Job &job, llvm::function_ref<std::string()> what);
  bool mustCheck();
  Status checkOthers();
  Status checkEnded(llvm::function_ref<bool(int)> isNeeded) const;
  void failMessages();
  /// What another process tells of itself.
  struct Word {
    Exchange what; ///< Failure or End.
    int from;
    std::string text;
  };
  StatusOr<std::optional<Word>> receiveWord();
  Status close();
  void endAll(llvm::StringRef message);
  void tellOthers(Exchange what, llvm::StringRef text);
  std::string self() const;

  std::mutex queueLock; ///< Guards the members up to the next lock.
  std::condition_variable wake, done;
  std::deque<std::shared_ptr<Job>> queue;          ///< Exchanges of groups that have not begun.
  std::deque<std::shared_ptr<Job>> posted;         ///< Messages that have not begun.
  std::map<int64_t, std::shared_ptr<Job>> pending; ///< Those that somebody will wait for.
  std::map<std::string, std::unique_ptr<Group>, std::less<>> groups;
  int64_t lastNumber = 0;
  bool isEnding = false;
  Status failure; ///< The failure of an exchange, after which all others fail.

  /// Those of exchanges that failed, of which messages may be under way.
  std::unique_ptr<std::vector<Buffers>> abandoned = std::make_unique<std::vector<Buffers>>();

  std::mutex transportLock; ///< Guards the members below; taken before the other lock.
  const std::unique_ptr<Transport> transport;
  Scratch spare;                              ///< Memory of an exchange that is over, for the next one.
  std::vector<std::shared_ptr<Job>> messages; ///< The messages between two ranks that are under way.
  std::vector<std::shared_ptr<Job>> launched; ///< The exchanges that devices have not finished.
  std::map<int, Clock::time_point> ended;     ///< Which processes take part no longer, and since when it is known.
  llvm::function_ref<Status()> interrupt; ///< What ends the wait of the thread that uses the transport; may be empty.
  Clock::time_point lastCheck;            ///< When it was seen what others tell.

  const double timeout;
  const bool isChecked;
  const Backends backends;
  std::atomic<int> numActive{0};       ///< Jobs that are not done.
  std::atomic<int> numWaiting{0};      ///< Threads that wait for one.
  std::atomic<bool> isAborting{false}; ///< Whether this process failed: nothing is waited for any more.
  std::thread thread;
};

} // namespace tsc::ranks

#endif
