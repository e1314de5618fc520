//===- Strings.h - Kernels of str -------------------------------*- C++ -*-===//
//
// Python's str methods on bytes. A negative `start` or `end` counts from the
// end; the default end of -1 means the whole text, as TorchScript has it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_OPS_STRINGS_H
#define TSC_RUNTIME_OPS_STRINGS_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <string>

namespace tsc {
class CallContext;
class IValue;
} // namespace tsc

namespace tsc::ops {

using llvm::StringRef;

bool str_isupper(StringRef s);
bool str_islower(StringRef s);
bool str_isalpha(StringRef s);
bool str_isdigit(StringRef s);
bool str_isdecimal(StringRef s);
bool str_isnumeric(StringRef s);
bool str_isspace(StringRef s);
bool str_isalnum(StringRef s);
bool str_isidentifier(StringRef s);
bool str_isprintable(StringRef s);
bool str_istitle(StringRef s);
std::string str_upper(StringRef s);
std::string str_lower(StringRef s);
std::string str_capitalize(StringRef s);
std::string str_title(StringRef s);
std::string str_swapcase(StringRef s);
std::string str_strip(StringRef s, StringRef chars);
std::string str_lstrip(StringRef s, StringRef chars);
std::string str_rstrip(StringRef s, StringRef chars);
StatusOr<std::string> str_ljust(StringRef s, int64_t width, StringRef fill);
StatusOr<std::string> str_rjust(StringRef s, int64_t width, StringRef fill);
StatusOr<std::string> str_center(StringRef s, int64_t width, StringRef fill);
int64_t str_find(StringRef s, StringRef sub, int64_t start, int64_t end);
int64_t str_rfind(StringRef s, StringRef sub, int64_t start, int64_t end);
StatusOr<int64_t> str_index(StringRef s, StringRef sub, int64_t start, int64_t end);
StatusOr<int64_t> str_rindex(StringRef s, StringRef sub, int64_t start, int64_t end);
int64_t str_count(StringRef s, StringRef sub, int64_t start, int64_t end);
bool str_startswith(StringRef s, StringRef sub, int64_t start, int64_t end);
bool str_endswith(StringRef s, StringRef sub, int64_t start, int64_t end);
/// Whether a str may be as long as this.
Status checkLength(int64_t length);
/// Writes a str that a program makes. Text for which the call has no memory is dropped: the call is to end then.
class TextStream final : public llvm::raw_ostream {
public:
  TextStream() : raw_ostream(/*unbuffered=*/true) {}
  std::string take() { return std::move(text); }

private:
  void write_impl(const char *bytes, size_t size) override;
  uint64_t current_pos() const override { return position; }
  std::string text;
  uint64_t position = 0; ///< What was dropped included.
};
/// Where the first, or the last, place of `part` in a text begins; npos when there is none. The time is linear in the
/// lengths together, whatever the texts are.
size_t findText(StringRef text, StringRef part);
size_t findLastText(StringRef text, StringRef part);
StatusOr<std::string> str_concat(StringRef a, StringRef b);
inline int64_t str_len(StringRef s) { return static_cast<int64_t>(s.size()); }
StatusOr<std::string> str_at(StringRef s, int64_t index);
StatusOr<std::string> str_slice(StringRef s, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step);
StatusOr<std::string> str_replace(StringRef s, StringRef old, StringRef with, int64_t max);
StatusOr<std::string> str_zfill(StringRef s, int64_t width);
StatusOr<std::string> str_expandtabs(StringRef s, int64_t tabSize);
StatusOr<int64_t> str_ord(StringRef s);
StatusOr<std::string> str_chr(int64_t code);
std::string str_hex(int64_t v);
std::string str_oct(int64_t v);
std::string str_bin(int64_t v);

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

} // namespace tsc::ops

#endif
