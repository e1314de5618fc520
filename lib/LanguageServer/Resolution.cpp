//===- Resolution.cpp - What a dotted name means --------------------------===//
//
// Names are followed through scopes, imports, other files and classes. Where a
// value's class is wanted, the compiler's type counts first, then what the text
// says: an annotation, or the call that made it.
//
//===----------------------------------------------------------------------===//
#include "LogicalLines.h"
#include "tsc/Frontend/Lexer.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Type.h"
#include "tsc/LanguageServer/Queries.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace tsc;
using namespace tsc::lsp;
using llvm::StringRef;
using Kind = OutlineSymbol::Kind;

/// Names of names, and classes whose bases they are, are followed so far.
static constexpr unsigned maxDepth = 16;

void Queries::setSnapshot(std::shared_ptr<const Snapshot> known) {
  snapshot = std::move(known);
  map.reset();
  if (snapshot)
    map.emplace(snapshot->text(), file->text.str());
}

const ExpressionRecord *Queries::recordAt(Span name) const {
  size_t begin, end;
  if (!snapshot || !map->toEarlier(name.begin, begin) || !map->toEarlier(name.end, end))
    return nullptr;
  return snapshot->endingAt(end, begin);
}

const Type *Queries::typeEndingAt(size_t end) const {
  size_t earlier;
  if (!snapshot || !map->toEarlier(end, earlier))
    return nullptr;
  const ExpressionRecord *record = snapshot->largestEndingAt(earlier);
  return record && record->facts.meaning == ExpressionFacts::Meaning::Value ? record->facts.type : nullptr;
}

std::shared_ptr<const FileOutline> Queries::moduleFile(const FileOutline &from, StringRef path) const {
  if (!openFile)
    return nullptr;
  llvm::SmallString<128> folder(llvm::sys::path::parent_path(from.path));
  if (path.consume_front("."))
    while (path.consume_front("."))
      folder = llvm::sys::path::parent_path(folder);
  if (path.empty())
    return nullptr;
  llvm::SmallVector<StringRef, 4> parts;
  path.split(parts, '.');
  for (StringRef part : parts)
    llvm::sys::path::append(folder, part);
  if (auto found = openFile((folder + ".py").str()))
    return found;
  llvm::sys::path::append(folder, "__init__.py");
  return openFile(folder.str().str());
}

Queries::Target Queries::importTarget(const FileOutline &from, StringRef path, unsigned depth) const {
  Target target;
  StringRef head = path.split('.').first;
  if (head == "torch" || head == "math" || head == "typing" || library.entry(path)) {
    target.library = path.str();
    return target;
  }
  if (auto whole = moduleFile(from, path)) {
    target.where = std::move(whole);
    return target;
  }
  const size_t dot = path.rfind('.');
  if (dot != StringRef::npos && depth < maxDepth) {
    StringRef module = path.take_front(dot), name = path.drop_front(dot + 1);
    if (module.empty() || module.ends_with(".")) // from . import name
      return target;
    if (auto holder = moduleFile(from, module)) {
      Target file;
      file.where = std::move(holder);
      return member(file, name, depth + 1);
    }
  }
  if (library.entry(path))
    target.library = path.str();
  return target;
}

Queries::Target Queries::resolveName(const std::shared_ptr<const FileOutline> &from, StringRef name, int scope,
                                     size_t before, unsigned depth) const {
  Target target;
  const int found = from->outline.find(name, scope, before);
  if (found < 0 || depth > maxDepth)
    return target;
  const OutlineSymbol &symbol = from->outline.symbols()[found];
  if (symbol.kind == Kind::Import)
    if (Target imported = importTarget(*from, symbol.detail, depth + 1))
      return imported;
  target.where = from;
  target.symbol = found;
  return target;
}

Queries::Target Queries::resolvePath(std::shared_ptr<const FileOutline> from, StringRef dotted, unsigned depth) const {
  llvm::SmallVector<StringRef, 4> parts;
  dotted.split(parts, '.');
  Target target = resolveName(from, parts[0], -1, from->text.str().size(), depth);
  for (size_t i = 1; i < parts.size() && target; ++i)
    target = member(target, parts[i], depth + 1);
  return target;
}

Queries::Target Queries::fromType(const Type *type, unsigned depth) const {
  Target target;
  while (auto *optional = llvm::dyn_cast_or_null<OptionalType>(type))
    type = optional->element();
  if (!type)
    return target;
  if (StringRef name = classNameOf(type); !name.empty()) {
    target = resolvePath(file, name, depth + 1);
    if (!target)
      if (std::string path = "torch.nn." + name.str(); library.entry(path))
        target.library = std::move(path);
  }
  target.type = type;
  target.isInstance = true;
  return target;
}

