//===- FakeNccl.cpp - NCCL, without a GPU -----------------------------------===//
//
// Ranks are processes of one machine. What one sends another is a piece of shared memory,
// in a mailbox that holds one message; collectives are made of such messages. Exchanges are
// work of their stream that waits for the other ranks, and every call goes on after it has
// returned, as in a communicator that does not block. The environment can name one function
// that goes wrong:
//
//   TSC_FAKE_NCCL="fail ncclAllReduce 1"   it returns an error, in rank 1 (-1: in all)
//   TSC_FAKE_NCCL="later ncclAllReduce 1"  the communicator gets an error when it has returned
//   TSC_FAKE_NCCL="hang ncclAllReduce 1"   it never ends
//   TSC_FAKE_NCCL="tell"                   nothing goes wrong, and a communicator that is
//                                          destroyed says how often what was called
//
//===----------------------------------------------------------------------===//
#include "FakeNumbers.h"
#include "FakeState.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

using namespace fake;

namespace {
enum Result : int { Success = 0, SystemError = 2, InvalidArgument = 4, RemoteError = 6, InProgress = 7 };
enum Operation : int { Sum = 0, Product = 1, Max = 2, Min = 3, Average = 4 };
constexpr int mostRanks = 16;

struct Id {
  char bytes[128];
};
struct Config {
  size_t size;
  unsigned magic, version;
  int isBlocking;
};
/// What all ranks of a communicator see.
struct Shared {
  std::atomic<int> joined, left;
  std::atomic<uint64_t> sent[mostRanks][mostRanks], received[mostRanks][mostRanks];
};
struct Communicator {
  Shared *shared = nullptr;
  std::string name;
  int ranks = 0, rank = 0;
  int unsettled = 0;                ///< How often the library still says that the last call goes on.
  int failure = 0;                  ///< What it says for good.
  bool isAbsent = false;            ///< It never joins.
  void *stream = nullptr;           ///< The one of the last exchange.
  std::map<std::string, int> calls; ///< How often what was called.
  std::atomic<bool> isAlive{true};  ///< Its work is done no longer where it is not.
};
std::string lastError;

using Bytes = std::vector<char>;
/// Messages to and from ranks, and what is done with them.
struct Exchange {
  struct Message {
    int peer;
    size_t bytes;
    Bytes data;
    bool isDone = false;
  };
  std::vector<Message> sends, receives;
  std::function<void(Exchange &)> begin, finish;
  bool isBegun = false;
};
thread_local int groupDepth = 0;
thread_local Communicator *groupCommunicator = nullptr;
thread_local std::shared_ptr<Exchange> group;

/// Whether the environment wants the function to go wrong in this way.
bool isAsked(const char *how, const char *function, int rank) {
  const char *text = getenv("TSC_FAKE_NCCL");
  char kind[16] = "", name[64] = "";
  int where = -1;
  if (!text || sscanf(text, "%15s %63s %d", kind, name, &where) < 2)
    return false;
  return strcmp(kind, how) == 0 && strcmp(name, function) == 0 && (where < 0 || rank < 0 || where == rank);
}
int fail(int result, const std::string &why) {
  lastError = why;
  return result;
}

size_t bytesOf(int type) {
  switch (type) {
  case 0:
  case 1: return 1;
  case 6:
  case 9: return 2;
  case 2:
  case 7: return 4;
  case 4:
  case 8: return 8;
  default: return 0;
  }
}

//===-- Mailboxes --------------------------------------------------------===//

std::string boxOf(const Communicator &comm, int from, int to) {
  return comm.name + "." + std::to_string(from) + "." + std::to_string(to);
}
/// Calls `use` with shared memory of that name, made where `isNew` says so.
template <typename Use> bool withShared(const std::string &name, size_t bytes, bool isNew, Use use) {
  const int file = shm_open(name.c_str(), O_RDWR | (isNew ? O_CREAT : 0), 0600);
  if (file < 0)
    return false;
  const size_t size = std::max<size_t>(bytes, 1);
  void *data = isNew && ftruncate(file, static_cast<off_t>(size)) != 0
                   ? MAP_FAILED
                   : mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const off_t there = lseek(file, 0, SEEK_END);
  close(file);
  if (data == MAP_FAILED)
    return false;
  const bool fits = there == static_cast<off_t>(size);
  if (fits)
    use(static_cast<char *>(data));
  munmap(data, size);
  return fits;
}

/// Sends and receives what can be. Returns whether all is done.
bool advance(Communicator &comm, Exchange &exchange) {
  if (!comm.isAlive)
    return true;
  if (!exchange.isBegun && exchange.begin) {
    Opened opened;
    exchange.begin(exchange);
  }
  exchange.isBegun = true;
  bool isDone = true;
  for (Exchange::Message &message : exchange.sends) {
    auto &sent = comm.shared->sent[comm.rank][message.peer], &received = comm.shared->received[comm.rank][message.peer];
    if (!message.isDone && sent == received) {
      message.isDone = withShared(boxOf(comm, comm.rank, message.peer), message.data.size(), true,
                                  [&](char *box) { memcpy(box, message.data.data(), message.data.size()); });
      sent += message.isDone;
    }
    isDone &= message.isDone;
  }
  for (Exchange::Message &message : exchange.receives) {
    auto &sent = comm.shared->sent[message.peer][comm.rank], &received = comm.shared->received[message.peer][comm.rank];
    if (!message.isDone && sent != received) {
      const std::string box = boxOf(comm, message.peer, comm.rank);
      message.data.resize(message.bytes);
      message.isDone =
          withShared(box, message.bytes, false, [&](char *from) { memcpy(message.data.data(), from, message.bytes); });
      if (!message.isDone) // the library itself would wait, or write what it should not
        comm.failure = fail(RemoteError, "a rank sends another number of bytes than this one expects");
      shm_unlink(box.c_str());
      ++received;
    }
    isDone &= message.isDone;
  }
  if (isDone && exchange.finish) {
    Opened opened;
    exchange.finish(exchange);
  }
  return isDone;
}

//===-- Combining --------------------------------------------------------===//

template <typename T, typename Wide> void combineAs(int op, char *a, const char *b, size_t count) {
  for (size_t i = 0; i != count; ++i) {
    T x, y;
    memcpy(&x, a + i * sizeof x, sizeof x);
    memcpy(&y, b + i * sizeof y, sizeof y);
    const Wide left = static_cast<Wide>(x), right = static_cast<Wide>(y);
    switch (op) {
    case Product: x = static_cast<T>(left * right); break;
    case Max: x = y > x ? y : x; break;
    case Min: x = y < x ? y : x; break;
    default: x = static_cast<T>(left + right); break;
    }
    memcpy(a + i * sizeof x, &x, sizeof x);
  }
}
void combineHalves(Number type, int op, char *a, const char *b, size_t count) {
  for (size_t i = 0; i != count; ++i) {
    const auto at = static_cast<int64_t>(i);
    const double x = load(a, type, at), y = load(b, type, at);
    store(a, type, at, op == Product ? x * y : op == Max ? std::max(x, y) : op == Min ? std::min(x, y) : x + y);
  }
}
void combine(int type, int op, char *a, const char *b, size_t count) {
  switch (type) {
  case 0: return combineAs<int8_t, unsigned>(op, a, b, count);
  case 1: return combineAs<uint8_t, unsigned>(op, a, b, count);
  case 2: return combineAs<int32_t, uint32_t>(op, a, b, count);
  case 4: return combineAs<int64_t, uint64_t>(op, a, b, count);
  case 7: return combineAs<float, float>(op, a, b, count);
  case 8: return combineAs<double, double>(op, a, b, count);
  default: return combineHalves(type == 6 ? Number::Half : Number::BFloat16, op, a, b, count);
  }
}
void divide(int type, char *a, size_t count, int ranks) {
  const Number number = type == 8   ? Number::Double
                        : type == 7 ? Number::Float
                        : type == 6 ? Number::Half
                                    : Number::BFloat16;
  for (size_t i = 0; i != count; ++i)
    store(a, number, static_cast<int64_t>(i), load(a, number, static_cast<int64_t>(i)) / ranks);
}

/// Combines what all ranks have sent, the own part among it, into `to`.
void combineAll(Exchange &exchange, Communicator &comm, const Bytes &own, int type, int op, size_t count, char *to) {
  std::vector<const Bytes *> parts(static_cast<size_t>(comm.ranks), &own);
  for (const Exchange::Message &message : exchange.receives)
    parts[static_cast<size_t>(message.peer)] = &message.data;
  Bytes total = *parts[0];
  for (size_t rank = 1; rank != parts.size(); ++rank)
    combine(type, op, total.data(), parts[rank]->data(), count);
  if (op == Average)
    divide(type, total.data(), count, comm.ranks);
  memcpy(to, total.data(), total.size());
}

//===-- Calls ------------------------------------------------------------===//

int launch(const char *function, Communicator *comm, void *stream, std::shared_ptr<Exchange> exchange) {
  checkStream(function, stream);
  ++comm->calls[function];
  comm->stream = stream;
  comm->unsettled = 2;
  if (isAsked("later", function, comm->rank))
    comm->failure = fail(RemoteError, std::string(function) + " was asked to fail later");
  const bool hangs = isAsked("hang", function, comm->rank) || comm->failure != 0;
  defer(stream, [=] { return hangs ? !comm->isAlive : advance(*comm, *exchange); });
  return InProgress;
}

/// Whether the arguments are those of an exchange.
int check(const char *function, const Communicator *comm, const void *from, size_t bytesFrom, const void *to,
          size_t bytesTo, int type, int root = 0) {
  if (isAsked("fail", function, comm->rank))
    return fail(SystemError, std::string(function) + " was asked to fail");
  if (comm->shared->joined < comm->ranks)
    return fail(InvalidArgument, std::string(function) + " before all ranks have joined");
  if (comm->unsettled != 0)
    return fail(InvalidArgument, std::string(function) + " before the last call is done");
  if (bytesOf(type) == 0 || root < 0 || root >= comm->ranks)
    return fail(InvalidArgument, std::string(function) + " of no such type, or with no such rank");
  if ((from && !isAllocated(reinterpret_cast<uint64_t>(from), bytesFrom)) ||
      (to && !isAllocated(reinterpret_cast<uint64_t>(to), bytesTo)))
    return fail(InvalidArgument, std::string(function) + " of memory that is not allocated");
  return Success;
}
Bytes bytesAt(const void *from, size_t bytes) {
  return Bytes(static_cast<const char *>(from), static_cast<const char *>(from) + bytes);
}
} // namespace

