//===- Completion.cpp - Names that may stand at a place, and calls --------===//
#include "LogicalLines.h"
#include "tsc/Frontend/Lexer.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/LanguageServer/Queries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace tsc;
using namespace tsc::lsp;
using llvm::StringRef;
using Kind = OutlineSymbol::Kind;

static constexpr llvm::StringLiteral keywords[] = {
    "False", "None", "True",   "and",     "as",    "assert", "break", "class",  "continue", "def", "del",
    "elif",  "else", "except", "finally", "for",   "from",   "if",    "import", "in",       "is",  "lambda",
    "match", "not",  "or",     "pass",    "raise", "return", "try",   "while",  "with"};

/// How many files of a folder are looked at.
static constexpr unsigned maxFiles = 2000;

static CompletionKind kindOf(LibraryEntry::Kind kind) {
  switch (kind) {
  case LibraryEntry::Kind::Module: return CompletionKind::Module;
  case LibraryEntry::Kind::Class: return CompletionKind::Class;
  case LibraryEntry::Kind::Constant: return CompletionKind::Constant;
  default: return CompletionKind::Function;
  }
}

static CompletionKind kindOf(const OutlineSymbol &symbol) {
  switch (symbol.kind) {
  case Kind::Function: return CompletionKind::Function;
  case Kind::Class: return CompletionKind::Class;
  case Kind::Import: return CompletionKind::Module;
  case Kind::Attribute: return CompletionKind::Field;
  default: return CompletionKind::Variable;
  }
}

void Queries::addMembers(const Target &of, StringRef prefix, std::vector<Completion> &items, unsigned depth) const {
  if (depth > 8)
    return;
  auto add = [&](StringRef name, CompletionKind kind, std::string detail = "", std::string lookUp = "") {
    if (name.starts_with(prefix) && (!name.starts_with("_") || prefix.starts_with("_")))
      items.push_back({name.str(), kind, std::move(detail), std::move(lookUp)});
  };
  if (of.where && of.symbol < 0) { // a file
    for (const OutlineSymbol &symbol : of.where->outline.symbols())
      if (symbol.parent < 0 && symbol.kind != Kind::Import)
        add(symbol.name, kindOf(symbol), symbol.head);
    return;
  }
  if (const OutlineSymbol *type = of.get(); type && type->kind == Kind::Class) {
    const Outline &outline = of.where->outline;
    for (auto [i, symbol] : llvm::enumerate(outline.symbols()))
      if (symbol.parent == of.symbol && symbol.kind != Kind::Import) {
        const bool isMethod = symbol.kind == Kind::Function;
        Target value;
        value.where = of.where;
        value.symbol = static_cast<int>(i);
        add(symbol.name, isMethod ? CompletionKind::Method : CompletionKind::Field,
            isMethod ? symbol.head : describe(value, {}, symbol.name).code);
      }
    for (const std::string &base : type->bases) {
      Target known = resolvePath(of.where, base, depth + 1);
      if (known.get() == type)
        continue;
      known.isInstance = of.isInstance;
      addMembers(known, prefix, items, depth + 1);
    }
  }
  if (auto *type = llvm::dyn_cast_or_null<ClassType>(of.type)) {
    for (const ClassAttribute &attribute : type->attributes())
      add(attribute.name, CompletionKind::Field, attribute.name + ": " + typeText(attribute.type));
    for (const Function *method : type->methods())
      add(method->name(), CompletionKind::Method, method->hasSchema() ? method->schema().str() : "");
    if (type->isModule())
      for (StringRef name : moduleMembers())
        add(name, CompletionKind::Method);
  }
  if (auto *tuple = llvm::dyn_cast_or_null<TupleType>(of.type))
    for (auto [name, element] : llvm::zip(tuple->fieldNames(), tuple->elements()))
      add(name, CompletionKind::Field, name + ": " + typeText(element));
  if (llvm::isa_and_nonnull<EnumType>(of.type) && of.isInstance)
    for (StringRef name : {"name", "value"})
      add(name, CompletionKind::Field);
  if (auto values = of.isInstance ? LibraryIndex::valuesOf(of.type) : std::nullopt)
    for (const std::string &name : library.membersOf(*values))
      add(name, CompletionKind::Method, "", "value:" + std::to_string(static_cast<int>(*values)) + ":" + name);
  if (of.library.empty())
    return;
  StringRef path = of.library;
  if (of.isInstance || (path.starts_with("torch.nn.") && library.entry(path) &&
                        library.entry(path)->kind == LibraryEntry::Kind::Class)) {
    if (path.starts_with("torch.nn."))
      for (StringRef name : moduleMembers())
        add(name, CompletionKind::Method);
    if (path == "typing.List" || path == "typing.Dict")
      for (const std::string &name :
           library.membersOf(path == "typing.List" ? LibraryIndex::Values::List : LibraryIndex::Values::Dict))
        add(name, CompletionKind::Method);
    return;
  }
  for (const std::string &name : library.members(path))
    if (StringRef(name).starts_with(prefix)) {
      std::string full = (path + "." + name).str();
      std::optional<LibraryEntry> entry = library.entry(full);
      add(name, entry ? kindOf(entry->kind) : CompletionKind::Function, entry ? entry->signature : "", full);
    }
}

