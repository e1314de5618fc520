//===- MpiTransport.cpp - Ranks of an MPI launcher ------------------------===//
//
// The library of MPI is opened at run time, and nothing of it is needed to build tsc.
// MPI fixes the names of functions, not what handles are. There are two kinds of
// libraries, which have kept theirs for more than ten years: Open MPI, whose handles
// are addresses of variables that it exports (ompi_mpi_comm_world), and MPICH with the
// many that share its binary interface (MPICH 3.1 and later, Intel MPI, MVAPICH2, Cray
// MPICH), whose handles are numbers. A library says by its version which it is; one
// that says neither is refused. So one build runs with every MPI of a cluster, which a
// part that was compiled with the header of one MPI would not.
//
// A handle of either kind is passed in a machine word, of which MPICH reads the lower
// half, as this library runs on little-endian processors alone.
//
//===----------------------------------------------------------------------===//
#include "Transport.h"
#include "tsc/Support/ByteOrder.h"
#include "llvm/ADT/StringRef.h"
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

using namespace tsc;
using namespace tsc::ranks;

namespace {
using Handle = uintptr_t;

/// The functions and constants of an MPI library.
struct Mpi {
  int (*Initialized)(int *);
  int (*Finalized)(int *);
  int (*Init_thread)(int *, char ***, int required, int *provided);
  int (*Query_thread)(int *);
  int (*Finalize)();
  int (*Abort)(Handle comm, int code);
  int (*Comm_dup)(Handle, Handle *);
  int (*Comm_free)(Handle *);
  int (*Comm_rank)(Handle, int *);
  int (*Comm_size)(Handle, int *);
  int (*Comm_set_errhandler)(Handle, Handle);
  int (*Comm_get_attr)(Handle, int key, void *value, int *isThere);
  int (*Isend)(const void *, int count, Handle type, int to, int tag, Handle comm, Handle *request);
  int (*Irecv)(void *, int count, Handle type, int from, int tag, Handle comm, Handle *request);
  int (*Test)(Handle *request, int *isDone, void *status);
  int (*Iprobe)(int from, int tag, Handle comm, int *isThere, void *status);
  int (*Get_count)(const void *status, Handle type, int *count);
  int (*Get_library_version)(char *, int *);
  int (*Error_string)(int, char *, int *);

  Handle world, byte, errorsReturn;
  int anySource, tagUpperBound;
  size_t sourceInStatus; ///< Which int of a status says who sent.
  std::string version;   ///< The first line of what the library says of itself.
};

// The levels of threads are numbers in both kinds.
constexpr int serialized = 2, multiple = 3;
/// More ints than a status of either kind has.
using MpiStatus = int[16];

class MpiTransport final : public Transport {
public:
  MpiTransport(Mpi mpi, Handle comm, bool isOwn) : mpi(std::move(mpi)), comm(comm), isOwn(isOwn) {}

  Status open() {
    TSC_RETURN_IF_ERROR(check(mpi.Comm_set_errhandler(comm, mpi.errorsReturn), "MPI_Comm_set_errhandler"));
    TSC_RETURN_IF_ERROR(check(mpi.Comm_rank(comm, &self), "MPI_Comm_rank"));
    TSC_RETURN_IF_ERROR(check(mpi.Comm_size(comm, &count), "MPI_Comm_size"));
    int *bound = nullptr, isThere = 0, level = 0;
    if (mpi.Comm_get_attr(comm, mpi.tagUpperBound, &bound, &isThere) == 0 && isThere)
      largest = *bound;
    TSC_RETURN_IF_ERROR(check(mpi.Query_thread(&level), "MPI_Query_thread"));
    // The host's own calls may come at any time; those of this library never two at once.
    mayChange = isOwn ? level >= serialized : level >= multiple;
    return okStatus();
  }
  int rank() const override { return self; }
  int size() const override { return count; }
  int64_t largestTag() const override { return largest; }
  bool threadsMayChange() const override { return mayChange; }