#define BEGIN                                                                                                          \
  std::lock_guard<std::recursive_mutex> guard(fake::lock());                                                           \
  if (!fake::begin(__func__, true))                                                                                    \
    return fail(SystemError, std::string(__func__) + " is the call that fails");
#define CHECK(...)                                                                                                     \
  if (const int result = check(__func__, comm, __VA_ARGS__))                                                           \
    return result;

EXPORT int ncclGetVersion(int *version) {
  *version = isAsked("fail", __func__, -1) ? 21304 : 22903;
  return Success;
}
EXPORT const char *ncclGetErrorString(int result) {
  return result == SystemError   ? "unhandled system error"
         : result == RemoteError ? "remote process exited or there was a network error"
                                 : "invalid argument";
}
EXPORT const char *ncclGetLastError(Communicator *) { return lastError.c_str(); }
EXPORT int ncclGetUniqueId(Id *id) {
  BEGIN
  static int number = 0;
  if (isAsked("fail", __func__, -1))
    return fail(SystemError, "ncclGetUniqueId was asked to fail");
  memset(id, 0, sizeof *id);
  snprintf(id->bytes, sizeof id->bytes, "/tsc-fake-nccl-%d-%d", getpid(), number++);
  shm_unlink(id->bytes); // of a process of this number that came to no end
  return Success;
}
EXPORT int ncclCommInitRankConfig(Communicator **made, int ranks, Id id, int rank, Config *config) {
  BEGIN
  if (isAsked("fail", __func__, rank))
    return fail(SystemError, "ncclCommInitRankConfig was asked to fail");
  if (ranks < 1 || ranks > mostRanks || rank < 0 || rank >= ranks || config->magic != 0xcafebeef ||
      config->size < sizeof *config || config->isBlocking != 0)
    return fail(InvalidArgument, "no such ranks, or a communicator that blocks");
  auto comm = std::make_unique<Communicator>();
  comm->name = id.bytes, comm->ranks = ranks, comm->rank = rank;
  const int file = shm_open(comm->name.c_str(), O_RDWR | O_CREAT, 0600);
  void *data = file < 0 || ftruncate(file, sizeof(Shared)) != 0
                   ? MAP_FAILED
                   : mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (data == MAP_FAILED)
    return fail(SystemError, "no shared memory");
  comm->shared = static_cast<Shared *>(data); // zeros, as it is new
  comm->isAbsent = isAsked("hang", __func__, rank);
  if (!comm->isAbsent && ++comm->shared->joined == ranks)
    shm_unlink(comm->name.c_str()); // nobody looks for it any more
  keep(comm.get());
  *made = comm.release();
  return InProgress;
}
EXPORT int ncclCommGetAsyncError(Communicator *comm, int *result) {
  BEGIN
  if (comm->failure == 0 && comm->stream)
    fake::advance(comm->stream);
  *result = comm->failure != 0                                     ? comm->failure
            : comm->isAbsent || comm->shared->joined < comm->ranks ? InProgress
            : comm->unsettled != 0                                 ? (--comm->unsettled, InProgress)
                                                                   : Success;
  return Success;
}
EXPORT int ncclCommFinalize(Communicator *comm) {
  BEGIN
  if (isAsked("fail", __func__, comm->rank))
    return fail(SystemError, "ncclCommFinalize was asked to fail");
  comm->isAbsent = isAsked("hang", __func__, comm->rank);
  comm->unsettled = 1;
  return InProgress;
}
static int destroy(Communicator *comm) {
  comm->isAlive = false;
  if (comm->stream)
    forgetDeferred(comm->stream);
  shm_unlink(comm->name.c_str()); // where not all have joined
  munmap(comm->shared, sizeof(Shared));
  giveBack(comm);
  delete comm;
  return Success;
}
EXPORT int ncclCommDestroy(Communicator *comm) {
  BEGIN
  if (const char *text = getenv("TSC_FAKE_NCCL"); text && strcmp(text, "tell") == 0) {
    std::string told = "fake NCCL, rank " + std::to_string(comm->rank) + ":";
    for (const auto &[function, count] : comm->calls)
      told += " " + std::to_string(count) + " " + function;
    fprintf(stderr, "%s\n%s", told.c_str(), complaints().c_str());
  }
  return destroy(comm);
}
EXPORT int ncclCommAbort(Communicator *comm) {
  BEGIN
  for (int peer = 0; peer != comm->ranks; ++peer) { // what nobody reads any more
    shm_unlink(boxOf(*comm, comm->rank, peer).c_str());
    shm_unlink(boxOf(*comm, peer, comm->rank).c_str());
  }
  return destroy(comm);
}

