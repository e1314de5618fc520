//===- DebugRecords.cpp - Where an archive's code came from ---------------===//
//
//   ("FORMAT_WITH_STRING_TABLE", (string, ...), (record, ...))
//   record = (offset in the code, ((numbers of strings, number of the file's name, first line), begin, end), tag)
//
// The strings that are numbered make a part of a file, from its first line on.
// Before PyTorch 1.11 there was no table: the pickle is the tuple of records, whose
// source is (text, name or None, first line).
//
//===----------------------------------------------------------------------===//
#include "DebugRecords.h"
#include "Pickler.h"
#include "tsc/IR/Context.h"
#include "tsc/Serialization/Convert.h"
#include "tsc/Serialization/Unpickler.h"
#include "llvm/ADT/MapVector.h"
#include <map>
#include <mutex>

using namespace tsc;
using llvm::ArrayRef;
using llvm::StringRef;

static constexpr StringRef withTable = "FORMAT_WITH_STRING_TABLE";
/// What a part of a file may be: a hostile table repeats its strings.
static constexpr size_t maxSourceSize = 1 << 20, maxTexts = 1 << 26;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
class DebugRecords final : public SourceOrigins {
public:
  DebugRecords(Context &context, std::shared_ptr<ZipReader> zip, std::string name)
      : context(context), zip(std::move(zip)), name(std::move(name)) {}
  SourceRange find(uint32_t offset) const override;

private:
  struct Record {
    uint32_t offset;
    SourceRange range;
  };
  void load() const;
  void read(const IValue &pickle) const;
  /// Where a part of a file is: in a buffer, from an offset on.
  struct Part {
    const SourceBuffer *buffer = nullptr;
    int64_t begin = 0;
  };
  Part source(const IValue &value, ArrayRef<IValue> table) const;
  Part makePart(ArrayRef<IValue> source, ArrayRef<IValue> table) const;
  std::string textOf(const IValue &value, ArrayRef<IValue> table) const;

  Context &context;
  std::shared_ptr<ZipReader> zip;
  std::string name;
  mutable std::once_flag once;
  mutable std::vector<Record> records; ///< By offset.
  /// Parts of files, by the tuple of the pickle and by what it says: a record may repeat that of another, whose text is
  /// much longer than the numbers of its strings.
  mutable std::map<const RefCounted *, Part> byTuple;
  mutable std::map<std::string, Part> byContents;
  mutable size_t textLeft = maxTexts;
};
} // namespace

static ArrayRef<IValue> elementsOf(const IValue &value) {
  return value.isTuple()         ? ArrayRef<IValue>(value.toTuple().elements)
         : value.isGenericList() ? ArrayRef<IValue>(value.toGenericList().elements)
                                 : ArrayRef<IValue>();
}

/// A string, or those of the table that numbers name.
std::string DebugRecords::textOf(const IValue &value, ArrayRef<IValue> table) const {
  if (value.isString())
    return value.toString();
  std::string text;
  auto append = [&](int64_t index) {
    if (index >= 0 && static_cast<size_t>(index) < table.size() && table[index].isString())
      text += table[index].toString();
  };
  if (value.isInt())
    append(value.toInt());
  else if (value.isIntList())
    for (int64_t index : value.toIntList().elements)
      if (text.size() < maxSourceSize)
        append(index);
  return text;
}

/// One string for all tuples that say the same.
static std::string contentsOf(ArrayRef<IValue> source) {
  std::string contents;
  auto append = [&](llvm::ArrayRef<int64_t> numbers) {
    const int64_t size = numbers.size();
    contents.append(reinterpret_cast<const char *>(&size), sizeof size);
    contents.append(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(int64_t));
  };
  for (const IValue &part : source) {
    contents += static_cast<char>(part.getTag());
    if (part.isInt()) {
      append(part.toInt());
    } else if (part.isIntList()) {
      append(part.toIntList().elements);
    } else if (part.isString()) {
      append(static_cast<int64_t>(part.toString().size()));
      contents += part.toString();
    }
  }
  return contents;
}

