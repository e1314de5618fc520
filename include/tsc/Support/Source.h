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

/// 1-based line; 0-based column, counted in bytes (PyTorch's convention in `# file:line:col`).
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
  LineColumn lineColumn(uint32_t offset) const;
  /// The line without its newline. `line` is 1-based.
  llvm::StringRef line(unsigned line) const;

private:
  std::string bufferName, bufferText;
  std::vector<uint32_t> lineStarts;
  bool textKnown;
};

struct InlinedCall;

/// A half-open byte range of a buffer; borrows the buffer. Invalid when default-constructed.
class SourceRange {
public:
  SourceRange() = default;
  SourceRange(const SourceBuffer &buffer, uint32_t begin, uint32_t end) : source(&buffer), first(begin), last(end) {}
  /// A position in a buffer that has no text.
  static SourceRange atLine(const SourceBuffer &buffer, LineColumn at) { return {buffer, at.line, at.column}; }

  bool isValid() const { return source; }
  const SourceBuffer *buffer() const { return source; }
  uint32_t begin() const { return first; }
  uint32_t end() const { return last; }
  llvm::StringRef text() const {
    return source && source->hasText() ? source->text().slice(first, last) : llvm::StringRef();
  }
  LineColumn lineColumn() const {
    if (!source)
      return {};
    return source->hasText() ? source->lineColumn(first) : LineColumn{first, last};
  }
  /// The call whose inlining brought this code to where it is now; null where it stands in its own function.
  const InlinedCall *inlinedCall() const { return call; }
  SourceRange inCall(const InlinedCall *inlined) const {
    SourceRange result = *this;
    result.call = inlined;
    return result;
  }
  /// The smallest range that holds both; either may be invalid.
  static SourceRange join(SourceRange a, SourceRange b);
  bool operator==(const SourceRange &) const = default;

private:
  const SourceBuffer *source = nullptr;
  uint32_t first = 0, last = 0;
  const InlinedCall *call = nullptr;
};

/// A call in whose place the body of its callee stands now: a frame that a stack trace shows although it is not there.
struct InlinedCall {
  SourceRange at;     ///< The call; in turn in the call that brought it here.
  std::string callee; ///< Its qualified name.
};

/// Owns buffers for as long as ranges may point into them. Safe to call from many threads.
class SourceManager {
public:
  const SourceBuffer &add(std::string name, std::string text);
  /// The one text-less buffer of that name.
  const SourceBuffer &addNameOnly(llvm::StringRef name);
  /// What code of `callee` was inlined through (`inner`, null for the callee's own), seen from the function that called
  /// at `call`. Equal calls are one.
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
