//===- Mutators.cpp - Changes that leave an input's structure -------------===//
#include "Mutators.h"
#include "tsc/Serialization/Zip.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace tsc;
using llvm::StringRef;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

namespace {

using Parts = std::vector<std::string>;

class Dice {
public:
  explicit Dice(unsigned seed) : engine(seed) {}
  /// From 0 to n - 1; 0 for no n.
  size_t below(size_t n) { return n ? engine() % n : 0; }
  bool oneIn(size_t n) { return below(n) == 0; }
  template <class Range> auto &any(Range &range) { return range[below(std::size(range))]; }

private:
  std::minstd_rand engine;
};

StringRef asText(const uint8_t *data, size_t size) { return {reinterpret_cast<const char *>(data), size}; }

/// Writes the result if it has room; else libFuzzer shortens or changes what there was.
size_t putInto(uint8_t *data, size_t size, size_t most, StringRef result) {
  if (result.empty() || result.size() > most)
    return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, result.data(), result.size());
  return result.size();
}

/// libFuzzer's own change of a part, which may grow.
void mutateBytes(std::string &part) {
  const size_t size = part.size();
  part.resize(size + 16);
  part.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(part.data()), size, part.size()));
}

/// Takes away, doubles, moves or exchanges a few neighbours.
void rearrange(Parts &parts, Dice &dice) {
  if (parts.empty())
    return;
  const size_t begin = dice.below(parts.size()), length = 1 + dice.below(std::min<size_t>(8, parts.size() - begin));
  const auto first = parts.begin() + begin, last = first + length;
  const Parts some(first, last);
  switch (dice.below(4)) {
  case 0: parts.erase(first, last); break;
  case 1: parts.insert(parts.begin() + dice.below(parts.size() + 1), some.begin(), some.end()); break;
  case 2:
    parts.erase(first, last);
    parts.insert(parts.begin() + dice.below(parts.size() + 1), some.begin(), some.end());
    break;
  default: std::swap(*first, dice.any(parts)); break;
  }
}

std::string joined(const Parts &parts) { return llvm::join(parts, ""); }

} // namespace

//===- Texts --------------------------------------------------------------===//

/// Words and numbers, strings, spaces in a row, line ends with the indentation behind them, and single characters.
static Parts tokensOf(StringRef text) {
  Parts tokens;
  while (!text.empty()) {
    auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '%' || c == ':'; };
    const char c = text.front();
    size_t length = 1;
    if (isWord(c))
      length = text.find_if_not(isWord);
    else if (c == '\n' || c == ' ')
      length = text.find_first_not_of(' ', 1);
    else if (c == '"' || c == '\'')
      length = text.find(c, 1) == StringRef::npos ? 1 : text.find(c, 1) + 1;
    tokens.push_back(text.take_front(length).str());
    text = text.drop_front(std::min(length, text.size()));
  }
  return tokens;
}

static Parts linesOf(StringRef text) {
  Parts lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.take_front(end == StringRef::npos ? end : end + 1).str());
    text = text.drop_front(lines.back().size());
  }
  return lines;
}

static void mutateToken(Parts &tokens, Dice &dice) {
  static const char *const numbers[] = {"0",
                                        "-1",
                                        "1",
                                        "2",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "4294967296",
                                        "1e400",
                                        "-0.0",
                                        "0.5",
                                        "True",
                                        "None",
                                        "[]",
                                        "()",
                                        "{}",
                                        "\"\""};
  std::string &token = dice.any(tokens);
  switch (dice.below(5)) {
  case 0: token = dice.any(numbers); break;
  case 1: token = dice.any(tokens); break;
  case 2: mutateBytes(token); break;
  case 3: { // nested
    static const std::pair<const char *, const char *> brackets[] = {{"(", ")"}, {"[", "]"}, {"{", "}"}, {"-(", ")"}};
    const auto &[open, close] = dice.any(brackets);
    const std::string inner = token;
    for (size_t depth = 1 + dice.below(dice.oneIn(8) ? 200 : 3); depth; --depth)
      token = open + token + close;
    break;
  }
  default:
    if (token.front() == '\n') // another depth
      token = "\n" + std::string(dice.below(9), ' ');
    else
      token += " " + dice.any(tokens);
    break;
  }
}

