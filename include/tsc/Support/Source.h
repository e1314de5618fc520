//===- Source.h - Source buffers and ranges ---------------------*- C++ -*-===//
//
// Texts that programs come from, and half-open byte ranges of them, which every
// node, tree and diagnostic carries.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_SOURCE_H
#define TSC_SUPPORT_SOURCE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace tsc {

/// A place in a text: its line, counted from 1, and its column in bytes, counted from 0 (PyTorch's convention in `#
/// file:line:col`).
struct LineColumn {
  unsigned line = 0;
  unsigned column = 0;
};

/// A named text: a source file, a file inside an archive, or IR. Immutable after construction.
/// A buffer without text stands for a file that we know only by name, from a `# file:line:col` comment.
class SourceBuffer {
public:
  SourceBuffer(std::string name, std::string text, bool hasText = true);

  llvm::StringRef name() const { return bufferName; }
  llvm::StringRef text() const { return bufferText; }
  bool hasText() const { return textKnown; }
  /// Returns the place of a byte offset.
  LineColumn lineColumn(uint32_t offset) const;
  /// Returns a line, counted from 1, without its newline; empty where there is no such line.
  llvm::StringRef line(unsigned line) const;

private:
  std::string bufferName, bufferText;
  std::vector<uint32_t> lineStarts;
  bool textKnown;
};

struct InlinedCall;

/// A half-open byte range of a buffer, which it borrows; invalid when default-constructed. In a buffer without text,
/// begin() is a line and end() a column.
class SourceRange {
public:
  SourceRange() = default;
  SourceRange(const SourceBuffer &buffer, uint32_t begin, uint32_t end) : source(&buffer), first(begin), last(end) {}
  /// Returns the range for a place in a buffer that has no text.
  static SourceRange atLine(const SourceBuffer &buffer, LineColumn at) { return {buffer, at.line, at.column}; }

  bool isValid() const { return source; }
  const SourceBuffer *buffer() const { return source; }
  uint32_t begin() const { return first; }
  uint32_t end() const { return last; }
  llvm::StringRef text() const {
    return source && source->hasText() ? source->text().slice(first, last) : llvm::StringRef();
  }
  /// Returns the place where the range begins; line 0 for an invalid range.
  LineColumn lineColumn() const {
    if (!source)
      return {};
    return source->hasText() ? source->lineColumn(first) : LineColumn{first, last};
  }
  /// Returns the call whose inlining brought this code to where it is now; null where it stands in its own function.
  const InlinedCall *inlinedCall() const { return call; }
  /// Returns this range as part of code that `inlined` brought to its place.
  SourceRange inCall(const InlinedCall *inlined) const {
    SourceRange result = *this;
    result.call = inlined;
    return result;
  }
  /// Returns the smallest range that holds both, in the inlined call of `a`. Where one is invalid, it returns the
  /// other; where they stand in different buffers, or have no text, it returns `a`.
  static SourceRange join(SourceRange a, SourceRange b);
  bool operator==(const SourceRange &) const = default;

private:
  const SourceBuffer *source = nullptr;
  uint32_t first = 0, last = 0;
  const InlinedCall *call = nullptr;
};

/// A call in whose place the body of its callee stands now: a frame that a stack trace shows although it is not there.
struct InlinedCall {
  SourceRange at;     ///< The place of the call; its inlinedCall() is the call around it.
  std::string callee; ///< The qualified name of the function called.
};

/// Owns buffers for as long as ranges may point into them. Safe to call from many threads.
class SourceManager {
public:
  /// Makes a buffer, which lives as long as this object.
  const SourceBuffer &add(std::string name, std::string text);
  /// Returns the one buffer without text of that name.
  const SourceBuffer &addNameOnly(llvm::StringRef name);
  /// Returns the call that brought code of `callee` to the function that called it at `call`. `inner` is the call by
  /// which the code came into `callee`, or null for the callee's own code. Equal calls are one object.
  const InlinedCall *addInlinedCall(const InlinedCall *inner, SourceRange call, llvm::StringRef callee);

private:
  std::mutex mutex;
  std::vector<std::unique_ptr<SourceBuffer>> buffers;
  llvm::StringMap<const SourceBuffer *> nameOnly;
  using CallKey = std::tuple<const SourceBuffer *, uint32_t, uint32_t, const InlinedCall *, std::string>;
  std::map<CallKey, std::unique_ptr<InlinedCall>> inlinedCalls;
};

} // namespace tsc

#endif