void Queries::addNames(size_t offset, StringRef prefix, std::vector<Completion> &items) const {
  const Outline &outline = file->outline;
  auto add = [&](const OutlineSymbol &symbol, CompletionKind kind) {
    if (StringRef(symbol.name).starts_with(prefix))
      items.push_back({symbol.name, kind, symbol.kind == Kind::Import ? symbol.detail : symbol.head, ""});
  };
  const int innermost = outline.scopeAt(offset);
  for (int scope = innermost;; scope = outline.symbols()[scope].parent) {
    const bool isHidden = scope >= 0 && scope != innermost && outline.symbols()[scope].kind == Kind::Class;
    for (const OutlineSymbol &symbol : outline.symbols())
      // What is being typed is no name yet.
      if (symbol.parent == scope && !isHidden && symbol.kind != Kind::Attribute && symbol.at.end != offset)
        add(symbol, kindOf(symbol));
    if (scope < 0)
      break;
  }
  for (StringRef name : pythonNames())
    if (name.starts_with(prefix))
      items.push_back({name.str(), CompletionKind::Function, "", ""});
  for (StringRef name : keywords)
    if (name.starts_with(prefix))
      items.push_back({name.str(), CompletionKind::Keyword, "", ""});
  // Arguments by name.
  if (std::optional<OpenCall> call = callAround(offset); call && call->keyword.empty())
    for (const Signature &signature : signaturesOf(call->callee))
      for (StringRef parameter : signature.parameters) {
        // `int dim=-1` of an operator, `dim: int = -1` of a function.
        StringRef name = parameter.split('=').first.split(':').first.trim();
        name = name.drop_front(name.rfind(' ') + 1);
        if (!name.empty() && name.starts_with(prefix) && llvm::all_of(name, isIdentPart) && name != "self")
          items.push_back({name.str() + "=", CompletionKind::Parameter, parameter.str(), ""});
      }
}

/// Behind `import` and `from`.
bool Queries::completeImport(size_t offset, StringRef prefix, std::vector<Completion> &items) const {
  StringRef text = file->text.str();
  const size_t lineBegin = text.take_front(offset).rfind('\n') + 1;
  StringRef line = text.slice(lineBegin, offset).ltrim();
  std::string module;
  if (line.consume_front("from ")) {
    auto [from, behind] = line.ltrim().split(" import");
    if (from.size() != line.ltrim().size()) { // names of the module
      Target target = importTarget(*file, from.trim(), 0);
      if (target)
        addMembers(target, prefix, items, 0);
      return true;
    }
    module = line.ltrim().str();
  } else if (line.consume_front("import ")) {
    StringRef last = line.drop_front(line.rfind(',') + 1).ltrim();
    module = last.str();
  } else {
    return false;
  }
  // Paths: of the libraries, the next part of each.
  StringRef before = StringRef(module).take_front(module.size() - prefix.size());
  llvm::StringSet<> seen;
  for (StringRef path : libraryModules())
    if (path.consume_front(before) && path.starts_with(prefix))
      if (StringRef part = path.split('.').first; seen.insert(part).second)
        items.push_back({part.str(), CompletionKind::Module, (before + part).str(), ""});
  if (!openFile || !before.empty())
    return true;
  // Files beside this one.
  std::error_code failed;
  llvm::sys::fs::directory_iterator entry(llvm::sys::path::parent_path(file->path), failed), end;
  for (unsigned count = 0; !failed && entry != end && count != maxFiles; entry.increment(failed), ++count) {
    StringRef name = llvm::sys::path::filename(entry->path());
    if (name.consume_back(".py") && name.starts_with(prefix) && entry->path() != file->path &&
        llvm::all_of(name, isIdentPart) && seen.insert(name).second)
      items.push_back({name.str(), CompletionKind::Module, name.str() + ".py", ""});
  }
  return true;
}

