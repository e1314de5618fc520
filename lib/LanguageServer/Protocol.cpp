//===- Protocol.cpp - What answers look like as JSON ----------------------===//
#include "Protocol.h"
#include "Documents.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace tsc;
using namespace tsc::lsp;
using llvm::StringRef;
namespace json = llvm::json;

std::string tsc::lsp::asUtf8(StringRef text) { return json::isUTF8(text) ? text.str() : json::fixUTF8(text); }

json::Value tsc::lsp::toJson(Position position) {
  return json::Object{{"line", position.line}, {"character", position.character}};
}

json::Value tsc::lsp::toJson(const Text &text, Span span) {
  return json::Object{{"start", toJson(text.position(span.begin))}, {"end", toJson(text.position(span.end))}};
}

std::optional<Position> tsc::lsp::positionFrom(const json::Value *value) {
  const json::Object *object = value ? value->getAsObject() : nullptr;
  std::optional<int64_t> line = object ? object->getInteger("line") : std::nullopt;
  std::optional<int64_t> character = object ? object->getInteger("character") : std::nullopt;
  if (!line || !character || *line < 0 || *character < 0 || *line > UINT32_MAX || *character > UINT32_MAX)
    return std::nullopt;
  return Position{static_cast<unsigned>(*line), static_cast<unsigned>(*character)};
}

/// A fence that the code does not hold.
static std::string fenced(StringRef code) {
  std::string fence = "```";
  while (code.contains(fence))
    fence += "`";
  return fence + "python\n" + code.str() + "\n" + fence;
}

json::Value tsc::lsp::toJson(const Hover &hover, const Text &text) {
  std::string markdown = fenced(hover.code);
  if (!hover.documentation.empty())
    markdown += "\n\n" + hover.documentation;
  return json::Object{{"contents", json::Object{{"kind", "markdown"}, {"value", asUtf8(markdown)}}},
                      {"range", toJson(text, hover.span)}};
}

json::Value tsc::lsp::toJson(const Location &location) {
  return json::Object{{"uri", Documents::uriOf(location.file->path)},
                      {"range", toJson(location.file->text, location.span)}};
}

json::Value tsc::lsp::toJson(const SignatureHelp &help) {
  json::Array signatures;
  for (const Signature &signature : help.signatures) {
    json::Array parameters;
    for (const std::string &parameter : signature.parameters)
      parameters.push_back(json::Object{{"label", asUtf8(parameter)}});
    json::Object object{{"label", asUtf8(signature.label)}, {"parameters", std::move(parameters)}};
    if (!signature.documentation.empty())
      object["documentation"] = asUtf8(signature.documentation);
    signatures.push_back(std::move(object));
  }
  return json::Object{{"signatures", std::move(signatures)},
                      {"activeSignature", help.activeSignature},
                      {"activeParameter", help.activeParameter}};
}

/// CompletionItemKind.
static int numberOf(CompletionKind kind) {
  switch (kind) {
  case CompletionKind::Method: return 2;
  case CompletionKind::Function: return 3;
  case CompletionKind::Field: return 5;
  case CompletionKind::Variable: return 6;
  case CompletionKind::Class: return 7;
  case CompletionKind::Module: return 9;
  case CompletionKind::Parameter: return 10;
  case CompletionKind::Keyword: return 14;
  case CompletionKind::Constant: return 21;
  }
  return 1;
}

json::Value tsc::lsp::completionsToJson(llvm::ArrayRef<Completion> items) {
  // Editors replace the word before the cursor, which is what is completed: a thousand ranges would say no more.
  json::Array array;
  array.reserve(items.size());
  for (const Completion &item : items) {
    json::Object object{{"label", asUtf8(item.label)}, {"kind", numberOf(item.kind)}};
    if (!item.detail.empty())
      object["detail"] = asUtf8(item.detail);
    if (!item.lookUp.empty())
      object["data"] = item.lookUp;
    array.push_back(std::move(object));
  }
  return json::Object{{"isIncomplete", false}, {"items", std::move(array)}};
}

