//===- LibraryNames.cpp - What the libraries of a program offer -----------===//
//
// Names are not listed here: candidates are the rows of Library.def, the operators
// and the definitions of the prelude, and what counts is whether the compiler
// knows them.
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/LibraryNames.h"
#include "../Emitter/SourceResolver.h"
#include "LibraryTable.h"
#include "Values.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Operator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace tsc;
using Kind = LibraryEntry::Kind;

/// The names of the rows that completion shows, sorted.
template <typename Row> static std::vector<StringRef> namesShown(ArrayRef<Row> rows, llvm::StringLiteral Row::*name) {
  std::vector<StringRef> names;
  for (const Row &row : rows)
    if (row.uses & library::Shown)
      names.push_back(row.*name);
  llvm::sort(names);
  return names;
}

ArrayRef<StringRef> tsc::libraryModules() {
  static const std::vector<StringRef> shown = namesShown(library::modules(), &library::ModuleRow::path);
  return shown;
}

ArrayRef<StringRef> tsc::pythonNames() {
  static const std::vector<StringRef> shown = namesShown(library::builtins(), &library::BuiltinRow::name);
  return shown;
}

ArrayRef<StringRef> tsc::moduleMembers() {
  static const std::vector<StringRef> shown = namesShown(library::moduleMembers(), &library::ModuleMemberRow::name);
  return shown;
}

static StringRef firstParagraph(StringRef text) { return text.trim().split("\n\n").first; }

/// `name(parameters) -> result`, as its author wrote it.
static std::string signatureOf(const Def &def, StringRef name, bool isMethod) {
  std::string text = name.str() + "(";
  bool first = true;
  for (const Param *param : def.params()) {
    if (std::exchange(isMethod, false)) // self
      continue;
    text += (first ? "" : ", ") + param->spelling().str();
    first = false;
  }
  text += ")";
  if (def.returnType())
    text += " -> " + def.returnType()->spelling().str();
  return text;
}

static std::string docstringOf(TreeList<Stmt> body) {
  auto *statement = body.empty() ? nullptr : llvm::dyn_cast<ExprStmt>(body[0]);
  auto *text = statement ? llvm::dyn_cast<StringLiteral>(statement->value()) : nullptr;
  return text ? firstParagraph(text->value()).str() : "";
}

static LibraryEntry entryOf(const Tree &definition, StringRef name) {
  if (auto *def = llvm::dyn_cast<Def>(&definition))
    return {Kind::Function, "", signatureOf(*def, name, false), docstringOf(def->body())};
  auto *type = llvm::dyn_cast<ClassDef>(&definition);
  if (!type)
    return {Kind::Constant, "", "", ""};
  LibraryEntry entry{Kind::Class, "", name.str() + "()", docstringOf(type->body())};
  for (const Tree *statement : type->body())
    if (auto *def = llvm::dyn_cast<Def>(statement); def && def->name() == "__init__")
      entry.signature = signatureOf(*def, name, true);
  return entry;
}

static LibraryEntry operatorEntry(StringRef op) {
  for (const OpRecord &record : opRecordsNamed(op))
    if (!record.summary.empty())
      return {Kind::Operator, op.str(), "", record.summary.str()};
  return {Kind::Operator, op.str(), "", ""};
}

/// The modules of the prelude whose text documents names of a module.
static llvm::SmallVector<const PreludeModule *, 2> shownTexts(StringRef module) {
  llvm::SmallVector<const PreludeModule *, 2> texts;
  if (llvm::is_contained(libraryModules(), module))
    for (const library::TextRow &row : library::texts())
      if (row.module == module)
        texts.push_back(row.prelude);
  return texts;
}

std::optional<LibraryEntry> tsc::libraryEntry(Compiler &owner, StringRef path) {
  Compiler::Impl &compiler = owner.implementation();
  auto [module, name] = path.rsplit('.');
  if (llvm::is_contained(libraryModules(), path))
    return LibraryEntry{Kind::Module, "", "", ""};
  if (isLibraryModule(compiler, path))
    return entryOf(*compiler.prelude(nnPrelude)->definition(name), name);
  // An operator without a record has no schema to show.
  if (const library::NameRow *row = library::findName(path))
    if ((row->uses & library::Shown) && (row->op.empty() || opRecordsNamed(row->op).empty()))
      return LibraryEntry{Kind::Form, "", "", ""};
  if (name.empty())
    return std::nullopt;
  SugaredArena arena;
  SugaredValue *value = libraryValue(compiler, arena, path);
  if (!value)
    return std::nullopt;
  // Functions of the library are found by their text.
  for (const PreludeModule *prelude : shownTexts(module))
    if (!dynamic_cast<BuiltinFunction *>(value))
      if (const Tree *definition = compiler.prelude(*prelude)->definition(name))
        return entryOf(*definition, name);
  if (auto *builtin = dynamic_cast<BuiltinFunction *>(value))
    return operatorEntry(builtin->name.qualified());
  switch (value->kind()) {
  case SugaredKind::Constant: return LibraryEntry{Kind::Constant, "", "", ""};
  case SugaredKind::Namespace: return std::nullopt; // any name without a dot is one
  case SugaredKind::Form: return LibraryEntry{Kind::Form, "", "", ""};
  case SugaredKind::Function: {
    const Function *function = llvm::cast<FunctionSugar>(value)->functions.front();
    return function ? std::optional(LibraryEntry{Kind::Function, "", function->schema().str(), ""}) : std::nullopt;
  }
  default: return LibraryEntry{Kind::Function, "", "", ""};
  }
}