std::vector<Completion> Queries::complete(size_t offset, Span &replaced) const {
  StringRef text = file->text.str();
  offset = std::min(offset, text.size());
  size_t begin = offset;
  while (begin > 0 && isIdentPart(text[begin - 1]))
    --begin;
  replaced = {begin, offset};
  StringRef prefix = text.slice(begin, offset);
  std::vector<Completion> items;
  if (isInStringOrComment(text, begin) || (!prefix.empty() && llvm::isDigit(prefix[0])))
    return items;
  if (!completeImport(offset, prefix, items)) {
    if (std::optional<Chain> chain = chainBefore(text, offset)) {
      Target of;
      if (chain->parts.size() > 1) {
        Chain before = *chain;
        before.parts.pop_back();
        const Span last = before.parts.back().at;
        // The compiler's type first; then what the text says; then what a use of the same name was found to be.
        const Type *type = before.parts.size() == 1 && typeOfName ? typeOfName(before.parts[0].name) : nullptr;
        type = type ? type : typeEndingAt(last.end);
        of = type ? fromType(type, 0) : valueOf(resolve(before, before.parts.size()), 0);
        const OutlineSymbol *symbol = of.get();
        const bool isUnknown = !of || (symbol && symbol->kind != Kind::Class && !of.isInstance);
        size_t earlier;
        if (isUnknown && snapshot) {
          StringRef written = text.slice(before.parts.front().at.begin, last.end);
          if (!map->toEarlier(last.begin, earlier))
            (void)map->toEarlier(text.rfind('\n', last.begin), earlier);
          if (const ExpressionRecord *use = snapshot->valueNamed(written, earlier, {0, snapshot->text().size()}))
            of = fromType(use->facts.type, 0);
        }
      } else {
        of = receiverOf(*chain);
      }
      addMembers(of, prefix, items, 0);
    } else {
      addNames(offset, prefix, items);
    }
  }
  // The first of each name: inner scopes come first.
  llvm::StringSet<> seen;
  llvm::erase_if(items, [&](const Completion &item) { return !seen.insert(item.label).second; });
  llvm::sort(items, [](const Completion &a, const Completion &b) { return a.label < b.label; });
  return items;
}

std::string Queries::documentationOf(StringRef lookUp) const {
  if (lookUp.consume_front("value:")) {
    unsigned values;
    auto [number, name] = lookUp.split(':');
    if (number.getAsInteger(10, values) || values > static_cast<unsigned>(LibraryIndex::Values::Device))
      return "";
    std::string op = library.memberOf(static_cast<LibraryIndex::Values>(values), name);
    std::string text;
    for (const std::string &schema : schemasOf(op))
      text += schema + "\n";
    if (std::string summary = summaryOf(op); !summary.empty())
      text += "\n" + summary + ".";
    return text;
  }
  std::optional<LibraryEntry> entry = library.entry(lookUp);
  if (!entry)
    return "";
  std::string text = entry->signature;
  for (const std::string &schema : schemasOf(entry->op))
    text += (text.empty() ? "" : "\n") + schema;
  if (!entry->documentation.empty())
    text += "\n\n" + entry->documentation;
  return text;
}

//===-- Calls --------------------------------------------------------------===//

std::optional<Queries::OpenCall> Queries::callAround(size_t offset) const {
  StringRef text = file->text.str();
  const LogicalLine *around = nullptr;
  std::vector<LogicalLine> lines = logicalLines(text.take_front(offset));
  if (lines.empty())
    return std::nullopt;
  around = &lines.back();
  std::vector<Word> words = wordsOf(text, {around->span.begin, offset});
  struct Open {
    size_t word;
    unsigned commas = 0;
    size_t argument; ///< Where the argument begins.
  };
  llvm::SmallVector<Open, 8> open;
  for (auto [i, word] : llvm::enumerate(words)) {
    StringRef spelling = text.slice(word.span.begin, word.span.end);
    if (isOpening(spelling))
      open.push_back({i, 0, i + 1});
    else if ((spelling == ")" || spelling == "]" || spelling == "}") && !open.empty())
      open.pop_back();
    else if (spelling == "," && !open.empty()) {
      ++open.back().commas;
      open.back().argument = i + 1;
    }
  }
  while (!open.empty()) {
    const Open last = open.pop_back_val();
    if (text[words[last.word].span.begin] != '(' || last.word == 0 || words[last.word - 1].kind != WordKind::Name)
      continue;
    std::optional<Chain> callee = chainAt(text, words[last.word - 1].span.end);
    if (!callee ||
        (last.word > 1 && text.slice(words[last.word - 2].span.begin, words[last.word - 2].span.end) == "def"))
      return std::nullopt;
    OpenCall call{std::move(*callee), last.commas, ""};
    if (last.argument + 1 < words.size() && words[last.argument].kind == WordKind::Name &&
        text.slice(words[last.argument + 1].span.begin, words[last.argument + 1].span.end) == "=")
      call.keyword = text.slice(words[last.argument].span.begin, words[last.argument].span.end).str();
    return call;
  }
  return std::nullopt;
}

