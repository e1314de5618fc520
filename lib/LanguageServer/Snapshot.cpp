//===- Snapshot.cpp - What the compiler says of one text ------------------===//
#include "tsc/LanguageServer/Snapshot.h"
#include "tsc/Engine/Program.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Serialization/Zip.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using namespace tsc::lsp;
using llvm::StringRef;
using Meaning = ExpressionFacts::Meaning;

/// What a file may use that is run because somebody looks at it.
static constexpr uint64_t maxMemory = uint64_t(4) << 30, maxSteps = 20'000'000, maxOutput = 1 << 20;

struct Snapshot::Impl final : CompileObserver {
  Impl(std::string path, std::string text, int64_t version)
      : path(std::move(path)), text(std::move(text)), version(version) {}

  void compile() {
    EngineOptions options;
    options.sourceFolder = llvm::sys::path::parent_path(path).str(); // what it imports
    options.optimization = 0;
    options.plans = CompileMode::Off;
    options.loadingQuotas.memory = maxMemory;
    options.loadingQuotas.steps = maxSteps;
    options.loadingQuotas.output = maxOutput;
    options.compileObserver = this;
    options.onDiagnostic = [this](const Diagnostic &diagnostic) { diagnostics.push_back(placed(diagnostic)); };
    program.emplace(Program::inspect(Bytes{text, {}}, path, std::move(options)));
    for (auto &[key, record] : noted)
      records.push_back(std::move(record));
    noted.clear();
    llvm::sort(records, [](const ExpressionRecord &a, const ExpressionRecord &b) {
      return std::pair(a.span.end, a.span.begin) < std::pair(b.span.end, b.span.begin);
    });
  }

  bool isOurs(const SourceBuffer &buffer) const { return buffer.name() == path && buffer.text().size() == text.size(); }

  PlacedDiagnostic placed(const Diagnostic &diagnostic) const {
    PlacedDiagnostic result{diagnostic.severity,
                            diagnostic.kind ? diagnostic.kind->name : "",
                            diagnostic.message,
                            diagnostic.fixIt,
                            "",
                            {},
                            {}};
    if (diagnostic.range.isValid()) {
      const SourceBuffer &buffer = *diagnostic.range.buffer();
      if (isOurs(buffer))
        result.span = {diagnostic.range.begin(), diagnostic.range.end()};
      else
        result.file = buffer.name().str();
    }
    for (const Diagnostic &note : diagnostic.notes)
      result.notes.push_back(placed(note));
    return result;
  }

  ExpressionRecord *note(SourceRange range) {
    if (!range.isValid() || !isOurs(*range.buffer()))
      return nullptr;
    ExpressionRecord &record = noted[{range.begin(), range.end()}];
    record.span = {range.begin(), range.end()};
    return &record;
  }

  void expression(SourceRange range, const ExpressionFacts &facts) override {
    ExpressionRecord *record = note(range);
    if (!record)
      return;
    if (record->facts.meaning == Meaning::Other || facts.meaning == Meaning::Value)
      record->facts = facts;
    if (facts.overload)
      if (ExpressionRecord *callee = note(facts.callee))
        callee->calledOverload = facts.overload;
  }

  void evaluated(SourceRange range, StringRef type) override {
    if (ExpressionRecord *record = note(range))
      record->evaluated = type.str();
  }

  void compiled(SourceRange name, Function &function) override {
    if (!isOurs(*name.buffer()))
      return;
    functions[name.begin()] = &function;
    StringRef qualified = function.qualifiedName();
    graphs[plainName(qualified)] = &function;
    graphs[qualified] = &function;
  }

  /// `__torch__.Net.___torch_mangle_1.forward` as `Net.forward`.
  static std::string plainName(StringRef qualified) {
    llvm::SmallVector<StringRef, 4> parts, kept;
    qualified.split(parts, '.');
    for (StringRef part : parts)
      if (part != "__torch__" && !part.starts_with("___torch_mangle"))
        kept.push_back(part);
    return llvm::join(kept, ".");
  }

