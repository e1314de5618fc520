//===- Hover.cpp - What is said of a name, and where it stands ------------===//
#include "tsc/IR/Function.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Type.h"
#include "tsc/LanguageServer/Queries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;
using namespace tsc::lsp;
using llvm::StringRef;
using Kind = OutlineSymbol::Kind;
using Meaning = ExpressionFacts::Meaning;

/// How many overloads are shown.
static constexpr size_t shownOverloads = 6;

/// The overloads of an operator, the one that was chosen first.
static std::string overloadsText(StringRef op, const OpRecord *chosen) {
  std::string text;
  size_t count = 0;
  if (chosen && chosen->qualified == op) {
    text = chosen->schema.str();
    ++count;
  }
  std::vector<std::string> schemas = schemasOf(op);
  if (count) {
    if (schemas.size() > 1)
      text += "\n# one of " + std::to_string(schemas.size()) + " overloads";
    return text;
  }
  for (const std::string &schema : schemas) {
    if (count++ == shownOverloads) {
      text += "\n# and " + std::to_string(schemas.size() - shownOverloads) + " more";
      break;
    }
    text += (text.empty() ? "" : "\n") + schema;
  }
  return text;
}

static std::string sentence(std::string summary) {
  if (!summary.empty() && summary.back() != '.')
    summary += '.';
  return summary;
}

Hover Queries::describe(const Target &target, Span span, StringRef name) const {
  Hover hover{span, "", ""};
  if (const OutlineSymbol *symbol = target.get()) {
    hover.documentation = symbol->documentation;
    switch (symbol->kind) {
    case Kind::Function:
    case Kind::Class: hover.code = symbol->head; break;
    case Kind::Import: hover.code = "(module) " + symbol->detail; break;
    default: {
      Target value = valueOf(target, 0);
      std::string type = !symbol->detail.empty()                      ? symbol->detail
                         : value.isInstance && value.type             ? typeText(value.type)
                         : value.isInstance && value.get()            ? value.get()->name
                         : value.isInstance && !value.library.empty() ? value.library
                                                                      : "";
      hover.code = type.empty() ? symbol->head : symbol->name + ": " + type;
    }
    }
    return hover;
  }
  if (target.where) {
    hover.code = "(module) " + target.where->path;
    return hover;
  }
  if (target.library.empty())
    return hover;
  std::optional<LibraryEntry> entry = library.entry(target.library);
  if (!entry)
    return hover;
  hover.documentation = sentence(entry->documentation);
  switch (entry->kind) {
  case LibraryEntry::Kind::Module: hover.code = "(module) " + target.library; break;
  case LibraryEntry::Kind::Operator: hover.code = overloadsText(entry->op, nullptr); break;
  case LibraryEntry::Kind::Function:
    hover.code = entry->signature.empty() ? target.library : "def " + entry->signature;
    break;
  case LibraryEntry::Kind::Class: hover.code = "class " + entry->signature; break;
  default: hover.code = target.library;
  }
  return hover;
}

std::optional<Hover> Queries::hover(size_t offset) const {
  std::optional<Chain> chain = chainAt(file->text.str(), offset);
  if (!chain)
    return std::nullopt;
  const Chain::Part &part = chain->parts.back();
  Target target = resolve(*chain, chain->parts.size());
  const ExpressionRecord *record = recordAt(part.at);
  const OutlineSymbol *symbol = target.get();
  const bool isDefinition = symbol && (symbol->kind == Kind::Function || symbol->kind == Kind::Class);
  // The head of a function, with the result that the compiler found.
  if (isDefinition) {
    Hover hover = describe(target, part.at, part.name);
    size_t earlier;
    if (symbol->kind == Kind::Function && hover.code.find("->") == std::string::npos && target.where == file &&
        snapshot && map->toEarlier(symbol->at.begin, earlier))
      if (const Function *function = snapshot->functionNamedAt(earlier);
          function && function->hasSchema() && function->schema().returns().size() == 1)
        hover.code += " -> " + typeText(function->schema().returns()[0].type);
    return hover;
  }
  if (record) {
    const ExpressionFacts &facts = record->facts;
    if (facts.meaning == Meaning::Operator)
      return Hover{part.at, overloadsText(facts.name, record->calledOverload), sentence(summaryOf(facts.name))};
    if (facts.meaning == Meaning::Value && facts.type) {
      Hover hover{part.at, part.name + ": " + typeText(facts.type), ""};
      if (facts.overload && chain->parts.size() + chain->hasReceiver > 1)
        hover.documentation = sentence(facts.overload->summary.str());
      return hover;
    }
    if (facts.meaning == Meaning::Function && facts.function && !target && facts.function->hasSchema())
      return Hover{part.at, facts.function->schema().str(), ""};
  }
  // Where a name is bound, its type is that of a use.
  if (symbol && (!record || record->evaluated.empty())) {
    size_t earlier;
    // Of an attribute in its class, of a variable in its function.
    const int scope =
        symbol->kind == Kind::Attribute && target.where == file ? symbol->parent : file->outline.scopeAt(part.at.begin);
    Span within{0, snapshot ? snapshot->text().size() : 0};
    if (scope >= 0 && snapshot && target.where == file) {
      const OutlineSymbol &around = file->outline.symbols()[scope];
      size_t begin, end;
      if (map->toEarlier(around.whole.begin, begin) && map->toEarlier(around.whole.end, end))
        within = {begin, end};
    }
    StringRef written = file->text.str().slice(chain->parts.front().at.begin, part.at.end);
    if (snapshot && target.where == file && map->toEarlier(part.at.begin, earlier))
      if (const ExpressionRecord *use = snapshot->valueNamed(written, earlier, within))
        return Hover{part.at, part.name + ": " + typeText(use->facts.type), ""};
  }
  if (record && !record->evaluated.empty() && !(target && target.get() == nullptr))
    return Hover{part.at, part.name + ": " + record->evaluated, symbol ? symbol->documentation : ""};
  // A method of a tensor or a string.
  if (!target) {
    Chain before = *chain;
    Target holder;
    if (chain->parts.size() > 1) {
      before.parts.pop_back();
      holder = valueOf(resolve(before, before.parts.size()), 0);
    } else if (chain->hasReceiver) {
      holder = receiverOf(*chain);
    }
    if (auto values = LibraryIndex::valuesOf(holder.type))
      if (std::string op = library.memberOf(*values, part.name); !op.empty())
        return Hover{part.at, overloadsText(op, nullptr), sentence(summaryOf(op))};
    if (chain->parts.size() == 1 && !chain->hasReceiver && llvm::is_contained(pythonNames(), StringRef(part.name)))
      return Hover{part.at, "(builtin) " + part.name, ""};
    return std::nullopt;
  }
  Hover hover = describe(target, part.at, part.name);
  return hover.code.empty() ? std::nullopt : std::optional(hover);
}

std::optional<Location> Queries::definition(size_t offset) const {
  std::optional<Chain> chain = chainAt(file->text.str(), offset);
  if (!chain)
    return std::nullopt;
  Target target = resolve(*chain, chain->parts.size());
  if (!target.where) {
    // A name of a library: the statement that imports it.
    const Chain::Part &first = chain->parts.front();
    const int found = chain->parts.size() == 1 && !chain->hasReceiver
                          ? file->outline.find(first.name, file->outline.scopeAt(first.at.begin), first.at.begin)
                          : -1;
    return found < 0 ? std::nullopt : std::optional(Location{file, file->outline.symbols()[found].at});
  }
  if (const OutlineSymbol *symbol = target.get())
    return Location{target.where, symbol->at};
  return Location{target.where, {0, 0}};
}
