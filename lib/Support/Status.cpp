//===- Status.cpp - Failures as values ------------------------------------===//
#include "tsc/Support/Status.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include <atomic>
#include <cstddef>
#include <new>
#include <string>
#include <vector>
using namespace tsc;

/// What the copies of a failure share.
struct Status::Failure {
  std::atomic<uint32_t> owners = 1;
  StatusCode code;
  std::string message;
  std::vector<std::pair<std::string, std::string>> notes; ///< By key, in the order in which they came.

  Failure(StatusCode code, std::string message) : code(code), message(std::move(message)) {}
  Failure(const Failure &other) : code(other.code), message(other.message), notes(other.notes) {}
};

Status::Status(StatusCode code, std::string_view message) {
  if (code == StatusCode::Ok)
    return;
  if (code == StatusCode::ResourceExhausted && message.empty()) {
    failure = noMemory();
    retain();
  } else {
    failure = new Failure(code, std::string(message));
  }
}
/// Never destroyed: statuses may outlive main.
Status::Failure *Status::noMemory() {
  alignas(Failure) static std::byte room[sizeof(Failure)];
  static Failure *const failure = new (room) Failure(StatusCode::ResourceExhausted, std::string());
  return failure;
}

void Status::retain() const { failure->owners.fetch_add(1, std::memory_order_relaxed); }
void Status::release() {
  if (failure->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete failure;
}
/// The failure, shared with nobody.
Status::Failure &Status::own() {
  if (failure->owners.load(std::memory_order_acquire) != 1)
    *this = [&] {
      Status copy;
      copy.failure = new Failure(*failure);
      return copy;
    }();
  return *failure;
}

StatusCode Status::code() const { return failure ? failure->code : StatusCode::Ok; }
std::string_view Status::message() const { return failure ? std::string_view(failure->message) : std::string_view(); }

std::optional<std::string_view> Status::note(std::string_view key) const {
  if (failure)
    for (const auto &[name, text] : failure->notes)
      if (name == key)
        return text;
  return std::nullopt;
}
void Status::setNote(std::string_view key, std::string_view text) {
  if (ok())
    return;
  auto &notes = own().notes;
  auto place = llvm::find_if(notes, [&](const auto &note) { return note.first == key; });
  if (place != notes.end())
    place->second = text;
  else
    notes.emplace_back(key, text);
}
void Status::addNotesOf(const Status &other) {
  if (other.failure && other.failure != failure)
    for (const auto &[key, text] : other.failure->notes)
      setNote(key, text);
}

bool Status::operator==(const Status &other) const {
  if (failure == other.failure)
    return true;
  return failure && other.failure && failure->code == other.failure->code &&
         failure->message == other.failure->message && failure->notes == other.failure->notes;
}

Status tsc::detail::successWithoutValue() { return internalError("a result was made of success, which has no value"); }

static Status make(StatusCode code, const llvm::Twine &message) {
  llvm::SmallString<128> storage;
  return Status(code, message.toStringRef(storage));
}

Status tsc::cancelled(const llvm::Twine &message) { return make(StatusCode::Cancelled, message); }
Status tsc::invalidArgument(const llvm::Twine &message) { return make(StatusCode::InvalidArgument, message); }
Status tsc::notFound(const llvm::Twine &message) { return make(StatusCode::NotFound, message); }
Status tsc::permissionDenied(const llvm::Twine &message) { return make(StatusCode::PermissionDenied, message); }
Status tsc::resourceExhausted(const llvm::Twine &message) { return make(StatusCode::ResourceExhausted, message); }
Status tsc::failedPrecondition(const llvm::Twine &message) { return make(StatusCode::FailedPrecondition, message); }
Status tsc::aborted(const llvm::Twine &message) { return make(StatusCode::Aborted, message); }
Status tsc::outOfRange(const llvm::Twine &message) { return make(StatusCode::OutOfRange, message); }
Status tsc::unimplemented(const llvm::Twine &message) { return make(StatusCode::Unimplemented, message); }
Status tsc::internalError(const llvm::Twine &message) { return make(StatusCode::Internal, message); }
Status tsc::dataLoss(const llvm::Twine &message) { return make(StatusCode::DataLoss, message); }

Status tsc::withContext(const Status &status, const llvm::Twine &prefix) {
  return status.ok() ? status : make(status.code(), prefix + messageOf(status));
}