/// The parts between commas of the first brackets of a signature, outside of inner ones.
static std::vector<std::string> parametersOf(StringRef label) {
  std::vector<std::string> parameters;
  size_t begin = label.find('(');
  if (begin == StringRef::npos)
    return parameters;
  int depth = 0;
  size_t from = begin + 1;
  for (size_t i = begin; i < label.size(); ++i) {
    const char c = label[i];
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if ((depth == 1 && c == ',') || depth == 0) {
      StringRef part = label.slice(from, i).trim();
      if (!part.empty() && part != "*" && part != "/")
        parameters.push_back(part.str());
      from = i + 1;
    }
    if (depth == 0)
      break;
  }
  return parameters;
}

std::vector<Signature> Queries::signaturesOf(const Chain &callee) const {
  std::vector<Signature> signatures;
  auto add = [&](std::string label, StringRef documentation, bool skipsFirst) {
    Signature signature{std::move(label), {}, documentation.str()};
    signature.parameters = parametersOf(signature.label);
    if (skipsFirst && !signature.parameters.empty())
      signature.parameters.erase(signature.parameters.begin());
    signatures.push_back(std::move(signature));
  };
  auto addOperator = [&](StringRef op, const OpRecord *chosen, bool isMethod) {
    std::string summary = summaryOf(op);
    for (const std::string &schema : schemasOf(op))
      add(schema, summary, isMethod);
  };
  Target target = resolve(callee, callee.parts.size());
  if (const OutlineSymbol *symbol = target.get()) {
    if (symbol->kind == Kind::Function) {
      const bool isMethod = symbol->parent >= 0 &&
                            target.where->outline.symbols()[symbol->parent].kind == Kind::Class &&
                            callee.parts.size() + callee.hasReceiver > 1;
      add(symbol->head, symbol->documentation, isMethod);
      return signatures;
    }
    if (symbol->kind == Kind::Class) {
      Target init = memberOfClass(target, "__init__", 0);
      if (const OutlineSymbol *made = init.get()) {
        add(made->head, symbol->documentation, true);
      } else { // fields of a dataclass or NamedTuple
        std::string label = symbol->name + "(";
        bool isFirst = true;
        for (const OutlineSymbol &field : target.where->outline.symbols())
          if (field.parent == target.symbol && field.kind == Kind::Variable && !field.detail.empty()) {
            label += (isFirst ? "" : ", ") + field.name + ": " + field.detail;
            isFirst = false;
          }
        add(label + ")", symbol->documentation, false);
      }
      return signatures;
    }
    // A value that is called: a module, whose forward it is.
    if (Target forward = member(valueOf(target, 0), "forward", 0); const OutlineSymbol *method = forward.get())
      add(method->head, method->documentation, true);
  }
  if (!target.library.empty())
    if (std::optional<LibraryEntry> entry = library.entry(target.library)) {
      if (!entry->op.empty())
        addOperator(entry->op, nullptr, false);
      else if (!entry->signature.empty())
        add(entry->signature, entry->documentation, false);
      return signatures;
    }
  if (const ExpressionRecord *record = recordAt(callee.parts.back().at); record && !target) {
    if (record->facts.meaning == ExpressionFacts::Meaning::Operator) {
      addOperator(record->facts.name, record->calledOverload, callee.parts.size() + callee.hasReceiver > 1);
      return signatures;
    }
    if (record->facts.function && record->facts.function->hasSchema())
      add(record->facts.function->schema().str(), "", false);
  }
  if (!target && signatures.empty()) {
    Target holder;
    if (callee.parts.size() > 1) {
      Chain before = callee;
      before.parts.pop_back();
      holder = valueOf(resolve(before, before.parts.size()), 0);
    } else if (callee.hasReceiver) {
      holder = receiverOf(callee);
    }
    if (auto values = LibraryIndex::valuesOf(holder.type))
      if (std::string op = library.memberOf(*values, callee.parts.back().name); !op.empty())
        addOperator(op, nullptr, true);
  }
  return signatures;
}

std::optional<SignatureHelp> Queries::signatureHelp(size_t offset) const {
  StringRef text = file->text.str();
  offset = std::min(offset, text.size());
  std::optional<OpenCall> call = callAround(offset);
  if (!call)
    return std::nullopt;
  SignatureHelp help;
  help.signatures = signaturesOf(call->callee);
  if (help.signatures.empty())
    return std::nullopt;
  // The first overload that has room for the argument.
  help.activeParameter = call->argument;
  for (auto [i, signature] : llvm::enumerate(help.signatures)) {
    if (call->keyword.empty()) {
      if (call->argument >= signature.parameters.size())
        continue;
      help.activeSignature = static_cast<unsigned>(i);
      return help;
    }
    for (auto [k, parameter] : llvm::enumerate(signature.parameters)) {
      StringRef name = StringRef(parameter).split('=').first.split(':').first.trim();
      if (name.drop_front(name.rfind(' ') + 1) == call->keyword) {
        help.activeSignature = static_cast<unsigned>(i);
        help.activeParameter = static_cast<unsigned>(k);
        return help;
      }
    }
  }
  return help;
}
