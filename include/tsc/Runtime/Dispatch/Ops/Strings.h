//===- Strings.h - Kernels of str -------------------------------*- C++ -*-===//
//
// str as PyTorch has it: the methods of tsc/Python/Text.h on letters that are bytes. A
// negative `start` or `end` counts from the end; the default end of -1 means the whole
// text. Nodes of source count code points where Runtime/Dispatch/Ops/Python.h has a kernel.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_OPS_STRINGS_H
#define TSC_RUNTIME_DISPATCH_OPS_STRINGS_H

#include "tsc/Python/Text.h"
#include "tsc/Tensor/MemoryAccount.h"
#include "llvm/Support/raw_ostream.h"

namespace tsc {
class CallContext;
class IValue;
} // namespace tsc

namespace tsc::ops {

using llvm::StringRef;
using python::Letters;

inline bool str_isupper(StringRef s) { return python::isUpper(s, Letters::Bytes); }
inline bool str_islower(StringRef s) { return python::isLower(s, Letters::Bytes); }
inline bool str_isalpha(StringRef s) { return python::isAlpha(s, Letters::Bytes); }
inline bool str_isdigit(StringRef s) { return python::isDigit(s, Letters::Bytes); }
inline bool str_isdecimal(StringRef s) { return python::isDecimal(s, Letters::Bytes); }
inline bool str_isnumeric(StringRef s) { return python::isNumeric(s, Letters::Bytes); }
inline bool str_isspace(StringRef s) { return python::isSpaces(s, Letters::Bytes); }
inline bool str_isalnum(StringRef s) { return python::isAlnum(s, Letters::Bytes); }
inline bool str_isidentifier(StringRef s) { return python::isIdentifier(s, Letters::Bytes); }
inline bool str_isprintable(StringRef s) { return python::isPrintableText(s, Letters::Bytes); }
inline bool str_istitle(StringRef s) { return python::isTitle(s, Letters::Bytes); }
inline std::string str_upper(StringRef s) { return python::upper(s, Letters::Bytes); }
inline std::string str_lower(StringRef s) { return python::lower(s, Letters::Bytes); }
inline std::string str_capitalize(StringRef s) { return python::capitalize(s, Letters::Bytes); }
inline std::string str_title(StringRef s) { return python::title(s, Letters::Bytes); }
inline std::string str_swapcase(StringRef s) { return python::swapcase(s, Letters::Bytes); }
inline std::string str_strip(StringRef s, StringRef chars) { return python::strip(s, chars, Letters::Bytes).str(); }
inline std::string str_lstrip(StringRef s, StringRef chars) {
  return python::stripLeft(s, chars, Letters::Bytes).str();
}
inline std::string str_rstrip(StringRef s, StringRef chars) {
  return python::stripRight(s, chars, Letters::Bytes).str();
}
inline StatusOr<std::string> str_ljust(StringRef s, int64_t width, StringRef fill) {
  return python::ljust(s, width, fill, memory::hasRoom, Letters::Bytes);
}
inline StatusOr<std::string> str_rjust(StringRef s, int64_t width, StringRef fill) {
  return python::rjust(s, width, fill, memory::hasRoom, Letters::Bytes);
}
inline StatusOr<std::string> str_center(StringRef s, int64_t width, StringRef fill) {
  return python::center(s, width, fill, memory::hasRoom, Letters::Bytes);
}

/// Returns the section of a text in which PyTorch's methods search. An end of -1 stands for the end of the text, and -2
/// for the letter before.
inline python::Section sectionOf(int64_t start, int64_t end) {
  return {start, end == -1 ? std::nullopt : std::optional(end < 0 ? end + 1 : end)};
}
inline int64_t str_find(StringRef s, StringRef sub, int64_t start, int64_t end) {
  return python::find(s, sub, sectionOf(start, end), Letters::Bytes);
}
inline int64_t str_rfind(StringRef s, StringRef sub, int64_t start, int64_t end) {
  return python::rfind(s, sub, sectionOf(start, end), Letters::Bytes);
}
inline StatusOr<int64_t> str_index(StringRef s, StringRef sub, int64_t start, int64_t end) {
  return python::index(s, sub, sectionOf(start, end), Letters::Bytes);
}
inline StatusOr<int64_t> str_rindex(StringRef s, StringRef sub, int64_t start, int64_t end) {
  return python::rindex(s, sub, sectionOf(start, end), Letters::Bytes);
}
inline int64_t str_count(StringRef s, StringRef sub, int64_t start, int64_t end) {
  return python::count(s, sub, sectionOf(start, end), Letters::Bytes);
}
inline bool str_startswith(StringRef s, StringRef sub, int64_t start, int64_t end) {
  return python::startsWith(s, sub, sectionOf(start, end), Letters::Bytes);
}
inline bool str_endswith(StringRef s, StringRef sub, int64_t start, int64_t end) {
  return python::endsWith(s, sub, sectionOf(start, end), Letters::Bytes);
}
/// Fails with ResourceExhausted where a str of `length` bytes is longer than any may be, or exceeds the call's quota of
/// memory.
inline Status checkLength(int64_t length) { return python::checkLength(length, memory::hasRoom); }
/// A stream that collects the text of a str, as far as the call has memory for it. Once there is none, it says that it
/// is at the end of the longest text, where printValue() stops.
class TextStream final : public llvm::raw_ostream {
public:
  TextStream() : raw_ostream(/*unbuffered=*/true) {}
  /// Returns the text, or ResourceExhausted where there was no memory for all of it.
  StatusOr<std::string> take() { return length.ok() ? StatusOr<std::string>(std::move(text)) : length; }
  /// Returns as much of the text as there was memory for. For messages, which may be cut.
  std::string takeBeginning() { return std::move(text); }

private:
  void write_impl(const char *bytes, size_t size) override;
  uint64_t current_pos() const override { return position; }
  std::string text;
  Status length;         ///< The failure of checkLength() because of which the rest was dropped.
  uint64_t position = 0; ///< The number of bytes written; that of no text once some were dropped.
};
inline StatusOr<std::string> str_concat(StringRef a, StringRef b) { return python::concat(a, b, memory::hasRoom); }
inline int64_t str_len(StringRef s) { return static_cast<int64_t>(s.size()); }
inline StatusOr<StringRef> str_at(StringRef s, int64_t index) { return python::letterAt(s, index, Letters::Bytes); }
inline StatusOr<std::string> str_slice(StringRef s, std::optional<int64_t> start, std::optional<int64_t> end,
                                       int64_t step) {
  return python::slice(s, start, end, step, Letters::Bytes);
}
inline StatusOr<std::string> str_replace(StringRef s, StringRef old, StringRef with, int64_t max) {
  return python::replace(s, old, with, max, memory::hasRoom, Letters::Bytes);
}
inline StatusOr<std::string> str_zfill(StringRef s, int64_t width) {
  return python::zfill(s, width, memory::hasRoom, Letters::Bytes);
}
inline StatusOr<std::string> str_expandtabs(StringRef s, int64_t tabSize) {
  return python::expandTabs(s, tabSize, memory::hasRoom, Letters::Bytes);
}
/// Returns the value of the only byte of `s`, or fails where it does not have one.
StatusOr<int64_t> str_ord(StringRef s);
/// Returns the text of one byte, or fails where `code` is not in [0, 256).
StatusOr<std::string> str_chr(int64_t code);
inline std::string str_hex(int64_t v) { return python::hex(v); }
inline std::string str_oct(int64_t v) { return python::oct(v); }
inline std::string str_bin(int64_t v) { return python::bin(v); }

// Each is a BoxedKernel (CallContext.h) that a record of Strings.td names, which has its schema.
Status strSplit(CallContext &, const IValue *const *args, IValue *results);
Status strRightSplit(CallContext &, const IValue *const *args, IValue *results);
Status strSplitLines(CallContext &, const IValue *const *args, IValue *results);
Status strPartition(CallContext &, const IValue *const *args, IValue *results);
Status strRightPartition(CallContext &, const IValue *const *args, IValue *results);
Status strJoin(CallContext &, const IValue *const *args, IValue *results);
Status strToList(CallContext &, const IValue *const *args, IValue *results);
Status toStr(CallContext &, const IValue *const *args, IValue *results);
Status strFormat(CallContext &, const IValue *const *args, IValue *results);
Status strPercentFormat(CallContext &, const IValue *const *args, IValue *results);

// Helpers that the kernels of Python's meaning (Runtime/Dispatch/Ops/Python.h) share with these.

/// Returns a List[str] with a copy of each part.
IValue listOfStrings(llvm::ArrayRef<StringRef> parts);
/// Sets `list` to the parts of a str.split() with the arguments (text, separator or None, most splits).
Status splitInto(IValue &list, const IValue *const *args, Letters letters);
/// Sets `list` to the parts of a str.rsplit() with these arguments.
Status splitFromRightInto(IValue &list, const IValue *const *args, Letters letters);

} // namespace tsc::ops

#endif