DebugRecords::Part DebugRecords::source(const IValue &value, ArrayRef<IValue> table) const {
  ArrayRef<IValue> parts = elementsOf(value);
  if (parts.size() != 3 || !parts[2].isInt())
    return {};
  auto [entry, isNew] = byTuple.try_emplace(value.counted());
  if (!isNew)
    return entry->second;
  auto [known, isOther] = byContents.try_emplace(contentsOf(parts));
  if (isOther)
    known->second = makePart(parts, table);
  return entry->second = known->second;
}

DebugRecords::Part DebugRecords::makePart(ArrayRef<IValue> source, ArrayRef<IValue> table) const {
  if (!textLeft)
    return {};
  std::string text = textOf(source[0], table), file = textOf(source[1], table);
  const size_t before = std::clamp<int64_t>(source[2].toInt() - 1, 0, maxSourceSize);
  if (text.empty() || text.size() + before > textLeft) {
    textLeft -= std::min(textLeft, text.size()); // it was put together, if in vain
    return {};
  }
  if (file.empty())
    file = "<unknown>";
  // Empty lines before the part give its lines their numbers.
  text.insert(0, before, '\n');
  textLeft -= text.size();
  return {&context.sources().add(std::move(file), std::move(text)), static_cast<int64_t>(before)};
}

void DebugRecords::read(const IValue &pickle) const {
  ArrayRef<IValue> lines = elementsOf(pickle), table;
  if (lines.size() == 3 && lines[0].isString() && lines[0].toString() == withTable) {
    table = elementsOf(lines[1]);
    lines = elementsOf(lines[2]);
  }
  for (const IValue &line : lines) {
    ArrayRef<IValue> parts = elementsOf(line);
    ArrayRef<IValue> range = parts.size() >= 2 ? elementsOf(parts[1]) : ArrayRef<IValue>();
    if (range.size() < 3 || !parts[0].isInt() || !range[1].isInt() || !range[2].isInt() || parts[0].toInt() < 0 ||
        parts[0].toInt() > UINT32_MAX)
      continue;
    const Part part = source(range[0], table);
    SourceRange origin;
    if (part.buffer) {
      const int64_t size = part.buffer->text().size() - part.begin;
      const int64_t begin = std::clamp<int64_t>(range[1].toInt(), 0, size);
      const int64_t end = std::clamp<int64_t>(range[2].toInt(), begin, size);
      origin = SourceRange(*part.buffer, part.begin + begin, part.begin + end);
    }
    records.push_back({static_cast<uint32_t>(parts[0].toInt()), origin});
  }
  llvm::stable_sort(records, [](const Record &a, const Record &b) { return a.offset < b.offset; });
  byTuple.clear();
}

void DebugRecords::load() const {
  StatusOr<Bytes> bytes = zip->read(name);
  if (!bytes.ok())
    return;
  StatusOr<IValue> pickle = Unpickler(context, UnpicklerHooks()).read(bytes->data);
  if (pickle.ok())
    read(*pickle);
}

SourceRange DebugRecords::find(uint32_t offset) const {
  std::call_once(once, [this] { load(); });
  auto after = llvm::upper_bound(records, offset, [](uint32_t at, const Record &record) { return at < record.offset; });
  return after == records.begin() ? SourceRange() : std::prev(after)->range;
}