size_t fuzz::mutateText(uint8_t *data, size_t size, size_t most, unsigned seed) {
  Dice dice(seed);
  if (size == 0 || dice.oneIn(8))
    return LLVMFuzzerMutate(data, size, most);
  std::string text = asText(data, size).str();
  for (size_t changes = 1 + dice.below(4); changes && !text.empty(); --changes) {
    Parts parts = dice.oneIn(3) ? linesOf(text) : tokensOf(text);
    if (dice.oneIn(2))
      rearrange(parts, dice);
    else
      mutateToken(parts, dice);
    text = joined(parts);
  }
  return putInto(data, size, most, text);
}

//===- Pickles ------------------------------------------------------------===//

/// How many bytes stand behind an opcode; more than there are where it is none.
static size_t operandSize(uint8_t opcode, StringRef behind) {
  auto counted = [&](unsigned bytes) -> size_t {
    uint64_t count = 0;
    for (unsigned i = 0; i != bytes && i != behind.size(); ++i)
      count |= uint64_t{static_cast<uint8_t>(behind[i])} << 8 * i;
    return count > behind.size() ? StringRef::npos : bytes + count;
  };
  auto lines = [&](unsigned count) {
    size_t at = 0;
    for (unsigned i = 0; i != count && at != StringRef::npos; ++i) {
      at = behind.find('\n', at);
      at += at != StringRef::npos;
    }
    return at;
  };
  switch (opcode) {
  case 0x80: // PROTO
  case 'K':
  case 'q':
  case 'h': return 1;
  case 'M': return 2;
  case 'J':
  case 'r':
  case 'j': return 4;
  case 'G':
  case 0x95: return 8; // FRAME
  case 'U':
  case 'C':
  case 0x8a:
  case 0x8c: return counted(1);
  case 'X':
  case 'T':
  case 'B':
  case 0x8b: return counted(4);
  case 0x8d:
  case 0x8e: return counted(8);
  case 'c': return lines(2);
  default: return 0;
  }
}

/// One part for each opcode and what stands behind it.
static Parts opcodesOf(StringRef pickle) {
  Parts parts;
  while (!pickle.empty()) {
    const size_t operand = operandSize(static_cast<uint8_t>(pickle.front()), pickle.drop_front());
    const size_t length = operand > pickle.size() - 1 ? pickle.size() : 1 + operand;
    parts.push_back(pickle.take_front(length).str());
    pickle = pickle.drop_front(length);
  }
  return parts;
}

static std::string counted(char opcode, StringRef text) {
  char size[4];
  llvm::support::endian::write32le(size, static_cast<uint32_t>(text.size()));
  return opcode + std::string(size, sizeof size) + text.str();
}

/// Changes an opcode's operand, or puts another opcode in its place.
static void mutateOpcode(std::string &part, Dice &dice) {
  static const std::string simple[] = {"(",    "0",    "1",    "N",    "]",    "}",    ")",   "a", "e",
                                       "s",    "u",    "t",    "l",    "d",    "R",    "b",   "Q", "\x81",
                                       "\x85", "\x86", "\x87", "\x88", "\x89", "\x93", "\x94"};
  static const char *const globals[] = {"torch._utils\n_rebuild_tensor_v2\n",
                                        "torch._utils\n_rebuild_parameter\n",
                                        "torch._utils\n_rebuild_qtensor\n",
                                        "torch._utils\n_rebuild_sparse_tensor\n",
                                        "torch.jit._pickle\nbuild_intlist\n",
                                        "torch.jit._pickle\nbuild_tensorlist\n",
                                        "torch.jit._pickle\nrestore_type_tag\n",
                                        "collections\nOrderedDict\n",
                                        "torch\nFloatStorage\n",
                                        "torch\nQInt8Storage\n",
                                        "torch\ndevice\n",
                                        "__torch__\nOuter\n",
                                        "__torch__\nInner\n",
                                        "__torch__\nPair\n"};
  const char opcode = part.front();
  if (dice.oneIn(4)) {
    part = dice.any(simple);
  } else if (opcode == 'X') {
    std::string text = part.size() > 5 ? part.substr(5) : "";
    mutateBytes(text);
    part = counted('X', text);
  } else if (opcode == 'c') {
    part = std::string("c") + dice.any(globals);
  } else if (opcode == 'q' || opcode == 'h') {
    part = {dice.oneIn(2) ? 'q' : 'h', static_cast<char>(dice.below(dice.oneIn(4) ? 256 : 16))};
  } else if (opcode == 'K' || opcode == 'M' || opcode == 'J') {
    static const int32_t numbers[] = {0, 1, -1, 2, 3, 64, 65535, INT32_MAX, INT32_MIN};
    char bytes[4];
    llvm::support::endian::write32le(bytes, static_cast<uint32_t>(dice.any(numbers)));
    part = "J" + std::string(bytes, sizeof bytes);
  } else if (part.size() > 1) {
    part[1 + dice.below(part.size() - 1)] = static_cast<char>(dice.below(256));
  } else {
    part += dice.any(simple);
  }
}

