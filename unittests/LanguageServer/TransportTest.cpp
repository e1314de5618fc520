#include "tsc/LanguageServer/Transport.h"
#include "llvm/ADT/StringRef.h"
#include <catch2/catch.hpp>
#include <cstring>

using namespace tsc::lsp;
using Result = MessageReader::Result;

/// Gives a text in pieces of one size.
static MessageReader::Source pieces(std::string text, size_t piece) {
  return [text = std::move(text), piece, at = size_t(0)](char *buffer, size_t size) mutable {
    const size_t count = std::min({size, piece, text.size() - at});
    std::memcpy(buffer, text.data() + at, count);
    at += count;
    return count;
  };
}

TEST_CASE("Messages are read in any pieces") {
  const std::string stream = "Content-Length: 3\r\nContent-Type: x\r\n\r\nabccontent-length:2\n\nde\r\n\r\nnoise\r\n"
                             "Content-Length: 0\r\n\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nfg";
  for (size_t piece : {1, 2, 7, 1000}) {
    MessageReader reader(pieces(stream, piece));
    std::vector<std::string> bodies;
    std::string body;
    while (reader.next(body) == Result::Message)
      bodies.push_back(body);
    CHECK(bodies == std::vector<std::string>{"abc", "de", "", "fg"});
  }
}

TEST_CASE("Lengths that are none") {
  for (const char *header : {"Content-Length: \r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: 1x\r\n\r\n",
                             "Content-Length", "Content-Length: 5\r\n\r\nabc", "\r\n\r\n\r\n", ""}) {
    MessageReader reader(pieces(header, 10));
    std::string body;
    CHECK(reader.next(body) == Result::End);
  }
}

TEST_CASE("What is too large is skipped") {
  std::string large(MessageReader::maxSize + 1, 'x');
  MessageReader reader(pieces(
      "Content-Length: " + std::to_string(large.size()) + "\r\n\r\n" + large + "Content-Length: 1\r\n\r\na", 1 << 20));
  std::string body;
  CHECK(reader.next(body) == Result::TooLarge);
  CHECK(reader.next(body) == Result::Message);
  CHECK(body == "a");
}

TEST_CASE("JSON is refused before it takes the stack") {
  std::string error;
  CHECK(parseJson("{\"a\": [1, \"[[[\"]}", error));
  CHECK(!parseJson(std::string(1'000'000, '['), error));
  CHECK(error == "JSON is nested too deeply");
  CHECK(!parseJson("{", error));
  CHECK(!parseJson("\"\\", error));
}