/// Adds the names that Library.def has for a module.
static void addTableNames(StringRef module, llvm::StringSet<> &names) {
  auto addAll = [&](const auto &rows) {
    for (const auto &row : rows)
      names.insert(row.name);
  };
  for (const library::NameRow &row : library::names())
    if (auto [of, name] = row.path.rsplit('.'); of == module && (row.uses & library::Shown))
      names.insert(name);
  for (const library::MemberRow &row : library::members())
    if (row.module == module)
      names.insert(row.name);
  if (module == "math" || module == "cmath") {
    addAll(library::mathConstants());
    for (StringRef name : library::mathOperators())
      names.insert(name);
  }
  if (module == "math")
    for (StringRef name : library::mathTexts())
      names.insert(name);
  if (module != "torch")
    return;
  addAll(library::torchConstants());
  for (const library::MathConstant &row : library::mathConstants())
    if (row.usesInTorch & library::Shown)
      names.insert(row.name);
  // dtypes by their names, and by those of the conversions where these are names of dtypes, too
  for (int64_t number = 0; isValidDType(number); ++number)
    names.insert(pythonName(static_cast<DType>(number)));
  for (const library::TensorRow &row : library::tensorNames())
    if (row.dtype && dtypeFromPythonName(row.name))
      names.insert(row.name);
}

std::vector<std::string> tsc::libraryMembers(Compiler &owner, StringRef module) {
  Compiler::Impl &compiler = owner.implementation();
  llvm::StringSet<> candidates;
  addTableNames(module, candidates);
  for (StringRef known : libraryModules())
    if (StringRef rest = known; rest.consume_front(module) && rest.consume_front(".") && !rest.contains('.'))
      candidates.insert(rest);
  StringRef group = module == "torch.linalg"    ? "linalg_"
                    : module == "torch.special" ? "special_"
                    : module == "torch.fft"     ? "fft_"
                    : module == "torch.sparse"  ? "_sparse_"
                                                : "";
  const bool hasOperators = module == "torch" || !group.empty();
  for (const OpRecord &record : hasOperators ? allOpRecords() : ArrayRef<OpRecord>())
    if (StringRef name = record.qualified;
        name.consume_front("aten::") && name.consume_front(group) && record.schema.contains("Tensor"))
      candidates.insert(name);
  for (const PreludeModule *prelude : shownTexts(module))
    for (StringRef name : compiler.prelude(*prelude)->definedNames())
      candidates.insert(name);
  std::vector<std::string> members;
  for (StringRef name : candidates.keys()) {
    if (name.starts_with("_") || name.ends_with("_backward"))
      continue;
    if (libraryEntry(owner, (module + "." + name).str()))
      members.push_back(name.str());
  }
  llvm::sort(members);
  return members;
}

//===-- Members of values --------------------------------------------------===//

static bool takesAsSelf(Context &context, StringRef op, const Type *type) {
  return llvm::any_of(context.operators().overloads(context.symbol(op)), [&](const Operator *overload) {
    auto arguments = overload->schema().arguments();
    if (arguments.empty() || (arguments[0].name != "self" && arguments[0].name != "input"))
      return false;
    const Type *first = arguments[0].type;
    if (type->isTensor())
      return first->isTensor();
    if (llvm::isa<ListType>(type))
      return llvm::isa<ListType>(first);
    if (llvm::isa<DictType>(type))
      return llvm::isa<DictType>(first);
    return first->kind() == type->kind();
  });
}

/// Operators that programs write otherwise: `a + b`, `len(a)`, `int(a)`.
static bool isWrittenOtherwise(const Type *type, StringRef name) {
  const StringRef python = type->isString()            ? "str"
                           : llvm::isa<ListType>(type) ? "list"
                           : llvm::isa<DictType>(type) ? "dict"
                                                       : "";
  return llvm::isUpper(name[0]) || (!python.empty() && !library::hasPythonMethod(python, name));
}

std::string tsc::operatorMember(Context &context, const Type *type, StringRef name) {
  if (StringRef op = attributeOperator(type, name); !op.empty())
    return op.str();
  std::string op = ("aten::" + name).str();
  return takesAsSelf(context, op, type) ? op : "";
}

std::vector<std::string> tsc::operatorMembers(Context &context, const Type *type) {
  std::vector<std::string> names;
  for (const library::TensorRow &row : library::tensorNames())
    if (type->isTensor() && (row.uses & library::Shown))
      names.push_back(row.name.str());
  for (const library::DeviceRow &row : library::deviceNames())
    if (type->isDevice())
      names.push_back(row.name.str());
  if (!type->isTensor() && !type->isString() && !llvm::isa<ListType, DictType>(type))
    return names;
  StringRef last;
  for (const OpRecord &record : allOpRecords()) {
    StringRef name = record.qualified;
    if (name == last || !name.consume_front("aten::") || name.starts_with("_") || name.ends_with("_backward"))
      continue;
    last = record.qualified;
    if (!isWrittenOtherwise(type, name) && takesAsSelf(context, record.qualified, type))
      names.push_back(name.str());
  }
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  return names;
}

bool tsc::isTransparentDecorator(StringRef path) {
  const bool isInternal = path.consume_front("torch._jit_internal.");
  const library::NameRow *row = library::findName(isInternal ? ("torch.jit." + path).str() : path.str());
  return row && (row->uses & library::Decorator);
}
