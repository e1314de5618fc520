//===- ErrorWriter.cpp - In which form errors are told --------------------===//
#include "ErrorWriter.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <mutex>

using namespace tsc;
using namespace tsc::run;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

class TextWriter final : public ErrorWriter {
public:
  explicit TextWriter(llvm::raw_ostream &os) : os(os) {}
  void diagnostic(const Diagnostic &diagnostic) override {
    std::lock_guard lock(mutex);
    diagnostic.print(os);
  }
  void failure(StringRef message, StringRef stack) override {
    std::lock_guard lock(mutex);
    os << "tsc-run: error: " << message << '\n';
    if (!stack.empty())
      os << stack << '\n';
  }

private:
  std::mutex mutex;
  llvm::raw_ostream &os;
};

StringRef nameOf(Severity severity) {
  switch (severity) {
  case Severity::Error: return "error";
  case Severity::Warning: return "warning";
  case Severity::Remark: return "remark";
  case Severity::Note: return "note";
  }
  return "error";
}

/// JSON is UTF-8; a source file may be anything.
std::string utf8(StringRef text) { return json::isUTF8(text) ? text.str() : json::fixUTF8(text); }

/// First and last position, 1-based, columns counted in code points.
struct Region {
  unsigned line = 0, column = 0, endLine = 0, endColumn = 0;
};

unsigned columnAt(const SourceBuffer &buffer, LineColumn at) {
  if (!buffer.hasText())
    return at.column + 1;
  StringRef before = buffer.line(at.line).take_front(at.column);
  return 1 + llvm::count_if(before, [](unsigned char c) { return (c & 0xC0) != 0x80; });
}

Region regionOf(SourceRange range) {
  const SourceBuffer &buffer = *range.buffer();
  const LineColumn begin = range.lineColumn();
  const LineColumn end = buffer.hasText() ? buffer.lineColumn(range.end()) : begin;
  return {begin.line, columnAt(buffer, begin), end.line, columnAt(buffer, end)};
}

//===-- JSON ---------------------------------------------------------------===//

json::Object toJson(const Diagnostic &diagnostic) {
  json::Object object{{"severity", nameOf(diagnostic.severity)}, {"message", utf8(diagnostic.message)}};
  if (diagnostic.kind)
    object["kind"] = diagnostic.kind->name;
  if (diagnostic.range.isValid()) {
    const Region region = regionOf(diagnostic.range);
    object["file"] = utf8(diagnostic.range.buffer()->name());
    object["line"] = region.line;
    object["column"] = region.column;
    object["end_line"] = region.endLine;
    object["end_column"] = region.endColumn;
  }
  if (!diagnostic.fixIt.empty())
    object["fix"] = utf8(diagnostic.fixIt);
  if (!diagnostic.notes.empty()) {
    json::Array notes;
    for (const Diagnostic &note : diagnostic.notes)
      notes.push_back(toJson(note));
    object["notes"] = std::move(notes);
  }
  return object;
}

class JsonWriter final : public ErrorWriter {
public:
  explicit JsonWriter(llvm::raw_ostream &os) : os(os) {}
  void diagnostic(const Diagnostic &diagnostic) override { write(toJson(diagnostic)); }
  void failure(StringRef message, StringRef stack) override {
    json::Object object{{"severity", "error"}, {"message", utf8(message)}};
    if (!stack.empty())
      object["stack"] = utf8(stack);
    write(std::move(object));
  }

private:
  void write(json::Object object) {
    std::lock_guard lock(mutex);
    os << json::Value(std::move(object)) << '\n';
  }
  std::mutex mutex;
  llvm::raw_ostream &os;
};

//===-- SARIF --------------------------------------------------------------===//
// Static Analysis Results Interchange Format 2.1.0, OASIS Standard, 2020.

json::Object sarifRegion(SourceRange range) {
  const Region region = regionOf(range);
  return json::Object{{"startLine", region.line},
                      {"startColumn", region.column},
                      {"endLine", region.endLine},
                      {"endColumn", region.endColumn}};
}

json::Object sarifFile(SourceRange range) { return json::Object{{"uri", utf8(range.buffer()->name())}}; }

json::Object sarifLocation(SourceRange range) {
  return json::Object{
      {"physicalLocation", json::Object{{"artifactLocation", sarifFile(range)}, {"region", sarifRegion(range)}}}};
}

json::Object sarifMessage(StringRef text) { return json::Object{{"text", utf8(text)}}; }

StringRef sarifLevel(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "note";
}

class SarifWriter final : public ErrorWriter {
public:
  explicit SarifWriter(llvm::raw_ostream &os) : os(os) {}

  void diagnostic(const Diagnostic &diagnostic) override {
    json::Object result{{"level", sarifLevel(diagnostic.severity)}, {"message", sarifMessage(diagnostic.message)}};
    if (diagnostic.range.isValid())
      result["locations"] = json::Array{sarifLocation(diagnostic.range)};
    json::Array related;
    for (const Diagnostic &note : diagnostic.notes) {
      json::Object location = note.range.isValid() ? sarifLocation(note.range) : json::Object{};
      location["message"] = sarifMessage(note.message);
      related.push_back(std::move(location));
    }
    if (!related.empty())
      result["relatedLocations"] = std::move(related);
    if (!diagnostic.fixIt.empty() && diagnostic.range.isValid())
      result["fixes"] = json::Array{json::Object{
          {"artifactChanges",
           json::Array{json::Object{
               {"artifactLocation", sarifFile(diagnostic.range)},
               {"replacements", json::Array{json::Object{{"deletedRegion", sarifRegion(diagnostic.range)},
                                                         {"insertedContent", sarifMessage(diagnostic.fixIt)}}}}}}}}};
    add(std::move(result), diagnostic.kind ? diagnostic.kind->name : "");
  }

  void failure(StringRef message, StringRef stack) override {
    json::Object result{{"level", "error"}, {"message", sarifMessage(message)}};
    if (!stack.empty())
      result["properties"] = json::Object{{"stack", utf8(stack)}};
    add(std::move(result), "");
  }

  void finish() override {
    json::Array kinds;
    for (const auto &[name, index] : rules)
      kinds.push_back(json::Object{{"id", name}});
    json::Object driver{{"name", "tsc-run"}, {"version", TSC_VERSION}, {"rules", std::move(kinds)}};
    json::Object run{{"tool", json::Object{{"driver", std::move(driver)}}},
                     {"columnKind", "unicodeCodePoints"},
                     {"results", std::move(results)}};
    os << llvm::formatv("{0:2}", json::Value(json::Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                                                          {"version", "2.1.0"},
                                                          {"runs", json::Array{std::move(run)}}}))
       << '\n';
  }

private:
  void add(json::Object result, StringRef kind) {
    std::lock_guard lock(mutex);
    if (!kind.empty()) {
      const int64_t next = rules.size();
      result["ruleId"] = kind;
      result["ruleIndex"] = rules.insert({kind.str(), next}).first->second;
    }
    results.push_back(std::move(result));
  }

  std::mutex mutex;
  llvm::raw_ostream &os;
  llvm::MapVector<std::string, int64_t, std::map<std::string, unsigned>> rules;
  json::Array results;
};

} // namespace

std::unique_ptr<ErrorWriter> run::makeErrorWriter(ErrorFormat format, llvm::raw_ostream &os) {
  switch (format) {
  case ErrorFormat::Text: return std::make_unique<TextWriter>(os);
  case ErrorFormat::Json: return std::make_unique<JsonWriter>(os);
  case ErrorFormat::Sarif: return std::make_unique<SarifWriter>(os);
  }
  return nullptr;
}
