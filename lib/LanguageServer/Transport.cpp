//===- Transport.cpp - Messages with a Content-Length ---------------------===//
#include "tsc/LanguageServer/Transport.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc::lsp;
using llvm::StringRef;

bool MessageReader::fill() {
  if (at == buffer.size()) {
    buffer.resize(size_t(64) << 10);
    buffer.resize(source(buffer.data(), buffer.size()));
    at = 0;
  }
  return at != buffer.size();
}

bool MessageReader::readLine(std::string &line) {
  constexpr size_t maxHeader = 4096;
  line.clear();
  while (fill()) {
    const char c = buffer[at++];
    if (c == '\n') {
      if (!line.empty() && line.back() == '\r')
        line.pop_back();
      return true;
    }
    if (line.size() < maxHeader)
      line += c;
  }
  return false;
}

MessageReader::Result MessageReader::next(std::string &body) {
  std::optional<uint64_t> length;
  bool isTooLarge = false;
  std::string line;
  while (readLine(line)) {
    StringRef header = line;
    if (header.empty()) {
      if (length || isTooLarge)
        break;
      continue; // before any header
    }
    // Behind what is no header, as the body of a message whose length was wrong, one may begin within a line.
    if (size_t found = header.rfind_insensitive("content-length:"); found != StringRef::npos) {
      StringRef number = header.drop_front(found + 15).trim();
      uint64_t value;
      length.reset();
      isTooLarge = false;
      if (number.empty() || !llvm::all_of(number, [](char c) { return c >= '0' && c <= '9'; }))
        continue;
      if (number.getAsInteger(10, value) || value > maxSize)
        isTooLarge = true;
      if (!number.getAsInteger(10, value))
        length = value;
    }
  }
  if (!length && !isTooLarge)
    return Result::End;
  if (isTooLarge) {
    for (uint64_t left = length.value_or(UINT64_MAX); left != 0 && fill();) {
      const size_t some = std::min<uint64_t>(left, buffer.size() - at);
      at += some;
      left -= some;
    }
    return Result::TooLarge;
  }
  body.clear();
  while (body.size() != *length) {
    if (!fill())
      return Result::End;
    const size_t some = std::min<size_t>(*length - body.size(), buffer.size() - at);
    body.append(buffer, at, some);
    at += some;
  }
  return Result::Message;
}

void MessageWriter::write(const llvm::json::Value &message) {
  std::string text;
  llvm::raw_string_ostream(text) << message;
  std::lock_guard lock(mutex);
  os << "Content-Length: " << text.size() << "\r\n\r\n" << text;
  os.flush();
}

/// How deep brackets nest, strings apart. The parser recurses.
static unsigned depthOf(StringRef text) {
  unsigned depth = 0, deepest = 0;
  bool isString = false;
  for (size_t i = 0; i != text.size(); ++i) {
    const char c = text[i];
    if (isString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        isString = false;
      if (i >= text.size())
        break;
    } else if (c == '"') {
      isString = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth) {
      --depth;
    }
  }
  return deepest;
}

std::optional<llvm::json::Value> tsc::lsp::parseJson(StringRef text, std::string &error) {
  constexpr unsigned maxDepth = 200;
  if (depthOf(text) > maxDepth) {
    error = "JSON is nested too deeply";
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (value)
    return std::move(*value);
  error = llvm::toString(value.takeError());
  return std::nullopt;
}