json::Value tsc::lsp::symbolsToJson(const FileOutline &file) {
  using Kind = OutlineSymbol::Kind;
  llvm::ArrayRef<OutlineSymbol> symbols = file.outline.symbols();
  std::vector<json::Array> children(symbols.size() + 1); // behind each one those below it; at the end the top level
  std::map<std::pair<int, StringRef>, size_t> first;
  for (auto [i, symbol] : llvm::enumerate(symbols))
    first.try_emplace({symbol.parent, symbol.name}, i);
  // From the last one on: what stands within a definition comes behind it.
  for (size_t i = symbols.size(); i-- > 0;) {
    const OutlineSymbol &symbol = symbols[i];
    const size_t parent = symbol.parent < 0 ? symbols.size() : symbol.parent;
    const bool isInClass = symbol.parent >= 0 && symbols[symbol.parent].kind == Kind::Class;
    const bool isDefinition = symbol.kind == Kind::Function || symbol.kind == Kind::Class;
    const bool isVariable = symbol.kind == Kind::Variable && (symbol.parent < 0 || isInClass);
    if (!isDefinition && !isVariable && symbol.kind != Kind::Attribute)
      continue;
    if (!isDefinition && first[{symbol.parent, symbol.name}] != i) // set several times
      continue;
    const int kind = symbol.kind == Kind::Class       ? 5
                     : symbol.kind == Kind::Attribute ? 8
                     : isVariable                     ? (isInClass ? 8 : 13)
                     : isInClass                      ? 6
                                                      : 12;
    json::Object object{{"name", asUtf8(symbol.name)},
                        {"detail", asUtf8(symbol.head)},
                        {"kind", kind},
                        {"range", toJson(file.text, symbol.whole)},
                        {"selectionRange", toJson(file.text, symbol.at)}};
    std::reverse(children[i].begin(), children[i].end());
    if (!children[i].empty())
      object["children"] = std::move(children[i]);
    children[parent].push_back(std::move(object));
  }
  std::reverse(children.back().begin(), children.back().end());
  return std::move(children.back());
}

//===-- Diagnostics --------------------------------------------------------===//

/// DiagnosticSeverity.
static int numberOf(Severity severity) {
  switch (severity) {
  case Severity::Error: return 1;
  case Severity::Warning: return 2;
  case Severity::Remark: return 3;
  case Severity::Note: return 4;
  }
  return 1;
}

json::Value tsc::lsp::diagnosticsToJson(const Snapshot &snapshot, const FileOutline &file, StringRef uri) {
  json::Array array;
  for (const PlacedDiagnostic &diagnostic : snapshot.diagnostics()) {
    json::Object object{
        {"range", toJson(file.text, diagnostic.span)}, {"severity", numberOf(diagnostic.severity)}, {"source", "tsc"}};
    if (!diagnostic.kind.empty())
      object["code"] = diagnostic.kind;
    StringRef said = diagnostic.message;
    said.consume_back("\n\nThe original call is"); // which the editor marks
    std::string message = said.str();
    if (!diagnostic.fixIt.empty()) {
      message += "\nhint: " + diagnostic.fixIt;
      object["data"] = json::Object{{"fix", asUtf8(diagnostic.fixIt)}};
    }
    json::Array related;
    for (const PlacedDiagnostic &note : diagnostic.notes) {
      const bool isHere = note.file.empty() && note.span.end != 0;
      if (!isHere) { // the library's text, or no place at all
        message += "\nnote: " + note.message;
        continue;
      }
      related.push_back(
          json::Object{{"location", json::Object{{"uri", uri.str()}, {"range", toJson(file.text, note.span)}}},
                       {"message", asUtf8(note.message)}});
    }
    object["message"] = asUtf8(message);
    if (!related.empty())
      object["relatedInformation"] = std::move(related);
    array.push_back(std::move(object));
  }
  return std::move(array);
}