static std::string mutatedPickle(StringRef pickle, Dice &dice) {
  Parts parts = opcodesOf(pickle);
  for (size_t changes = 1 + dice.below(4); changes && !parts.empty(); --changes)
    if (dice.oneIn(2))
      rearrange(parts, dice);
    else
      mutateOpcode(dice.any(parts), dice);
  if (parts.empty() || (parts.back() != "." && !dice.oneIn(16)))
    parts.push_back(".");
  return joined(parts);
}

size_t fuzz::mutatePickle(uint8_t *data, size_t size, size_t most, unsigned seed) {
  Dice dice(seed);
  if (size == 0 || dice.oneIn(8))
    return LLVMFuzzerMutate(data, size, most);
  return putInto(data, size, most, mutatedPickle(asText(data, size), dice));
}

//===- Archives -----------------------------------------------------------===//

namespace {
struct ZipEntry {
  std::string name, content;
};
} // namespace

static std::vector<ZipEntry> entriesOf(StringRef file) {
  std::vector<ZipEntry> entries;
  auto zip = ZipReader::open(Bytes{file, nullptr});
  if (!zip.ok())
    return entries;
  for (const std::string &name : zip->names())
    if (auto content = zip->read(name); content.ok())
      entries.push_back({name, content->data.str()});
  return entries;
}

static void mutateContent(ZipEntry &entry, Dice &dice) {
  StringRef name = entry.name;
  std::string &content = entry.content;
  if (name.ends_with("pkl")) {
    content = mutatedPickle(content, dice);
  } else if (name.ends_with(".py") || name.ends_with(".json")) {
    content.resize(content.size() + 4096);
    auto *bytes = reinterpret_cast<uint8_t *>(content.data());
    content.resize(fuzz::mutateText(bytes, content.size() - 4096, content.size(), dice.below(1u << 30)));
  } else if (name.ends_with("version")) {
    content = std::to_string(dice.below(dice.oneIn(4) ? 1000 : 12)) + "\n";
  } else if (dice.oneIn(4)) {
    content.resize(dice.below(2 * content.size() + 1));
  } else {
    mutateBytes(content);
  }
}

/// Another set of names, with the same contents.
static void mutateNames(std::vector<ZipEntry> &entries, Dice &dice) {
  static const char *const suffixes[] = {".debug_pkl", "/", ".py", ".pkl", "/../x", "/0"};
  ZipEntry &entry = dice.any(entries);
  switch (dice.below(4)) {
  case 0: std::swap(entry.name, dice.any(entries).name); break;
  case 1: entry.name += dice.any(suffixes); break;
  case 2: entries.erase(entries.begin() + (&entry - entries.data())); break;
  default: {
    ZipEntry copy = entry;
    mutateBytes(copy.name);
    entries.push_back(std::move(copy));
    break;
  }
  }
}

size_t fuzz::mutateArchive(uint8_t *data, size_t size, size_t most, unsigned seed) {
  Dice dice(seed);
  std::vector<ZipEntry> entries = entriesOf(asText(data, size));
  if (entries.empty() || dice.oneIn(16))
    return LLVMFuzzerMutate(data, size, most);
  for (size_t changes = 1 + dice.below(3); changes && !entries.empty(); --changes)
    if (dice.oneIn(6))
      mutateNames(entries, dice);
    else
      mutateContent(dice.any(entries), dice);
  ZipWriter writer;
  for (const ZipEntry &entry : entries)
    writer.add(entry.name, entry.content);
  return putInto(data, size, most, writer.finish());
}