/// `Optional[X]`, `"X"`, `X | None`: X.
static StringRef innerAnnotation(StringRef text) {
  text = text.trim().trim("'\"");
  for (StringRef prefix : {"Optional[", "typing.Optional[", "Final[", "torch.jit.Final["})
    if (text.starts_with(prefix) && text.ends_with("]"))
      return innerAnnotation(text.drop_front(prefix.size()).drop_back());
  if (text.ends_with("| None"))
    return innerAnnotation(text.drop_back(6));
  return text;
}

Queries::Target Queries::fromAnnotation(std::shared_ptr<const FileOutline> from, StringRef text, unsigned depth) const {
  text = innerAnnotation(text);
  Target target;
  StringRef head = text.split('[').first;
  StringRef last = head.drop_front(head.rfind('.') + 1);
  if (last == "Tensor")
    target.type = Type::tensorType();
  else if (last == "str")
    target.type = Type::stringType();
  else if (last == "int")
    target.type = Type::intType();
  else if (last == "float")
    target.type = Type::floatType();
  else if (last == "bool")
    target.type = Type::boolType();
  if (!target.type && !head.empty() && llvm::all_of(head, [](char c) { return isIdentPart(c) || c == '.'; })) {
    target = resolvePath(std::move(from), head, depth + 1);
    if (!target && (last == "List" || last == "list" || last == "Dict" || last == "dict"))
      target.library = "typing." + std::string(last.starts_with_insensitive("l") ? "List" : "Dict");
  }
  target.isInstance = true;
  return target;
}

Queries::Target Queries::valueOf(const Target &target, unsigned depth) const {
  const OutlineSymbol *symbol = target.get();
  if (!symbol || depth > maxDepth || symbol->kind == Kind::Function || symbol->kind == Kind::Class ||
      symbol->kind == Kind::Import)
    return target;
  if (!symbol->detail.empty())
    if (Target known = fromAnnotation(target.where, symbol->detail, depth + 1))
      return known;
  const Outline &outline = target.where->outline;
  if (symbol->kind == Kind::Parameter) {
    std::string self;
    int around = outline.classAround(symbol->parent, self);
    if (around >= 0 && self == symbol->name && outline.symbols()[symbol->parent].parent == around) {
      Target object = target;
      object.symbol = around;
      object.isInstance = true;
      return object;
    }
    // A parameter without an annotation is a tensor.
    Target tensor;
    tensor.type = symbol->value.empty() && symbol->detail.empty() ? Type::tensorType() : nullptr;
    tensor.isInstance = true;
    return tensor;
  }
  StringRef value = symbol->value;
  if (value.starts_with("\"") || value.starts_with("'") || value.starts_with("f\"") || value.starts_with("f'")) {
    Target text;
    text.type = Type::stringType();
    text.isInstance = true;
    return text;
  }
  StringRef callee = value.take_while([](char c) { return isIdentPart(c) || c == '.'; });
  if (callee.empty() || !value.drop_front(callee.size()).starts_with("("))
    return target;
  Target made = resolvePath(target.where, callee, depth + 1);
  if (!made.library.empty())
    if (auto entry = library.entry(made.library)) {
      if (entry->kind == LibraryEntry::Kind::Operator) {
        Target result;
        for (const std::string &schema : schemasOf(entry->op))
          if (StringRef(schema).ends_with("-> Tensor")) {
            result.type = Type::tensorType();
            result.isInstance = true;
            return result;
          }
      }
      if (entry->kind == LibraryEntry::Kind::Class) {
        made.isInstance = true;
        return made;
      }
    }
  if (const OutlineSymbol *known = made.get(); known && known->kind == Kind::Class) {
    made.isInstance = true;
    return made;
  }
  if (const OutlineSymbol *known = made.get(); known && known->kind == Kind::Function)
    if (size_t arrow = known->head.rfind("->"); arrow != std::string::npos)
      return fromAnnotation(made.where, StringRef(known->head).drop_front(arrow + 2), depth + 1);
  return target;
}

Queries::Target Queries::memberOfClass(const Target &type, StringRef name, unsigned depth) const {
  Target target;
  const OutlineSymbol *symbol = type.get();
  if (!symbol || symbol->kind != Kind::Class || depth > maxDepth)
    return target;
  if (int found = type.where->outline.findMember(type.symbol, name); found >= 0) {
    target.where = type.where;
    target.symbol = found;
    return target;
  }
  for (const std::string &base : symbol->bases) {
    Target known = resolvePath(type.where, base, depth + 1);
    if (known.get() == symbol)
      continue;
    if (Target inherited = memberOfClass(known, name, depth + 1))
      return inherited;
  }
  return target;
}

Queries::Target Queries::member(const Target &of, StringRef name, unsigned depth) const {
  Target target;
  if (depth > maxDepth)
    return target;
  if (of.where && of.symbol < 0) // a file
    return resolveName(of.where, name, -1, of.where->text.str().size(), depth + 1);
  if (const OutlineSymbol *symbol = of.get(); symbol && symbol->kind != Kind::Class) {
    Target value = valueOf(of, depth + 1);
    if (value.get() == symbol)
      return target;
    return member(value, name, depth + 1);
  }
  if (of.get())
    if (Target found = memberOfClass(of, name, depth + 1))
      return found;
  if (!of.library.empty() && !of.isInstance)
    target.library = of.library + "." + name.str();
  return target;
}