  StatusOr<Request> send(const void *data, size_t bytes, int to, int tag) override {
    Handle handle = 0;
    TSC_RETURN_IF_ERROR(checkSize(bytes));
    TSC_RETURN_IF_ERROR(check(mpi.Isend(data, static_cast<int>(bytes), mpi.byte, to, tag, comm, &handle), "MPI_Isend"));
    return keep(handle, to);
  }
  StatusOr<Request> receive(void *data, size_t bytes, int from, int tag) override {
    Handle handle = 0;
    TSC_RETURN_IF_ERROR(checkSize(bytes));
    TSC_RETURN_IF_ERROR(
        check(mpi.Irecv(data, static_cast<int>(bytes), mpi.byte, from < 0 ? mpi.anySource : from, tag, comm, &handle),
              "MPI_Irecv"));
    return keep(handle, from);
  }
  StatusOr<bool> test(Request request, Received &received) override {
    MpiStatus status{};
    int isDone = 0, bytes = 0;
    TSC_RETURN_IF_ERROR(check(mpi.Test(&requests[request].handle, &isDone, status), "MPI_Test"));
    if (!isDone)
      return false;
    if (mpi.Get_count(status, mpi.byte, &bytes) == 0 && bytes >= 0)
      received.bytes = static_cast<size_t>(bytes);
    received.from = requests[request].peer >= 0 ? requests[request].peer : status[mpi.sourceInStatus];
    free.push_back(request);
    return true;
  }
  StatusOr<bool> probe(int tag) override {
    MpiStatus status{};
    int isThere = 0;
    TSC_RETURN_IF_ERROR(check(mpi.Iprobe(mpi.anySource, tag, comm, &isThere, status), "MPI_Iprobe"));
    return isThere != 0;
  }
  Status close() override {
    TSC_RETURN_IF_ERROR(check(mpi.Comm_free(&comm), "MPI_Comm_free"));
    return isOwn ? check(mpi.Finalize(), "MPI_Finalize") : okStatus();
  }
  void abort() override { mpi.Abort(isOwn ? mpi.world : comm, 1); }

private:
  struct Pending {
    Handle handle;
    int peer;
  };
  Status check(int code, const char *function) const {
    if (code == 0)
      return okStatus();
    char text[1024] = "";
    int length = 0;
    mpi.Error_string(code, text, &length);
    return internalError(llvm::Twine(function) + " failed: " + text);
  }
  static Status checkSize(size_t bytes) {
    return bytes <= INT_MAX ? okStatus() : invalidArgument("ranks exchange at most 2 GiB at a time");
  }
  Request keep(Handle handle, int peer) {
    if (free.empty()) {
      requests.push_back({handle, peer});
      return static_cast<Request>(requests.size() - 1);
    }
    const Request request = free.back();
    free.pop_back();
    requests[request] = {handle, peer};
    return request;
  }

  const Mpi mpi;
  Handle comm;
  const bool isOwn; ///< Whether this library initialized MPI.
  int self = 0, count = 1;
  int64_t largest = 32767;
  bool mayChange = false;
  std::vector<Pending> requests;
  std::vector<Request> free;
};
} // namespace