  const std::string path, text;
  const int64_t version;
  std::vector<PlacedDiagnostic> diagnostics;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, ExpressionRecord> noted;
  std::vector<ExpressionRecord> records; ///< By end, then by begin.
  llvm::DenseMap<uint32_t, Function *> functions;
  llvm::StringMap<Function *> graphs;
  std::optional<Program> program;
};

Snapshot::Snapshot(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Snapshot::~Snapshot() = default;
StringRef Snapshot::text() const { return impl->text; }
int64_t Snapshot::version() const { return impl->version; }
llvm::ArrayRef<PlacedDiagnostic> Snapshot::diagnostics() const { return impl->diagnostics; }

bool Snapshot::hasRecords() const { return !impl->records.empty(); }

std::shared_ptr<Snapshot> Snapshot::make(std::string path, std::string text, int64_t version) {
  auto impl = std::make_unique<Impl>(std::move(path), std::move(text), version);
  impl->compile();
  return std::shared_ptr<Snapshot>(new Snapshot(std::move(impl)));
}

const ExpressionRecord *Snapshot::endingAt(size_t end, size_t notAfter) const {
  auto after = std::upper_bound(impl->records.begin(), impl->records.end(), std::pair(end, notAfter),
                                [](const std::pair<size_t, size_t> &key, const ExpressionRecord &record) {
                                  return key < std::pair(record.span.end, record.span.begin);
                                });
  if (after == impl->records.begin() || std::prev(after)->span.end != end)
    return nullptr;
  return &*std::prev(after);
}

const ExpressionRecord *Snapshot::largestEndingAt(size_t end) const {
  auto first = llvm::lower_bound(impl->records, end,
                                 [](const ExpressionRecord &record, size_t at) { return record.span.end < at; });
  return first != impl->records.end() && first->span.end == end ? &*first : nullptr;
}

const ExpressionRecord *Snapshot::valueNamed(StringRef name, size_t near, Span within) const {
  const ExpressionRecord *nearest = nullptr;
  auto distance = [&](const ExpressionRecord &record) {
    // What comes later sees what was set here.
    return record.span.begin >= near ? record.span.begin - near : (near - record.span.begin) + impl->text.size();
  };
  for (const ExpressionRecord &record : impl->records)
    if (record.span.begin >= within.begin && record.span.end <= within.end &&
        record.span.end - record.span.begin == name.size() && record.facts.meaning == Meaning::Value &&
        StringRef(impl->text).substr(record.span.begin, name.size()) == name &&
        (!nearest || distance(record) < distance(*nearest)))
      nearest = &record;
  return nearest;
}

const Function *Snapshot::functionNamedAt(size_t begin) const { return impl->functions.lookup(begin); }

StatusOr<std::string> Snapshot::showGraph(StringRef name) const {
  const Function *function = impl->graphs.lookup(name);
  if (!function || !function->graph()) {
    std::string known;
    for (const auto &entry : impl->graphs)
      if (!entry.getKey().starts_with("__torch__"))
        known += (known.empty() ? "" : ", ") + entry.getKey().str();
    return notFound("no function '" + name + "' was compiled; there are: " + (known.empty() ? "none" : known));
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  function->graph()->print(os);
  return text;
}

//===-- Types as text ------------------------------------------------------===//

std::string tsc::lsp::typeText(const Type *type) {
  if (!type)
    return "";
  if (type == Type::inferredTensorType())
    return "Tensor";
  std::string text = type->annotation();
  for (StringRef prefix : {"__torch__."})
    for (size_t at = text.find(prefix.str()); at != std::string::npos; at = text.find(prefix.str(), at))
      text.erase(at, prefix.size());
  for (size_t at = text.find("___torch_mangle_"); at != std::string::npos; at = text.find("___torch_mangle_", at)) {
    size_t end = text.find('.', at);
    text.erase(at, end == std::string::npos ? std::string::npos : end + 1 - at);
  }
  return text;
}

StringRef tsc::lsp::classNameOf(const Type *type) {
  StringRef name;
  if (auto *known = llvm::dyn_cast_or_null<NamedType>(type))
    name = known->name();
  else if (auto *tuple = llvm::dyn_cast_or_null<TupleType>(type); tuple && tuple->isNamed())
    name = tuple->name();
  return name.drop_front(name.rfind('.') + 1);
}