EXPORT int ncclAllReduce(const void *from, void *to, size_t count, int type, int op, Communicator *comm, void *stream) {
  BEGIN
  const size_t bytes = count * bytesOf(type);
  CHECK(from, bytes, to, bytes, type)
  auto made = std::make_shared<Exchange>();
  auto own = std::make_shared<Bytes>();
  made->begin = [=](Exchange &exchange) {
    *own = bytesAt(from, bytes);
    for (int peer = 0; peer != comm->ranks; ++peer)
      if (peer != comm->rank) {
        exchange.sends.push_back({peer, bytes, *own});
        exchange.receives.push_back({peer, bytes, {}});
      }
  };
  made->finish = [=](Exchange &exchange) {
    combineAll(exchange, *comm, *own, type, op, count, static_cast<char *>(to));
  };
  return launch(__func__, comm, stream, made);
}
EXPORT int ncclReduce(const void *from, void *to, size_t count, int type, int op, int root, Communicator *comm,
                      void *stream) {
  BEGIN
  const size_t bytes = count * bytesOf(type);
  CHECK(from, bytes, to, bytes, type, root)
  auto made = std::make_shared<Exchange>();
  auto own = std::make_shared<Bytes>();
  made->begin = [=](Exchange &exchange) {
    *own = bytesAt(from, bytes);
    for (int peer = 0; peer != comm->ranks && comm->rank == root; ++peer)
      if (peer != root)
        exchange.receives.push_back({peer, bytes, {}});
    if (comm->rank != root)
      exchange.sends.push_back({root, bytes, *own});
  };
  made->finish = [=](Exchange &exchange) {
    if (comm->rank == root)
      combineAll(exchange, *comm, *own, type, op, count, static_cast<char *>(to));
  };
  return launch(__func__, comm, stream, made);
}
EXPORT int ncclBroadcast(const void *from, void *to, size_t count, int type, int root, Communicator *comm,
                         void *stream) {
  BEGIN
  const size_t bytes = count * bytesOf(type);
  CHECK(from, bytes, to, bytes, type, root)
  auto made = std::make_shared<Exchange>();
  made->begin = [=](Exchange &exchange) {
    if (comm->rank != root)
      return exchange.receives.push_back({root, bytes, {}});
    for (int peer = 0; peer != comm->ranks; ++peer)
      if (peer != root)
        exchange.sends.push_back({peer, bytes, bytesAt(from, bytes)});
    memmove(to, from, bytes);
  };
  made->finish = [=](Exchange &exchange) {
    if (comm->rank != root)
      memcpy(to, exchange.receives[0].data.data(), bytes);
  };
  return launch(__func__, comm, stream, made);
}
EXPORT int ncclAllGather(const void *from, void *to, size_t countFrom, int type, Communicator *comm, void *stream) {
  BEGIN
  const size_t bytes = countFrom * bytesOf(type);
  CHECK(from, bytes, to, bytes * static_cast<size_t>(comm->ranks), type)
  auto made = std::make_shared<Exchange>();
  auto placeOf = [=](int rank) { return static_cast<char *>(to) + static_cast<size_t>(rank) * bytes; };
  made->begin = [=](Exchange &exchange) {
    for (int peer = 0; peer != comm->ranks; ++peer)
      if (peer != comm->rank) {
        exchange.sends.push_back({peer, bytes, bytesAt(from, bytes)});
        exchange.receives.push_back({peer, bytes, {}});
      }
    memmove(placeOf(comm->rank), from, bytes);
  };
  made->finish = [=](Exchange &exchange) {
    for (const Exchange::Message &message : exchange.receives)
      memcpy(placeOf(message.peer), message.data.data(), bytes);
  };
  return launch(__func__, comm, stream, made);
}
EXPORT int ncclReduceScatter(const void *from, void *to, size_t countTo, int type, int op, Communicator *comm,
                             void *stream) {
  BEGIN
  const size_t bytes = countTo * bytesOf(type);
  CHECK(from, bytes * static_cast<size_t>(comm->ranks), to, bytes, type)
  auto made = std::make_shared<Exchange>();
  auto own = std::make_shared<Bytes>();
  made->begin = [=](Exchange &exchange) {
    for (int peer = 0; peer != comm->ranks; ++peer) {
      Bytes part = bytesAt(static_cast<const char *>(from) + static_cast<size_t>(peer) * bytes, bytes);
      if (peer == comm->rank) {
        *own = std::move(part);
        continue;
      }
      exchange.sends.push_back({peer, bytes, std::move(part)});
      exchange.receives.push_back({peer, bytes, {}});
    }
  };
  made->finish = [=](Exchange &exchange) {
    combineAll(exchange, *comm, *own, type, op, countTo, static_cast<char *>(to));
  };
  return launch(__func__, comm, stream, made);
}