template <typename F> static bool find(void *library, const char *name, F &function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

/// Finds the functions in a library, and what handles are.
static StatusOr<Mpi> read(void *library, const std::string &path) {
  Mpi mpi{};
  const bool isWhole =
      find(library, "MPI_Initialized", mpi.Initialized) && find(library, "MPI_Finalized", mpi.Finalized) &&
      find(library, "MPI_Init_thread", mpi.Init_thread) && find(library, "MPI_Query_thread", mpi.Query_thread) &&
      find(library, "MPI_Finalize", mpi.Finalize) && find(library, "MPI_Abort", mpi.Abort) &&
      find(library, "MPI_Comm_dup", mpi.Comm_dup) && find(library, "MPI_Comm_free", mpi.Comm_free) &&
      find(library, "MPI_Comm_rank", mpi.Comm_rank) && find(library, "MPI_Comm_size", mpi.Comm_size) &&
      find(library, "MPI_Comm_set_errhandler", mpi.Comm_set_errhandler) &&
      find(library, "MPI_Comm_get_attr", mpi.Comm_get_attr) && find(library, "MPI_Isend", mpi.Isend) &&
      find(library, "MPI_Irecv", mpi.Irecv) && find(library, "MPI_Test", mpi.Test) &&
      find(library, "MPI_Iprobe", mpi.Iprobe) && find(library, "MPI_Get_count", mpi.Get_count) &&
      find(library, "MPI_Get_library_version", mpi.Get_library_version) &&
      find(library, "MPI_Error_string", mpi.Error_string);
  if (!isWhole)
    return unimplemented("'" + path + "' is no library of MPI 3");
  std::string text(16384, '\0'); // more than either kind writes
  int length = 0;
  mpi.Get_library_version(text.data(), &length);
  mpi.version = llvm::StringRef(text.data()).split('\n').first.str(); // it ends with a zero byte
  if (void *world = dlsym(library, "ompi_mpi_comm_world")) {
    mpi.world = reinterpret_cast<Handle>(world);
    mpi.byte = reinterpret_cast<Handle>(dlsym(library, "ompi_mpi_byte"));
    mpi.errorsReturn = reinterpret_cast<Handle>(dlsym(library, "ompi_mpi_errors_return"));
    mpi.anySource = -1;
    mpi.tagUpperBound = 0;
    mpi.sourceInStatus = 0;
    if (mpi.byte && mpi.errorsReturn)
      return mpi;
  }
  for (const char *name : {"MPICH", "Intel(R) MPI", "MVAPICH", "CRAY MPICH"})
    if (llvm::StringRef(mpi.version).ltrim().starts_with(name)) {
      mpi.world = 0x44000000;
      mpi.byte = 0x4c00010d;
      mpi.errorsReturn = 0x54000001;
      mpi.anySource = -2;
      mpi.tagUpperBound = 0x64400001;
      mpi.sourceInStatus = 2;
      return mpi;
    }
  return unimplemented("'" + path + "' is an MPI that tsc does not know: it calls itself '" + mpi.version +
                       "', and neither Open MPI nor one with MPICH's binary interface");
}

/// Returns the number of ranks that a launcher says that it started, or 0 where none says so.
static int launchedRanks(bool &isOpenMpi) {
  for (const char *name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char *value = std::getenv(name)) {
      isOpenMpi = name[0] == 'O';
      return std::atoi(value);
    }
  return 0;
}

static StatusOr<Mpi> openLibrary(const std::string &path) {
  if (!path.empty()) {
    if (void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) // Open MPI's parts look for its names
      return read(library, path);
    return notFound("cannot open the MPI library '" + path + "': " + dlerror());
  }
  if (dlsym(RTLD_DEFAULT, "MPI_Init_thread")) // of the host's program
    return read(RTLD_DEFAULT, "the MPI of this program");
  bool isOpenMpi = true;
  launchedRanks(isOpenMpi);
  const std::vector<const char *> ofOpenMpi = {"libmpi.so.40", "libmpi.so.80"},
                                  ofMpich = {"libmpich.so.12", "libmpi.so.12"};
  std::vector<const char *> names = isOpenMpi ? ofOpenMpi : ofMpich;
  const auto &others = isOpenMpi ? ofMpich : ofOpenMpi;
  names.insert(names.end(), others.begin(), others.end());
  names.push_back("libmpi.so");
  for (const char *name : names)
    if (void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL))
      return read(library, name);
  return unimplemented(
      "no MPI library is installed: neither libmpi.so.40 of Open MPI nor libmpich.so.12 or libmpi.so.12 "
      "of MPICH is found (Debian has them in openmpi-bin and mpich)");
}

static StatusOr<std::unique_ptr<Transport>> join(Mpi mpi, Handle comm, bool isOwn) {
  Handle own = 0;
  if (mpi.Comm_dup(comm, &own) != 0) // so that no message meets one of the host's
    return internalError("MPI_Comm_dup failed");
  auto transport = std::make_unique<MpiTransport>(std::move(mpi), own, isOwn);
  TSC_RETURN_IF_ERROR(transport->open());
  return StatusOr<std::unique_ptr<Transport>>(std::move(transport));
}

StatusOr<std::unique_ptr<Transport>> ranks::openMpi(const std::string &path) {
  TSC_ASSIGN_OR_RETURN(Mpi mpi, openLibrary(path));
  int isDone = 0, level = 0;
  mpi.Finalized(&isDone);
  if (isDone)
    return failedPrecondition("MPI was finalized in this process, and cannot be initialized again");
  mpi.Initialized(&isDone);
  const bool isOwn = !isDone;
  if (isOwn && mpi.Init_thread(nullptr, nullptr, serialized, &level) != 0)
    return internalError("MPI_Init_thread of " + mpi.version + " failed");
  int count = 0;
  bool isOpenMpi = false;
  mpi.Comm_size(mpi.world, &count);
  if (const int launched = launchedRanks(isOpenMpi); launched > 1 && count != launched)
    return failedPrecondition("the launcher started " + llvm::Twine(launched) + " ranks, and this process finds " +
                              llvm::Twine(count) + ": the launcher is of another MPI than the library (" + mpi.version +
                              "); init_method=\"file:///…/libmpi.so\" names another one");
  const Handle world = mpi.world;
  return join(std::move(mpi), world, isOwn);
}

StatusOr<std::unique_ptr<Transport>> ranks::adoptMpi(const void *communicator) {
  TSC_ASSIGN_OR_RETURN(Mpi mpi, openLibrary(""));
  int isDone = 0;
  mpi.Initialized(&isDone);
  if (!isDone)
    return failedPrecondition("a host that hands a communicator over initializes MPI first");
  Handle comm = 0;
  if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world"))
    std::memcpy(&comm, communicator, sizeof comm);
  else
    std::memcpy(&comm, communicator, sizeof(int));
  return join(std::move(mpi), comm, false);
}
