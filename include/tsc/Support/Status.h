//===- Status.h - Failures as values ----------------------------*- C++ -*-===//
//
// Failures of the outside world and of running programs are values: a Status, or
// a StatusOr where there would be a result. The code tells who is to blame; the
// message is text for the user.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_STATUS_H
#define TSC_SUPPORT_STATUS_H

#include "tsc/Support/ByteOrder.h"
#include "llvm/ADT/Twine.h"
#include <cassert>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tsc {

/// Kinds of failures. The numbers are those of gRPC, which the C interface has, too.
enum class StatusCode {
  Ok = 0,
  Cancelled = 1,          ///< The host asked for an end.
  InvalidArgument = 3,    ///< A value, shape or dtype that the operation does not take.
  NotFound = 5,           ///< A file or a name that does not exist.
  PermissionDenied = 7,   ///< Something that exists and must not be used.
  ResourceExhausted = 8,  ///< A limit (memory, depth, steps) was exceeded.
  FailedPrecondition = 9, ///< A call at the wrong time.
  Aborted = 10,           ///< The program raised an exception of its own.
  OutOfRange = 11,        ///< An index or a size outside its range.
  Unimplemented = 12,     ///< Something that is legal TorchScript and that this build cannot do.
  Internal = 13,          ///< A mistake of tsc's own.
  DataLoss = 15,          ///< A file or text that is not what it claims to be.
};

/// Success, or a failure: a code, a message, and notes. A copy shares what it is copied from; threads may hold copies
/// of one status. Success takes no memory.
class [[nodiscard]] Status {
public:
  Status() = default;
  /// Makes a failure. With the code Ok it makes success, and drops the message. ResourceExhausted without a message
  /// takes no memory: it is for those who find that there is none.
  Status(StatusCode code, std::string_view message);
  Status(const Status &other) : failure(other.failure) {
    if (failure)
      retain();
  }
  Status(Status &&other) noexcept : failure(std::exchange(other.failure, nullptr)) {}
  Status &operator=(Status other) noexcept {
    std::swap(failure, other.failure);
    return *this;
  }
  ~Status() {
    if (failure)
      release();
  }

  bool ok() const { return !failure; }
  StatusCode code() const;
  /// Returns the message, empty for success. The view is valid until this status is assigned to, gets a note, or goes.
  std::string_view message() const;

  /// Returns the note under a key, a text that a failure carries beside its message; nothing where there is none.
  std::optional<std::string_view> note(std::string_view key) const;
  /// Sets the note under a key, in this status alone and not in its copies; does nothing for success.
  void setNote(std::string_view key, std::string_view text);
  /// Adds the notes of another failure, which replace those of the same keys.
  void addNotesOf(const Status &other);

  /// Whether code, message and notes are equal; the order of the notes counts.
  bool operator==(const Status &other) const;

private:
  struct Failure;
  void retain() const;
  void release();
  Failure &own();
  static Failure *noMemory();

  Failure *failure = nullptr;
};

inline Status okStatus() { return {}; }
/// Returns the failure of something that somebody stopped.
Status cancelled(const llvm::Twine &message);
/// Returns the failure for a value, type, shape or text that does not fit.
Status invalidArgument(const llvm::Twine &message);
/// Returns the failure for something that was named and does not exist.
Status notFound(const llvm::Twine &message);
/// Returns the failure for something that the host has not allowed, or the system does not.
Status permissionDenied(const llvm::Twine &message);
/// Returns the failure for memory, a stack or a quota that is used up.
Status resourceExhausted(const llvm::Twine &message);
/// Returns the failure for something that cannot be done in the present state.
Status failedPrecondition(const llvm::Twine &message);
/// Returns the failure of a program that raised an exception.
Status aborted(const llvm::Twine &message);
/// Returns the failure for an index, a size or a number out of its range.
Status outOfRange(const llvm::Twine &message);
/// Returns the failure for something legal that this build cannot do.
Status unimplemented(const llvm::Twine &message);
/// Returns the failure for a mistake of the library's own.
Status internalError(const llvm::Twine &message);
/// Returns the failure for data that is damaged or cut short.
Status dataLoss(const llvm::Twine &message);
/// Returns the status with `prefix` before its message and without its notes; success stays success.
Status withContext(const Status &status, const llvm::Twine &prefix);

inline llvm::StringRef messageOf(const Status &status) { return status.message(); }

