//===- Exceptions.cpp - TorchScript's exceptions as values ----------------===//
//
// Beside its message a failed run's status carries the class of the exception, the
// error without the call stack, and where the run was. Operators say in their own
// words what is wrong, and some begin with Python's class for it.
//
//===----------------------------------------------------------------------===//
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/IR/IValue.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

static constexpr std::string_view classNote = "tsc/exception-class", errorNote = "tsc/error",
                                  positionNote = "tsc/failure-position", quotaNote = "tsc/quota",
                                  keyNote = "tsc/missing-key";
static constexpr llvm::StringLiteral builtins = "builtins.";

//===-- What a status carries ---------------------------------------------===//

std::optional<std::string> tsc::exceptionClass(const Status &status) {
  auto note = status.note(classNote);
  return note ? std::optional<std::string>(*note) : std::nullopt;
}
void tsc::setExceptionClass(Status &status, llvm::StringRef name) { status.setNote(classNote, name); }

Status tsc::quotaExceeded(QuotaKind kind) {
  static constexpr llvm::StringLiteral texts[] = {
      "the program exceeded its limit of steps", "maximum recursion depth exceeded",
      "MemoryError: the program exceeded its limit of memory", "the program exceeded its limit of output"};
  Status status = resourceExhausted(texts[static_cast<size_t>(kind)]);
  const char digit = static_cast<char>('0' + static_cast<int>(kind));
  status.setNote(quotaNote, llvm::StringRef(&digit, 1));
  return status;
}
std::optional<QuotaKind> tsc::exceededQuota(const Status &status) {
  auto note = status.note(quotaNote);
  return note ? std::optional(static_cast<QuotaKind>((*note)[0] - '0')) : std::nullopt;
}

/// TorchScript's message has the key as print() shows it, Python's exception as repr() does.
Status tsc::keyError(const IValue &key) {
  std::string printed, written;
  llvm::raw_string_ostream print(printed), write(written);
  printValue(print, key);
  reprValue(write, key);
  Status status = outOfRange("KeyError: " + printed);
  status.setNote(keyNote, written);
  return status;
}

void tsc::setFailurePosition(Status &status, size_t position) {
  status.setNote(positionNote, std::to_string(position));
}
std::optional<size_t> tsc::failurePosition(const Status &status) {
  auto note = status.note(positionNote);
  size_t position;
  return note && !llvm::StringRef(*note).getAsInteger(10, position) ? std::optional(position) : std::nullopt;
}

std::string tsc::errorOf(const Status &status) {
  auto note = status.note(errorNote);
  return note ? std::string(*note) : messageOf(status).str();
}
bool tsc::isDescribed(const Status &status) { return status.note(errorNote).has_value(); }

//===-- Classes of exceptions ---------------------------------------------===//

/// The class and the message of what an operator refused: its message begins with the class, or it is told by what the
/// operator says.
static ExceptionText refusalOf(llvm::StringRef text, bool isOutOfRange) {
  llvm::StringRef name = text.take_while([](char c) { return llvm::isAlpha(c); });
  if (name.ends_with("Error") && text.drop_front(name.size()).starts_with(": "))
    return {name.str(), text.drop_front(name.size() + 2).str()};
  if (text.starts_with("list.remove(x)") || text.ends_with(" is not in list"))
    return {"ValueError", text.str()};
  unsigned wanted = 0, found = 0;
  if (llvm::StringRef rest = text; rest.consume_front("Expected ") && !rest.consumeInteger(10, wanted) &&
                                   rest.consume_front(" elements in a list but found ") &&
                                   !rest.consumeInteger(10, found))
    return {"ValueError", found > wanted ? "too many values to unpack (expected " + std::to_string(wanted) + ")"
                                         : "not enough values to unpack (expected " + std::to_string(wanted) +
                                               ", got " + std::to_string(found) + ")"};
  return {text.starts_with("popitem(): ") ? "KeyError" : isOutOfRange ? "IndexError" : "RuntimeError", text.str()};
}

/// The exception in the words of the status.
static ExceptionText toldBy(const Status &status) {
  const std::string error = errorOf(status);
  llvm::StringRef text = error;
  if (std::optional<std::string> name = exceptionClass(status)) {
    llvm::StringRef bare = *name;
    bare.consume_front(builtins);
    if (!text.consume_front(*name + ": "))
      text.consume_front((bare + ": ").str());
    return {*name, text.str()};
  }
  text.consume_front("RuntimeError: ");
  return refusalOf(text, status.code() == StatusCode::OutOfRange);
}

ExceptionText tsc::exceptionOf(const Status &status) {
  ExceptionText exception = toldBy(status);
  if (auto key = status.note(keyNote))
    exception.message = std::string(*key);
  return exception;
}

Status tsc::describedFailure(const Status &failure, const llvm::Twine &stack) {
  const std::optional<std::string> raised = exceptionClass(failure);
  const ExceptionText exception = toldBy(failure);
  const std::string error = exception.name + ": " + exception.message;
  const std::string message = (stack + error + "\n").str();
  Status described(failure.code(), message);
  described.addNotesOf(failure);
  described.setNote(errorNote, error);
  // Limits are the host's, and no exceptions of the program's.
  if (!raised && exception.name != "RuntimeError" && failure.code() != StatusCode::ResourceExhausted)
    setExceptionClass(described, builtins.str() + exception.name);
  return described;
}
