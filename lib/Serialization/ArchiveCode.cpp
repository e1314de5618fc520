//===- ArchiveCode.cpp - The texts of an archive's code -------------------===//
#include "ArchiveCode.h"
#include "DebugRecords.h"
#include "Devices.h"
#include "tsc/Frontend/ArchiveCode.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace tsc;
using llvm::StringRef;

const SourceBuffer *ArchiveCode::find(StringRef module) {
  if (auto entry = known.find(module); entry != known.end())
    return entry->second;
  std::string file = "code/" + module.str() + ".py";
  std::replace(file.begin() + 5, file.end() - 3, '.', '/');
  StatusOr<Bytes> text = zip->read(prefix + file);
  if (!text.ok())
    return known[module] = nullptr;
  std::string records = prefix + file + ".debug_pkl";
  const SourceBuffer &buffer = context.sources().add(std::move(file), text->data.str());
  origins.push_back(readDebugRecords(context, zip, std::move(records)));
  origins.back()->attachTo(buffer);
  return known[module] = &buffer;
}

std::vector<std::string> ArchiveCode::modules() const {
  std::vector<std::string> found;
  for (StringRef name : zip->names())
    if (name.consume_front(prefix) && name.consume_front("code/") && name.consume_back(".py")) {
      found.push_back(name.str());
      std::replace(found.back().begin(), found.back().end(), '/', '.');
    }
  return found;
}

//===----------------------------------------------------------------------===//
// Looking over code
//===----------------------------------------------------------------------===//

static bool startsName(char c) { return llvm::isAlpha(c) || c == '_'; }
static bool isInName(char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; }

/// Where the string literal that begins at `at` ends.
static size_t endOfString(StringRef text, size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
  return std::min(at + 1, text.size());
}

void CodeScan::addDevice(const SourceBuffer &buffer, size_t begin, size_t end) {
  StringRef rest = buffer.text().substr(end), device = "cuda";
  if (!rest.consume_front("(") || devicePlace.isValid())
    return;
  if (buffer.text().slice(begin, end) == "torch.device") {
    if (rest.empty() || (rest[0] != '"' && rest[0] != '\''))
      return;
    device = rest.slice(1, endOfString(rest, 0) - 1);
  }
  StringRef kind = device.split(':').first;
  if (kind == "cpu" || kind == "meta" || !isPyTorchDevice(device))
    return;
  devicePlace = SourceRange(buffer, begin, end);
  firstDevice = device.str();
}

unsigned CodeScan::partOf(unsigned node, StringRef part) {
  auto [found, isNew] = parts.try_emplace({node, part}, isDefinition.size());
  if (isNew)
    isDefinition.push_back(false);
  return found->second;
}

bool CodeScan::definesStartOf(StringRef path) const {
  unsigned node = 0;
  for (StringRef part; !path.empty() && !isDefinition[node];) {
    std::tie(part, path) = path.split('.');
    auto found = parts.find({node, part});
    if (found == parts.end())
      return false;
    node = found->second;
  }
  return isDefinition[node];
}

void CodeScan::add(StringRef module, const SourceBuffer &buffer) {
  unsigned node = 0; // of the module
  for (StringRef rest = moduleNames.insert(module).first->first(), part; !rest.empty();) {
    std::tie(part, rest) = rest.split('.');
    node = partOf(node, part);
  }
  const StringRef text = buffer.text();
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = endOfString(text, at);
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (!startsName(c)) { // numbers too, so that 1e5 is no name
      do
        ++at;
      while (llvm::isDigit(c) && at < text.size() && isInName(text[at]));
      continue;
    }
    const size_t begin = at;
    while (at < text.size() && isInName(text[at]))
      ++at;
    StringRef name = text.slice(begin, at);
    const bool startsLine = !begin || text[begin - 1] == '\n';
    if (startsLine && name == "import") { // of format version 1; what code uses of it stands there with its full name
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (startsLine && (name == "class" || name == "def")) {
      StringRef defined = text.substr(at).ltrim(' ').take_while([](char c) { return isInName(c) && c != '.'; });
      isDefinition[partOf(node, defined)] = true;
      continue;
    }
    if (begin && (text[begin - 1] == '.' || text[begin - 1] == ')'))
      continue; // a member of a value
    const bool isCalled = at < text.size() && text[at] == '(';
    const StringRef head = name.split('.').first;
    if (name == "torch.device" || name == "torch.cuda")
      addDevice(buffer, begin, at);
    if ((isCalled && (head == "torch" || head == "ops")) || head == "__torch__")
      if (name.contains('.') && name.back() != '.') {
        auto [entry, isNew] = names.try_emplace(name);
        if (isNew)
          order.push_back(&*entry);
        entry->second.add(SourceRange(buffer, begin, at));
      }
  }
}