namespace detail {
Status successWithoutValue();
}

/// A value, or the failure for which there is none.
template <typename T> class [[nodiscard]] StatusOr {
  template <typename U>
  static constexpr bool makesValue =
      std::is_constructible_v<T, U &&> && !std::is_same_v<std::remove_cvref_t<U>, StatusOr> &&
      !std::is_same_v<std::remove_cvref_t<U>, Status>;

public:
  using value_type = T;

  /// Makes a failure. A success is a mistake of the caller's here, as there is no value, and becomes an Internal
  /// failure.
  StatusOr(Status failure) : state(failure.ok() ? detail::successWithoutValue() : std::move(failure)) {}
  template <typename U = T>
    requires makesValue<U>
  explicit(!std::is_convertible_v<U &&, T>) StatusOr(U &&value) : held(std::forward<U>(value)) {}
  StatusOr(const StatusOr &other)
    requires std::is_copy_constructible_v<T>
      : state(other.state) {
    if (ok())
      make(other.held);
  }
  StatusOr(StatusOr &&other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if (other.ok())
      make(std::move(other.held));
    else
      state = other.state; // which stays a failure
  }
  /// Converts a result of another type, whose value converts to T.
  template <typename U>
    requires(!std::is_same_v<T, U> && std::is_convertible_v<U &&, T> && !std::is_convertible_v<StatusOr<U> &&, T>)
  StatusOr(StatusOr<U> &&other) {
    if (other.ok())
      make(*std::move(other));
    else
      state = other.status();
  }
  StatusOr &operator=(StatusOr other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if (!ok() && other.ok()) {
      make(std::move(other.held)); // which may throw: this is a failure until there is a value
      state = Status();
    } else if (!other.ok()) {
      clear();
      state = other.state;
    } else if constexpr (std::is_move_assignable_v<T>) {
      held = std::move(other.held);
    } else {
      static_assert(std::is_nothrow_move_constructible_v<T>, "there would be no value where making it throws");
      clear();
      make(std::move(other.held));
    }
    return *this;
  }
  ~StatusOr() { clear(); }

  bool ok() const { return state.ok(); }
  const Status &status() const & { return state; }
  /// Returns the failure, or success where there is a value, which stays here.
  Status status() && { return state; }

  // The value; it must be there.
  T &operator*() & {
    assert(ok() && "a failure has no value");
    return held;
  }
  const T &operator*() const & {
    assert(ok() && "a failure has no value");
    return held;
  }
  T &&operator*() && {
    assert(ok() && "a failure has no value");
    return std::move(held);
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }
  /// Returns a copy of the value, or `otherwise` for a failure.
  template <typename U> T value_or(U &&otherwise) const & {
    return ok() ? held : static_cast<T>(std::forward<U>(otherwise));
  }

private:
  template <typename U> void make(U &&value) { std::construct_at(std::addressof(held), std::forward<U>(value)); }
  void clear() {
    if (ok())
      std::destroy_at(std::addressof(held));
  }

  Status state; ///< Success where there is a value.
  union {
    std::remove_const_t<T> held;
  };
};

} // namespace tsc

/// Returns from the enclosing function when `expr` (a Status) is a failure.
#define TSC_RETURN_IF_ERROR(expr)                                                                                      \
  do {                                                                                                                 \
    if (tsc::Status tscStatus = (expr); !tscStatus.ok()) [[unlikely]]                                                  \
      return tscStatus;                                                                                                \
  } while (false)

#define TSC_CONCAT_INNER(a, b) a##b
#define TSC_CONCAT(a, b) TSC_CONCAT_INNER(a, b)
/// Puts the value of `expr` (a StatusOr) into `decl`, or returns its failure from the enclosing function:
/// `TSC_ASSIGN_OR_RETURN(Tensor t, makeTensor())`.
#define TSC_ASSIGN_OR_RETURN(decl, expr) TSC_ASSIGN_OR_RETURN_INNER(TSC_CONCAT(tscResult, __LINE__), decl, expr)
#define TSC_ASSIGN_OR_RETURN_INNER(tmp, decl, expr)                                                                    \
  auto tmp = (expr);                                                                                                   \
  if (!tmp.ok()) [[unlikely]]                                                                                          \
    return std::move(tmp).status();                                                                                    \
  decl = *std::move(tmp)

#endif