EXPORT int ncclGroupStart() {
  if (groupDepth++ == 0)
    group = std::make_shared<Exchange>(), groupCommunicator = nullptr;
  return Success;
}
/// Adds to what is done first, or last, in a group.
template <typename F> static void follow(std::function<void(Exchange &)> &all, F next) {
  all = [before = std::move(all), next](Exchange &exchange) {
    if (before)
      before(exchange);
    next(exchange);
  };
}
EXPORT int ncclSend(const void *from, size_t count, int type, int peer, Communicator *comm, void *stream) {
  BEGIN
  const size_t bytes = count * bytesOf(type);
  CHECK(from, bytes, nullptr, 0, type, peer)
  if (groupDepth == 0)
    return fail(InvalidArgument, "this fake knows messages in groups alone");
  follow(group->begin, [=](Exchange &exchange) { exchange.sends.push_back({peer, bytes, bytesAt(from, bytes)}); });
  groupCommunicator = comm, comm->stream = stream;
  return Success;
}
EXPORT int ncclRecv(void *to, size_t count, int type, int peer, Communicator *comm, void *stream) {
  BEGIN
  const size_t bytes = count * bytesOf(type);
  CHECK(nullptr, 0, to, bytes, type, peer)
  if (groupDepth == 0)
    return fail(InvalidArgument, "this fake knows messages in groups alone");
  const size_t number = group->receives.size();
  group->receives.push_back({peer, bytes, {}});
  follow(group->finish, [=](Exchange &exchange) { memcpy(to, exchange.receives[number].data.data(), bytes); });
  groupCommunicator = comm, comm->stream = stream;
  return Success;
}
EXPORT int ncclGroupEnd() {
  BEGIN
  if (groupDepth == 0)
    return fail(InvalidArgument, "a group ends that did not begin");
  if (--groupDepth != 0 || !groupCommunicator)
    return Success;
  if (isAsked("fail", __func__, groupCommunicator->rank))
    return fail(SystemError, "ncclGroupEnd was asked to fail");
  return launch(__func__, groupCommunicator, groupCommunicator->stream, std::move(group));
}