/// What stands before the last dot, where it is no name.
Queries::Target Queries::receiverOf(const Chain &chain) const {
  if (const Type *type = typeEndingAt(chain.receiverEnd))
    return fromType(type, 0);
  StringRef text = file->text.str();
  if (chain.receiverEnd > 0 && (text[chain.receiverEnd - 1] == '"' || text[chain.receiverEnd - 1] == '\'')) {
    Target target;
    target.type = Type::stringType();
    target.isInstance = true;
    return target;
  }
  return resultOfCall(chain.receiverEnd);
}

/// What the call that ends at a place gives, by what is called.
Queries::Target Queries::resultOfCall(size_t end) const {
  Target target;
  StringRef text = file->text.str();
  if (end == 0 || text[end - 1] != ')')
    return target;
  // The line's words tell brackets from those within strings.
  size_t lineBegin = text.rfind('\n', end - 1) + 1;
  std::vector<Word> words = wordsOf(text, {lineBegin, end});
  int depth = 0;
  for (size_t i = words.size(); i-- > 0;) {
    StringRef word = text.slice(words[i].span.begin, words[i].span.end);
    depth += word == ")" || word == "]" || word == "}";
    depth -= isOpening(word);
    if (depth != 0)
      continue;
    std::optional<Chain> callee = i > 0 ? chainAt(text, words[i - 1].span.end) : std::nullopt;
    if (!callee)
      return target;
    Target called = callee->hasReceiver ? Target() : resolve(*callee, callee->parts.size());
    std::string op;
    if (!called.library.empty())
      if (auto entry = library.entry(called.library)) {
        op = entry->op;
        if (entry->kind == LibraryEntry::Kind::Class) {
          called.isInstance = true;
          return called;
        }
        if (StringRef(entry->signature).ends_with("-> Tensor"))
          target.type = Type::tensorType();
      }
    if (const OutlineSymbol *symbol = called.get()) {
      if (symbol->kind == Kind::Class) {
        called.isInstance = true;
        return called;
      }
      if (size_t arrow = symbol->head.rfind("->"); symbol->kind == Kind::Function && arrow != std::string::npos)
        return fromAnnotation(called.where, StringRef(symbol->head).drop_front(arrow + 2), 0);
    }
    if (op.empty() && !called)
      op = library.memberOf(LibraryIndex::Values::Tensor, callee->parts.back().name);
    for (const std::string &schema : schemasOf(op))
      if (StringRef(schema).ends_with("-> Tensor"))
        target.type = Type::tensorType();
    target.isInstance = target.type != nullptr;
    return target;
  }
  return target;
}

/// What a name within an import statement means, where it is not the one that the statement binds.
Queries::Target Queries::importedHere(StringRef dotted, size_t at, unsigned depth) const {
  for (const OutlineSymbol &symbol : file->outline.symbols()) {
    if (symbol.kind != Kind::Import || at < symbol.whole.begin || at >= symbol.whole.end)
      continue;
    StringRef path = symbol.detail;
    if (path.drop_front(path.rfind('.') + 1) == dotted)
      return importTarget(*file, path, depth + 1);
    if (StringRef module = path.ltrim('.'); module.starts_with(dotted))
      return importTarget(*file, path.take_front(path.size() - module.size() + dotted.size()), depth + 1);
  }
  return {};
}

/// The meaning of the first `count` names of a chain.
Queries::Target Queries::resolve(const Chain &chain, size_t count, unsigned depth) const {
  const Chain::Part &first = chain.parts[0];
  Target target;
  size_t next = 0;
  if (chain.hasReceiver) {
    target = receiverOf(chain);
  } else {
    const int scope = file->outline.scopeAt(first.at.begin);
    target = resolveName(file, first.name, scope, first.at.begin, depth);
    if (!target && typeOfName)
      if (const Type *type = typeOfName(first.name))
        target = fromType(type, depth);
    if (!target) {
      std::string dotted;
      for (const Chain::Part &part : llvm::ArrayRef(chain.parts).take_front(count))
        dotted += (dotted.empty() ? "" : ".") + part.name;
      return importedHere(dotted, first.at.begin, depth);
    }
    next = 1;
  }
  for (; next < count; ++next) {
    const Chain::Part &part = chain.parts[next];
    const size_t before = next == 0 ? chain.receiverEnd : chain.parts[next - 1].at.end;
    Target found = member(target, part.name, depth + 1);
    // The compiler knows what the value before the dot is.
    if (!found)
      if (const Type *type = typeEndingAt(before))
        found = member(fromType(type, depth), part.name, depth + 1);
    if (!found)
      return {};
    target = std::move(found);
  }
  return target;
}