std::unique_ptr<SourceOrigins> tsc::readDebugRecords(Context &context, std::shared_ptr<ZipReader> zip,
                                                     std::string name) {
  assert(zip && "records are read from an archive");
  return std::make_unique<DebugRecords>(context, std::move(zip), std::move(name));
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
/// The parts of one file that records name: lines, and those between them where few are left out.
class FileParts {
public:
  void add(SourceRange range) {
    intervals[firstLineOf(range)] = std::max(intervals[firstLineOf(range)], lastLineOf(range));
  }
  void merge() {
    std::map<unsigned, unsigned> merged;
    for (auto [first, last] : intervals) {
      if (!merged.empty() && first <= merged.rbegin()->second + maxGap)
        merged.rbegin()->second = std::max(merged.rbegin()->second, last);
      else
        merged[first] = last;
    }
    intervals = std::move(merged);
  }
  /// The part with a line: its first and its last one.
  std::pair<unsigned, unsigned> around(unsigned line) const { return *std::prev(intervals.upper_bound(line)); }

  static unsigned firstLineOf(SourceRange range) { return range.lineColumn().line; }
  static unsigned lastLineOf(SourceRange range) {
    const uint32_t last = range.end() > range.begin() ? range.end() - 1 : range.end();
    return range.buffer()->lineColumn(last).line;
  }

private:
  static constexpr unsigned maxGap = 3;
  std::map<unsigned, unsigned> intervals;
};

class RecordWriter {
public:
  StatusOr<std::string> write(ArrayRef<CodeOrigin> origins);

private:
  /// The number of a string in the table.
  int64_t number(StringRef text) {
    auto [entry, isNew] = numbers.try_emplace(text.str(), table.size());
    if (isNew)
      table.push_back(IValue(text.str()));
    return entry->second;
  }
  IValue record(const CodeOrigin &origin);
  const IValue &part(const SourceBuffer &buffer, unsigned first, unsigned last);

  std::map<const SourceBuffer *, FileParts> files;
  std::map<std::pair<const SourceBuffer *, unsigned>, IValue> parts;
  std::map<std::string, int64_t> numbers;
  std::vector<IValue> table;
  /// The numbers of the places, by which PyTorch's mobile programs name them.
  std::map<std::tuple<const SourceBuffer *, uint32_t, uint32_t>, int64_t> tags;
};
} // namespace

/// Where a line starts in the text of a buffer; where the text ends for the line behind its last.
static size_t startOf(const SourceBuffer &buffer, unsigned line) {
  StringRef text = buffer.line(line);
  return text.data() ? text.data() - buffer.text().data() : buffer.text().size();
}

/// The source of a part of a file, as a tuple.
const IValue &RecordWriter::part(const SourceBuffer &buffer, unsigned first, unsigned last) {
  IValue &known = parts[{&buffer, first}];
  if (!known.isNone())
    return known;
  std::vector<int64_t> lines;
  for (unsigned line = first; line <= last; ++line)
    lines.push_back(number(buffer.text().slice(startOf(buffer, line), startOf(buffer, line + 1))));
  return known = makeTuple({IValue(std::move(lines)), IValue(number(buffer.name())), IValue(int64_t(first))});
}

IValue RecordWriter::record(const CodeOrigin &origin) {
  const SourceRange range = origin.range;
  IValue source, begin(int64_t(0)), end(int64_t(0));
  int64_t tag = -1; // of what came from nowhere
  if (range.isValid()) {
    const SourceBuffer &buffer = *range.buffer();
    tag = tags.try_emplace({&buffer, range.begin(), range.end()}, static_cast<int64_t>(tags.size())).first->second;
    auto [first, last] = files[&buffer].around(FileParts::firstLineOf(range));
    source = part(buffer, first, last);
    const int64_t start = startOf(buffer, first);
    begin = IValue(range.begin() - start);
    end = IValue(std::max(range.begin(), range.end()) - start);
  } else {
    source = makeTuple({IValue(std::vector<int64_t>()), IValue(int64_t(0)), IValue(int64_t(0))});
  }
  return makeTuple({IValue(int64_t(origin.offset)), makeTuple({source, begin, end}), IValue(tag)});
}

StatusOr<std::string> RecordWriter::write(ArrayRef<CodeOrigin> origins) {
  for (const CodeOrigin &origin : origins)
    if (origin.range.isValid())
      files[origin.range.buffer()].add(origin.range);
  if (files.empty())
    return std::string();
  for (auto &[buffer, parts] : files)
    parts.merge();
  number(""); // of what came from nowhere
  std::vector<IValue> records;
  if (origins.front().offset != 0)
    records.push_back(record({0, SourceRange()}));
  for (const auto &[i, origin] : llvm::enumerate(origins))
    if (i == 0 || origin.range != origins[i - 1].range) // a record holds until the next one
      records.push_back(record(origin));
  Pickler pickler(PickleObjects::Program);
  TSC_RETURN_IF_ERROR(
      pickler.write(makeTuple({IValue(withTable.str()), makeTuple(std::move(table)), makeTuple(std::move(records))})));
  return pickler.finish();
}

StatusOr<std::string> tsc::writeDebugRecords(ArrayRef<CodeOrigin> origins) { return RecordWriter().write(origins); }
