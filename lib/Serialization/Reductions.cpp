//===- Reductions.cpp - Making archives small -----------------------------===//
//
// Code is taken apart as text: its layout says where a definition or a statement
// ends. Whether what is left still loads is for the test to say. Values are
// loaded, changed and pickled anew, which also drops attributes that no class
// declares any more, with their storages.
//
//===----------------------------------------------------------------------===//
#include "tsc/Serialization/Reductions.h"
#include "Pickler.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/Serialization/Archive.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
using namespace tsc;
using llvm::StringRef;

namespace {

/// The files of an archive, in order.
using Files = std::vector<std::pair<std::string, std::string>>;

std::optional<Files> readFiles(StringRef archive) {
  if (!ZipReader::looksLikeZip(archive))
    return std::nullopt;
  auto zip = ZipReader::open({archive, nullptr});
  if (!zip.ok())
    return std::nullopt;
  Files files;
  for (const std::string &name : zip->names()) {
    auto bytes = zip->read(name);
    if (!bytes.ok())
      return std::nullopt;
    files.emplace_back(name, bytes->data.str());
  }
  return files;
}

std::string writeFiles(const Files &files) {
  ZipWriter zip;
  for (const auto &[name, data] : files)
    zip.add(name, data);
  return zip.finish();
}

bool isCode(StringRef name) { return name.contains("/code/") && name.ends_with(".py"); }

/// Files that no part of the others may need: debug records, extra files, storages nobody refers to.
class WholeFiles final : public Reduction {
public:
  StringRef name() const override { return "files"; }
  size_t takeApart(StringRef input) override {
    auto read = readFiles(input);
    files = read ? std::move(*read) : Files();
    return files.size();
  }
  std::optional<std::string> without(const llvm::BitVector &removed) override {
    Files left;
    for (size_t i = 0; i != files.size(); ++i)
      if (!removed.test(i))
        left.push_back(files[i]);
    return writeFiles(left);
  }

private:
  Files files;
};

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

size_t indentOf(StringRef line) { return line.size() - line.ltrim(' ').size(); }

/// A line, with those after it that are indented farther: a definition, a statement, or a block with all that is in it.
struct Passage {
  size_t file, firstLine, endLine;
};

/// Passages of code that a predicate picks by their first lines.
class CodePassages final : public Reduction {
public:
  enum class Level { File, Class, Function };
  using Predicate = bool (*)(StringRef line, Level level);
  CodePassages(StringRef name, Predicate picks) : reductionName(name), picks(picks) {}

  StringRef name() const override { return reductionName; }

  size_t takeApart(StringRef input) override {
    passages.clear();
    auto read = readFiles(input);
    files = read ? std::move(*read) : Files();
    lines.assign(files.size(), {});
    for (size_t i = 0; i != files.size(); ++i) {
      if (!isCode(files[i].first))
        continue;
      StringRef(files[i].second).split(lines[i], '\n');
      findPassages(i);
    }
    return passages.size();
  }

  std::optional<std::string> without(const llvm::BitVector &removed) override {
    std::vector<llvm::BitVector> goes;
    for (auto &text : lines)
      goes.emplace_back(text.size());
    for (unsigned part : removed.set_bits())
      goes[passages[part].file].set(passages[part].firstLine, passages[part].endLine);
    Files changed = files;
    for (size_t i = 0; i != files.size(); ++i)
      if (goes[i].any())
        changed[i].second = remaining(lines[i], goes[i]);
    return writeFiles(changed);
  }

private:
  void findPassages(size_t file) {
    const auto &text = lines[file];
    llvm::SmallVector<std::pair<size_t, Level>> around; // indentation of what encloses, and what its inside is
    for (size_t i = 0; i != text.size(); ++i) {
      StringRef line = text[i].trim(' ');
      if (line.empty())
        continue;
      size_t indent = indentOf(text[i]);
      while (!around.empty() && around.back().first >= indent)
        around.pop_back();
      Level level = around.empty() ? Level::File : around.back().second;
      size_t end = i + 1;
      while (end != text.size() && (text[end].trim(' ').empty() || indentOf(text[end]) > indent))
        ++end;
      if (picks(line, level))
        passages.push_back({file, i, end});
      around.push_back({indent, line.starts_with("class ") ? Level::Class
                                : line.starts_with("def ") ? Level::Function
                                                           : level});
    }
  }
  static std::string remaining(llvm::ArrayRef<StringRef> text, const llvm::BitVector &goes) {
    std::string left;
    for (size_t i = 0; i != text.size(); ++i)
      if (!goes.test(i))
        left += (text[i] + (i + 1 == text.size() ? "" : "\n")).str();
    return left;
  }