//===----------------------------------------------------------------------===//
// What is missing
//===----------------------------------------------------------------------===//

static constexpr DiagnosticKind missingOperator{Severity::Warning, "MissingOperator",
                                                "this build has no operator '{0}', which the archive calls{1}"},
    missingClass{Severity::Warning, "MissingClass", "nothing defines '{0}', which the archive names{1}"};

/// The name that is missing when `path`, below `__torch__`, is mentioned: "" when nothing is.
static std::string missingDefinition(Compiler &compiler, const CodeScan &scan, StringRef path) {
  if (path.starts_with(nativeClasses)) {
    llvm::SmallVector<StringRef> parts;
    path.split(parts, '.');
    if (parts.size() < 5)
      return "";
    std::string name = llvm::join(llvm::ArrayRef(parts).take_front(5), ".");
    return compiler.findType(name) ? "" : name;
  }
  path.consume_back(".__new__");
  return scan.definesStartOf(path) ? "" : path.str();
}

/// `aten::add` of torch.add, `quantized::add` of ops.quantized.add.
static std::string operatorOf(StringRef path) {
  auto [space, name] = path.rsplit('.');
  return (space.consume_front("ops.") ? space.str() : "aten") + "::" + name.str();
}

/// What to do about an operator that no build can have.
static StringRef adviceFor(StringRef name) {
  if (name == "prim::ConstantMKLDNNTensor")
    return "torch.jit.save leaves out weights that torch.jit.optimize_for_inference has put here, and no PyTorch loads "
           "this archive: save the module that was optimized";
  return "";
}

bool tsc::reportMissing(Compiler &compiler, const CodeScan &scan) {
  using Missing = llvm::MapVector<std::string, CodeScan::Places, std::map<std::string, unsigned>>;
  Missing operators, classes;
  for (const CodeScan::Reference *reference : scan.references()) {
    const StringRef path = reference->first();
    const bool isDefinition = path.starts_with("__torch__");
    std::string name = isDefinition                           ? missingDefinition(compiler, scan, path)
                       : knowsArchiveFunction(compiler, path) ? ""
                                                              : operatorOf(path);
    if (name.empty())
      continue;
    Missing &missing = isDefinition ? classes : operators;
    missing[name].add(reference->second);
  }
  auto report = [&](const Missing &missing, const DiagnosticKind &kind) {
    for (const auto &[name, places] : missing) {
      const size_t others = places.count - 1;
      std::string count = !others       ? " here"
                          : others == 1 ? " here and in one more place"
                                        : " here and in " + std::to_string(others) + " more places";
      Diagnostic warning{&kind, kind.severity, places.first[0], llvm::formatv(kind.format, name, count).str(), {}, {}};
      if (StringRef advice = adviceFor(name); !advice.empty())
        warning.notes.push_back({nullptr, Severity::Note, places.first[0], advice.str(), {}, {}});
      for (SourceRange place : llvm::ArrayRef(places.first).drop_front())
        warning.notes.push_back({nullptr, Severity::Note, originOrSelf(place), "and here", {}, {}});
      compiler.diagnostics().emit(std::move(warning));
    }
  };
  report(classes, missingClass);
  report(operators, missingOperator);
  return !classes.empty() || !operators.empty();
}
