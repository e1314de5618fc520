//===- Transport.h - Messages with a Content-Length -------------*- C++ -*-===//
#ifndef TSC_LANGUAGESERVER_TRANSPORT_H
#define TSC_LANGUAGESERVER_TRANSPORT_H

#include "llvm/Support/JSON.h"
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
}

namespace tsc::lsp {

/// Splits a stream of bytes into the bodies of messages.
///
/// Errors: what stands where a header should be is skipped up to the next `Content-Length:` at the start of a line; a
///         message longer than maxSize is skipped, and told of as one that is too large.
class MessageReader {
public:
  static constexpr size_t maxSize = size_t(64) << 20;
  /// Gives up to `size` bytes; 0 at the end.
  using Source = std::function<size_t(char *buffer, size_t size)>;
  explicit MessageReader(Source source) : source(std::move(source)) {}

  enum class Result : uint8_t { Message, TooLarge, End };
  Result next(std::string &body);

private:
  /// A line without its end; false at the end of the stream. Of one that is longer than any header, the rest is
  /// dropped.
  bool readLine(std::string &line);
  bool fill();
  Source source;
  std::string buffer;
  size_t at = 0;
};

/// Writes messages whole, from any thread.
class MessageWriter {
public:
  explicit MessageWriter(llvm::raw_ostream &os) : os(os) {}
  void write(const llvm::json::Value &message);

private:
  std::mutex mutex;
  llvm::raw_ostream &os;
};

/// Parses JSON that anybody may have written: nothing for what is none, or is nested more than 200 deep.
std::optional<llvm::json::Value> parseJson(llvm::StringRef text, std::string &error);

} // namespace tsc::lsp

#endif
