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
/// Errors: what stands where a header should be is skipped up to the next `Content-Length:`, even within a line. The
///         body of a message longer than maxSize is skipped.
class MessageReader {
public:
  static constexpr size_t maxSize = size_t(64) << 20; ///< Bytes of a body.
  /// Puts up to `size` bytes into `buffer` and returns how many; 0 at the end of the stream.
  using Source = std::function<size_t(char *buffer, size_t size)>;
  explicit MessageReader(Source source) : source(std::move(source)) {}

  /// What was read: a message, one that was too large and was skipped, or the end of the stream, even within a message.
  enum class Result : uint8_t { Message, TooLarge, End };
  /// Reads the next message into `body`.
  Result next(std::string &body);

private:
  /// Reads a line without its end; false at the end of the stream. The rest of a line that is longer than any header is
  /// dropped.
  bool readLine(std::string &line);
  bool fill();
  Source source;
  std::string buffer;
  size_t at = 0;
};

/// Writes messages to a stream, each whole, from any thread.
class MessageWriter {
public:
  explicit MessageWriter(llvm::raw_ostream &os) : os(os) {}
  /// Writes a message with its header and flushes the stream.
  void write(const llvm::json::Value &message);

private:
  std::mutex mutex;
  llvm::raw_ostream &os;
};

/// Parses JSON that anybody may have written. Returns nothing, and says why in `error`, for a text that is not JSON or
/// has brackets nested more than 200 deep.
std::optional<llvm::json::Value> parseJson(llvm::StringRef text, std::string &error);

} // namespace tsc::lsp

#endif