  std::string reductionName;
  Predicate picks;
  Files files;
  std::vector<llvm::SmallVector<StringRef, 0>> lines; ///< Of each file of code.
  std::vector<Passage> passages;
};

bool isDefinition(StringRef line, CodePassages::Level level) {
  return line.starts_with("class ") || (line.starts_with("def ") && level != CodePassages::Level::Function);
}
bool isAttribute(StringRef line, CodePassages::Level level) {
  return level == CodePassages::Level::Class && !line.starts_with("def ") && !line.starts_with("__") &&
         line.contains(" : ");
}
bool isStatement(StringRef line, CodePassages::Level level) {
  return level == CodePassages::Level::Function && !line.starts_with("def ");
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Tensors become copies of their first element, of which the archive holds one. The last part is what no class
/// declares any more.
class Tensors final : public Reduction {
public:
  StringRef name() const override { return "values"; }

  size_t takeApart(StringRef input) override {
    archive = input.str();
    auto read = readFiles(archive);
    if (!read)
      return 0;
    files = std::move(*read);
    Loaded loaded(archive);
    return loaded.object() ? loaded.tensors().size() + 1 : 0;
  }

  std::optional<std::string> without(const llvm::BitVector &removed) override {
    Loaded loaded(archive);
    if (!loaded.object())
      return std::nullopt;
    std::vector<Tensor> tensors = loaded.tensors();
    for (unsigned part : removed.set_bits())
      if (part < tensors.size() && !flatten(tensors[part]))
        return std::nullopt;
    return write(*loaded.object());
  }

private:
  /// An archive's object, with what keeps it alive.
  class Loaded {
  public:
    explicit Loaded(StringRef archive) : unit(context), compiler(unit, diags, prelude()) {
      auto contents = loadArchive(compiler, Bytes{archive, nullptr});
      if (contents.ok() && contents->object.isObject())
        value = contents->object;
    }
    ~Loaded() { value.reset(); }
    const std::optional<IValue> &object() const { return value; }
    /// Those with more than one element in memory, in the order of their attributes.
    std::vector<Tensor> tensors() const {
      std::vector<Tensor> found;
      llvm::SmallPtrSet<const RefCounted *, 16> seen;
      collect(*value, found, seen);
      return found;
    }

  private:
    static void collect(const IValue &value, std::vector<Tensor> &found,
                        llvm::SmallPtrSetImpl<const RefCounted *> &seen) {
      if (!value.isCounted() || !seen.insert(value.counted()).second)
        return;
      if (value.isTensor() && value.asTensor().numel() &&
          value.asTensor().get()->storage->size() > itemSize(value.asTensor().dtype()))
        found.push_back(value.toTensor());
      if (value.isObject())
        for (const IValue &slot : value.toObject().slots)
          collect(slot, found, seen);
    }
    Context context;
    DiagnosticEngine diags;
    CompilationUnit unit;
    Compiler compiler;
    std::optional<IValue> value;
  };

  /// In place, so that whoever shares the tensor sees it.
  static bool flatten(Tensor &tensor) {
    auto first = tensor.alias({}, {}, tensor.storageOffset());
    auto single = Tensor::scalar(first.at(0), tensor.dtype());
    if (!single.ok())
      return false;
    TensorImpl *impl = tensor.get();
    impl->storage = single->get()->storage;
    impl->offset = 0;
    impl->strides.assign(impl->sizes.size(), 0);
    impl->contiguous = isContiguous(impl->sizes, impl->strides);
    return true;
  }

  std::optional<std::string> write(const IValue &object) const {
    Pickler pickler(PickleObjects::Write);
    if (!pickler.write(object).ok())
      return std::nullopt;
    Files changed;
    for (const auto &[name, data] : files) {
      StringRef root = StringRef(name).take_until([](char c) { return c == '/'; });
      if (name == (root + "/data.pkl").str()) {
        changed.emplace_back(name, pickler.finish());
        for (auto [i, storage] : llvm::enumerate(pickler.storages()))
          changed.emplace_back((root + "/data/" + llvm::Twine(i)).str(),
                               std::string(static_cast<const char *>(storage->data()), storage->size()));
      } else if (!StringRef(name).starts_with((root + "/data/").str())) {
        changed.emplace_back(name, data);
      }
    }
    return writeFiles(changed);
  }

  std::string archive;
  Files files;
};

} // namespace

void tsc::addArchiveReductions(Reductions &reductions) {
  reductions.push_back(std::make_unique<Tensors>());
  reductions.push_back(std::make_unique<CodePassages>("classes, methods and functions", isDefinition));
  reductions.push_back(std::make_unique<CodePassages>("statements", isStatement));
  reductions.push_back(std::make_unique<CodePassages>("attributes", isAttribute));
  reductions.push_back(std::make_unique<WholeFiles>());
}
