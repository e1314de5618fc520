//===- Resolvers.cpp - Names of source files and archives -----------------===//
#include "../SugaredValues/Values.h"
#include "ArchiveResolver.h"
#include "Forms/SpecialForms.h"
#include "SizeLimits.h"
#include "SourceResolver.h"
#include "TypeExpressions.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Frontend/Lexer.h"
#include "tsc/IR/Operator.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace tsc;

/// Declarations that need each other's types nest; a chain of classes longer than this is an error.
static constexpr unsigned maxDeclarationDepth = 300;

//===-- Source files -------------------------------------------------------===//

void SourceResolver::addImport(const Import &import) {
  if (isUsers && addFiles(import))
    return;
  for (const Alias *alias : import.names()) {
    StringRef path = alias->path(), local = alias->alias();
    if (import.isFrom())
      imports[local.empty() ? path : local] = (import.module() + "." + path).str();
    else if (!local.empty())
      imports[local] = path.str();
    else if (!names.count(path.split('.').first))
      imports[path.split('.').first] = path.split('.').first.str();
  }
}

bool tsc::isMainBlock(const Tree *statement) {
  auto *conditional = llvm::dyn_cast<If>(statement);
  auto *compare = conditional ? llvm::dyn_cast<Compare>(conditional->condition()) : nullptr;
  auto *name = compare && compare->op() == TreeOp::Eq ? llvm::dyn_cast<Var>(compare->lhs()) : nullptr;
  auto *text = name && name->name() == "__name__" ? llvm::dyn_cast<StringLiteral>(compare->rhs()) : nullptr;
  return text && text->value() == "__main__";
}

/// The functions and classes that a statement at the top of a file defines within it.
static void collectDefinitions(const Tree *tree, llvm::StringSet<> &names) {
  if (auto *def = llvm::dyn_cast<Def>(tree)) {
    names.insert(def->name());
  } else if (auto *classDef = llvm::dyn_cast<ClassDef>(tree)) {
    names.insert(classDef->name());
  } else {
    for (const Tree *part : tree->children())
      if (part)
        collectDefinitions(part, names);
  }
}

static TreeList<Expr> elementsOf(const Tree *tree) {
  auto *tuple = llvm::dyn_cast<TupleLiteral>(tree);
  return tuple ? tuple->elements() : llvm::cast<ListLiteral>(tree)->elements();
}

/// Calls fn(name, value) for each name that an assignment sets, where its value has a place of its own in the text:
/// that of `b` in `a, (b, c) = 1, (2, 3)` is `2`.
static void forEachAssigned(const Tree *target, const Tree *value,
                            llvm::function_ref<void(const Var &, const Tree *)> fn) {
  if (auto *var = llvm::dyn_cast<Var>(target))
    return fn(*var, value);
  if (!llvm::isa<TupleLiteral, ListLiteral>(target) || !llvm::isa<TupleLiteral, ListLiteral>(value))
    return;
  TreeList<Expr> targets = elementsOf(target), values = elementsOf(value);
  auto isStarred = [](const Tree *tree) { return llvm::isa<Starred>(tree); };
  if (targets.size() != values.size() || llvm::any_of(targets, isStarred) || llvm::any_of(values, isStarred))
    return;
  for (size_t i = 0; i != targets.size(); ++i)
    forEachAssigned(targets[i], values[i], fn);
}

void SourceResolver::add(const SyntaxTree &file) {
  tree = &file;
  for (const Tree *statement : file.statements()) {
    if (isUsers && llvm::isa<If, For, While, With, Try, Match, AugAssign>(statement) && !isMainBlock(statement)) {
      std::set<std::string> bound;
      collectBoundNames(statement, bound);
      runtimeNames.insert(bound.begin(), bound.end());
      collectDefinitions(statement, runtimeNames);
    }
    if (auto *def = llvm::dyn_cast<Def>(statement))
      definitions[def->name()] = def;
    else if (auto *classDef = llvm::dyn_cast<ClassDef>(statement))
      definitions[classDef->name()] = classDef;
    else if (auto *assign = llvm::dyn_cast<Assign>(statement); assign && assign->value())
      for (const Tree *target : assign->targets())
        forEachAssigned(target, assign->value(), [&](const Var &name, const Tree *value) {
          if (isUsers || value == assign->value())
            definitions[name.name()] = assign;
        });
  }
  // A file that imports this one in turn finds what it defines.
  for (const Tree *statement : file.statements())
    if (auto *import = llvm::dyn_cast<Import>(statement))
      addImport(*import);
}

/// The names that a file defines, which stand at the beginnings of its lines: "def f(", "class C:", "X =".
static std::vector<StringRef> namesAtTop(StringRef text) {
  std::vector<StringRef> names;
  for (StringRef line; !text.empty();) {
    std::tie(line, text) = text.split('\n');
    const bool isDefinition = line.consume_front("def ") || line.consume_front("class ");
    const StringRef name = line.take_while(isIdentPart);
    if (!name.empty() && (isDefinition || line.drop_front(name.size()).ltrim().starts_with("=")))
      names.push_back(name);
  }
  return names;
}

void SourceResolver::addWhenWanted(const SourceBuffer &source) {
  for (StringRef name : namesAtTop(source.text()))
    unread[name] = &source;
}

const Tree *SourceResolver::definition(StringRef name) {
  if (const Tree *known = definitions.lookup(name))
    return known;
  const SourceBuffer *source = unread.lookup(name);
  if (!source)
    return nullptr;
  for (StringRef other : namesAtTop(source->text()))
    unread[other] = nullptr; // who walks over all names has them still
  if (const SyntaxTree *read = compiler.parse(*source))
    add(*read);
  assert(definitions.contains(name) && "a name at the beginning of a line is defined there");
  return definitions.lookup(name);
}

std::string SourceResolver::qualified(StringRef name) const {
  const unsigned times = replaced.lookup(name);
  return prefix + "." + (times ? "__" + std::to_string(times) + "." : "") + name.str();
}

//===-- Definitions that change --------------------------------------------===//

void SourceResolver::addMissing(const SyntaxTree &tree) {
  SourceResolver others(compiler, prefix);
  others.add(tree);
  for (const auto &entry : others.imports)
    if (!definitions.contains(entry.getKey()))
      imports.try_emplace(entry.getKey(), entry.getValue());
}

void SourceResolver::addImports(const Import &import) {
  llvm::StringMap<std::string> before = imports;
  addImport(import);
  for (const auto &entry : imports)
    if (before.lookup(entry.getKey()) != entry.getValue())
      forget(entry.getKey(), /*isDefined=*/false);
}

void SourceResolver::replace(const Tree &definition, StringRef name) {
  forget(name, /*isDefined=*/true);
  imports.erase(name);
  definitions[name] = &definition;
}

static bool mentions(const Tree *tree, StringRef name) {
  if (!tree)
    return false;
  if (auto *var = llvm::dyn_cast<Var>(tree); var && var->name() == name)
    return true;
  return llvm::any_of(tree->children(), [&](const Tree *child) { return mentions(child, name); });
}

void SourceResolver::forgetCompiled(StringRef name) {
  const bool wasFunction = functions.erase(name), wasType = types.erase(name);
  replaced[name] += wasFunction || wasType;
  aliases.erase(name);
  constants.erase(name);
}

void SourceResolver::forget(StringRef name, bool isDefined) {
  std::string kept = name.str(); // the definition may own the text
  forgetCompiled(kept);
  if (!isDefined)
    definitions.erase(kept);
  forgetUsersOf(kept);
}

void SourceResolver::forgetUsersOf(StringRef name) {
  llvm::SmallVector<std::string, 4> changed{name.str()};
  llvm::StringSet<> seen;
  while (!changed.empty()) {
    std::string one = changed.pop_back_val();
    if (!seen.insert(one).second)
      continue;
    for (const auto &entry : definitions)
      if (entry.getKey() != one && mentions(entry.getValue(), one)) {
        std::string user = entry.getKey().str();
        forgetCompiled(user);
        changed.push_back(std::move(user));
      }
  }
}

//===-- Names --------------------------------------------------------------===//

std::string SourceResolver::canonicalName(StringRef dotted) {
  if (!names.empty())
    if (NameInFile found = follow(dotted); found.file != this) {
      std::string there = found.file->canonicalName(found.name);
      return there == found.name ? dotted.str() : there; // a library's name, by way of another file
    }
  auto [head, rest] = dotted.split('.');
  auto it = imports.find(head);
  if (it == imports.end())
    return dotted.str();
  return rest.empty() ? it->second : it->second + "." + rest.str();
}

Function *SourceResolver::function(StringRef name) {
  if (Function *known = functions.lookup(name))
    return known;
  auto *def = llvm::dyn_cast_or_null<Def>(definition(name));
  if (!def)
    return nullptr;
  std::string full = qualified(name);
  Function *made = compiler.unit.find(full);
  if (!made)
    made = compiler.declareFunction(*def, full, nullptr, *this);
  functions[name] = made;
  return made;
}

std::vector<StringRef> SourceResolver::definedNames() const {
  std::vector<StringRef> names;
  for (auto &entry : definitions)
    names.push_back(entry.first());
  for (auto &entry : unread)
    if (entry.second)
      names.push_back(entry.first());
  llvm::sort(names);
  return names;
}

const ClassDef *SourceResolver::classDefinition(StringRef name) {
  NameInFile found = follow(name);
  return llvm::dyn_cast_or_null<ClassDef>(found.file->definition(found.name));
}

/// A question about a class, which asks the same of its bases. What was found goes with the outermost one: definitions
/// change at the prompt.
struct SourceResolver::Question {
  explicit Question(SourceResolver &resolver) : resolver(resolver) {
    ++resolver.depth;
    ++resolver.questionDepth;
  }
  ~Question() {
    --resolver.depth;
    if (--resolver.questionDepth)
      return;
    resolver.notModules.clear();
    resolver.notExceptions.clear();
  }
  SourceResolver &resolver;
};

bool SourceResolver::isModuleClass(StringRef name) {
  if (NameInFile found = follow(name); found.file != this)
    return found.file->isModuleClass(found.name);
  auto *tree = llvm::dyn_cast_or_null<ClassDef>(definition(name));
  if (!tree || depth >= maxDeclarationDepth)
    return false;
  const bool isInterface = llvm::any_of(tree->decorators(), [&](const Tree *decorator) {
    return canonicalName(dottedName(decorator)) == "torch.jit.interface";
  });
  if (isInterface || !notModules.insert(name).second) // no module is made of an interface
    return false;
  Question question(*this);
  return llvm::any_of(tree->bases(), [&](const Tree *base) {
    std::string path = canonicalName(dottedName(base));
    return isModuleClass(path) || isLibraryModule(compiler, path);
  });
}

bool SourceResolver::isTemplate(const Def &def) {
  return hasTemplates || llvm::any_of(def.params(), [&](const Param *param) {
           const Tree *type = param->type();
           if (!type && (param->isVarArgs() || param->isVarKeywords()))
             return true;
           return type && isCallableType(*this, type);
         });
}

bool SourceResolver::isExceptionClass(StringRef name) {
  if (NameInFile found = follow(name); found.file != this)
    return found.file->isExceptionClass(found.name);
  auto *tree = llvm::dyn_cast_or_null<ClassDef>(definition(name));
  if (!tree || depth >= maxDeclarationDepth || !notExceptions.insert(name).second)
    return false;
  Question question(*this);
  return llvm::any_of(tree->bases(), [&](const Tree *base) { return !exceptionName(dottedName(base)).empty(); });
}

std::string SourceResolver::exceptionName(StringRef dotted) {
  if (dotted.empty())
    return "";
  if (NameInFile found = follow(dotted); found.file != this)
    return found.name.empty() ? "" : found.file->exceptionName(found.name);
  if (definition(dotted))
    return isExceptionClass(dotted) ? qualified(dotted) : "";
  return Resolver::exceptionName(canonicalName(dotted));
}

std::vector<std::string> SourceResolver::exceptionsWithBase(StringRef fullName) {
  std::vector<std::string> found;
  auto search = [&](SourceResolver &file) {
    for (StringRef known : file.definedNames())
      if (auto *tree = llvm::dyn_cast_or_null<ClassDef>(file.definition(known)))
        if (llvm::any_of(tree->bases(),
                         [&](const Tree *base) { return file.exceptionName(dottedName(base)) == fullName; }))
          found.push_back(file.qualified(known));
  };
  search(*this);
  if (compiler.sourceResolver && compiler.sourceResolver != this)
    search(*compiler.sourceResolver);
  for (auto &entry : compiler.userFiles) // what is raised may come from any of them
    if (entry.second && entry.second != this)
      search(*entry.second);
  return found;
}

bool SourceResolver::isAsync(StringRef name) const {
  return tree && llvm::any_of(tree->statements(), [&](const Tree *statement) {
           auto *def = llvm::isa<AsyncStmt>(statement) ? llvm::dyn_cast<Def>(statement->child(0)) : nullptr;
           return def && def->name() == name;
         });
}

/// `Point = namedtuple("Point", ["x", "y"])`, of tensors, or `NamedTuple("Point", [("x", int)])`.
const Type *SourceResolver::calledNamedTuple(StringRef name, const Apply &call) {
  std::string path = canonicalName(dottedName(call.callee()));
  const bool isTyped = path == "typing.NamedTuple";
  if ((path != "collections.namedtuple" && !isTyped) || call.args().size() < 2 || depth >= maxDeclarationDepth)
    return nullptr;
  ++depth;
  auto leave = llvm::make_scope_exit([&] { --depth; });
  std::vector<std::string> fields;
  std::vector<const Type *> elements;
  auto *text = llvm::dyn_cast<StringLiteral>(call.args()[1]);
  if (text && !isTyped) { // "x y" or "x,y"
    llvm::SmallVector<StringRef> parts;
    llvm::SplitString(text->value(), parts, ", \t\n\v\f\r");
    for (StringRef part : parts)
      fields.push_back(part.str());
  } else if (llvm::isa<ListLiteral, TupleLiteral>(call.args()[1])) {
    for (const Tree *each : call.args()[1]->children()) {
      auto *pair = llvm::dyn_cast<TupleLiteral>(each);
      if (isTyped != (pair && pair->elements().size() == 2))
        return nullptr;
      auto *field = llvm::dyn_cast<StringLiteral>(isTyped ? pair->elements()[0] : each);
      const Type *type =
          isTyped ? tryTypeFromExpression(compiler.context, *this, pair->elements()[1]) : Type::tensorType();
      if (!field || !type)
        return nullptr;
      fields.push_back(field->value().str());
      elements.push_back(type);
    }
  }
  if (fields.empty())
    return nullptr;
  for (const Tree *each : call.keywords())
    if (auto *option = llvm::dyn_cast<Keyword>(each);
        option && option->name() == "defaults" && !llvm::isa<NoneLiteral>(option->value())) {
      (void)compiler.diags.report(option->range(), diag::UnsupportedSyntax, "defaults of a namedtuple");
      return nullptr;
    }
  elements.resize(fields.size(), Type::tensorType());
  const TupleType *type = compiler.context.namedTuple(qualified(name), fields, elements);
  if (isTooLarge(type)) {
    (void)compiler.diags.report(call.range(), diag::TypeTooLarge, name);
    return nullptr;
  }
  compiler.namedTuples.try_emplace(type);
  return type;
}

const Type *SourceResolver::classNamed(StringRef name) {
  if (NameInFile found = follow(name); found.file != this)
    return found.file->classNamed(found.name);
  if (auto known = types.find(name); known != types.end())
    return known->second; // null after a report
  if (auto *assign = llvm::dyn_cast_or_null<Assign>(definition(name)))
    if (auto *call = llvm::dyn_cast_or_null<Apply>(assign->value()))
      if (const Type *type = calledNamedTuple(name, *call))
        return types[name] = type;
  auto *tree = llvm::dyn_cast_or_null<ClassDef>(definition(name));
  if (!tree)
    return nullptr;
  if (depth >= maxDeclarationDepth) {
    (void)compiler.diags.report(tree->range(), diag::NestedTooDeeply, maxDeclarationDepth);
    return nullptr;
  }
  if (compiler.evaluator && isModuleClass(name)) { // each of its modules has a class of its own
    (void)compiler.diags.report(tree->point(), diag::ModuleInCompiledCode, name);
    return types[name] = nullptr;
  }
  ++depth;
  auto leave = llvm::make_scope_exit([&] { --depth; });
  std::string full = qualified(name);
  if (const Type *known = compiler.context.findClass(full);
      known && compiler.classes.count(llvm::cast<ClassType>(known)))
    return types[name] = known; // while it is being declared: a class that mentions itself
  const Type *type = compiler.declareClass(*tree, full, *this);
  types[name] = type;
  return type;
}

/// A constant of the file, or another name of something in a library. Each is worked out once: names of names would
/// double the work with every line.
SugaredValue *SourceResolver::assignedValue(StringRef name, const Assign &assign) {
  if (auto known = constants.find(name); known != constants.end())
    return known->second;
  if (depth >= maxDeclarationDepth)
    return nullptr;
  ++depth;
  auto leave = llvm::make_scope_exit([&] { --depth; });
  SugaredValue *result = nullptr;
  const Tree *given = assign.value();
  for (const Tree *target : assign.targets())
    forEachAssigned(target, assign.value(), [&](const Var &var, const Tree *value) {
      if (var.name() == name)
        given = value;
    });
  const Type *declared = assign.type() ? tryTypeFromExpression(compiler.context, *this, assign.type()) : nullptr;
  if (std::optional<IValue> value = compiler.evaluateConstant(given, declared, *this)) {
    if (isTooLarge(*value))
      (void)compiler.diags.report(assign.range(), diag::ConstantTooLarge, name);
    else
      result = compiler.arena.make<ConstantSugar>(*value, holdsList(*value) || value->isTuple() ? declared : nullptr);
  } else if (auto *other = llvm::dyn_cast<Var>(given); other && other->name() != name && has(other->name())) {
    result = resolveValue(other->name(), assign.range()); // another name of a function
  } else if (llvm::isa<Lambda>(given)) {
    result = compiler.arena.make<ClosureSugar>(*given, *this, nullptr);
  } else if (std::string path = canonicalName(dottedName(given)); !path.empty() && path != name) { // T = torch
    result = libraryValue(compiler, compiler.arena, path);
  }
  return constants[name] = result;
}

SugaredValue *SourceResolver::resolveValue(StringRef name, SourceRange range) {
  if (runtimeNames.contains(name)) // its definition, where there is one, may not be the last word
    return globalValue(compiler, *this, name, range);
  if (const Tree *defined = definition(name)) {
    if (auto *def = llvm::dyn_cast<Def>(defined)) {
      if (isTemplate(*def))
        return compiler.arena.make<ClosureSugar>(*def, *this, nullptr);
      Function *made = function(name);
      return made ? compiler.arena.make<FunctionSugar>(std::vector<Function *>{made}) : nullptr;
    }
    if (llvm::isa<ClassDef>(defined)) {
      const Type *type = classNamed(name);
      return type ? sugarForType(compiler.arena, type) : nullptr;
    }
    if (SugaredValue *value = assignedValue(name, *llvm::cast<Assign>(defined)))
      return value;
    if (const Type *type = classNamed(name))
      return sugarForType(compiler.arena, type);
    return globalValue(compiler, *this, name, range); // what the file's code made
  }
  if (SugaredValue *value = importedValue(name, range))
    return value;
  auto import = imports.find(name);
  if (import != imports.end())
    return libraryValue(compiler, compiler.arena, import->second);
  if (SugaredValue *other = otherNames ? otherNames(name) : nullptr)
    return other;
  if (SugaredValue *value = isUsers && compiler.hostNames ? compiler.hostNames->resolveValue(name, range) : nullptr)
    return value;
  // Text that C++ hosts hand to a compilation unit has no imports and knows this one name.
  return name == "torch" ? libraryValue(compiler, compiler.arena, name) : nullptr;
}

const Type *SourceResolver::resolveType(StringRef dotted, SourceRange range) {
  if (NameInFile found = follow(dotted); found.file != this)
    return found.name.empty() ? nullptr : found.file->resolveType(found.name, range);
  if (const Type *type = classNamed(dotted))
    return type;
  if (auto *assign = llvm::dyn_cast_or_null<Assign>(definition(dotted)); assign && depth < maxDeclarationDepth) {
    if (auto known = aliases.find(dotted); known != aliases.end())
      return known->second;
    ++depth;
    auto leave = llvm::make_scope_exit([&] { --depth; });
    if (llvm::isa<Var, Select, Subscript>(assign->value())) { // an alias of a type
      const Type *type = tryTypeFromExpression(compiler.context, *this, assign->value());
      return aliases[dotted] = type;
    }
  }
  if (const Type *type = libraryClass(compiler, canonicalName(dotted)))
    return type;
  return isUsers && compiler.hostNames ? compiler.hostNames->resolveType(dotted, range) : nullptr;
}

//===-- Archives -----------------------------------------------------------===//

const Tree *ArchiveResolver::definition(StringRef qualified) {
  auto [module, name] = qualified.rsplit('.');
  if (name.empty())
    return nullptr;
  if (auto found = modules.find(module); found != modules.end())
    return found->second.lookup(name);
  llvm::StringMap<const Tree *> names;
  if (const SourceBuffer *source = findSource ? findSource(module) : nullptr)
    if (const SyntaxTree *tree = compiler.parse(*source))
      for (const Tree *statement : tree->statements()) {
        if (auto *def = llvm::dyn_cast<Def>(statement))
          names[def->name()] = def;
        else if (auto *classDef = llvm::dyn_cast<ClassDef>(statement))
          names[classDef->name()] = classDef;
      }
  return modules.try_emplace(module, std::move(names)).first->second.lookup(name);
}

Resolver &ArchiveResolver::readerOf(StringRef qualified) {
  if (pythonModules.contains(qualified.rsplit('.').first))
    return asPython;
  return *this;
}

const Type *ArchiveResolver::findType(StringRef qualified) {
  if (auto it = types.find(qualified); it != types.end())
    return it->second;
  // PyTorch's own C++ classes: no archive defines them.
  if (StringRef name = qualified; name.consume_front("__torch__.") && name.starts_with("torch.classes."))
    return libraryClass(compiler, name);
  auto *tree = llvm::dyn_cast_or_null<ClassDef>(definition(qualified));
  if (!tree)
    return nullptr;
  if (const ClassType *known = compiler.context.findClass(qualified); known && compiler.classes.count(known))
    return known; // being declared
  if (depth >= maxDeclarationDepth) {
    (void)compiler.diags.report(tree->range(), diag::NestedTooDeeply, maxDeclarationDepth);
    return nullptr;
  }
  ++depth;
  auto leave = llvm::make_scope_exit([&] { --depth; });
  const Type *type = compiler.declareClass(*tree, qualified, readerOf(qualified));
  types[qualified] = type;
  return type;
}

Function *ArchiveResolver::findFunction(StringRef qualified) {
  if (Function *known = compiler.unit.find(qualified))
    return known;
  auto *def = llvm::dyn_cast_or_null<Def>(definition(qualified));
  return def ? compiler.declareFunction(*def, qualified, nullptr, readerOf(qualified)) : nullptr;
}

SugaredValue *ArchiveResolver::resolveValue(StringRef name, SourceRange range) {
  if (name == "torch" || name == "ops" || name == "CONSTANTS" || name == "__torch__")
    return compiler.arena.make<NamespaceSugar>(name.str(), true);
  if (name == "inf" || name == "nan" || name == "infj" || name == "nanj") {
    double number = name.starts_with("inf") ? HUGE_VAL : std::nan("");
    return compiler.arena.make<ConstantSugar>(name.ends_with("j") ? IValue(std::complex<double>(0, number))
                                                                  : IValue(number));
  }
  return nullptr;
}

const Type *ArchiveResolver::resolveType(StringRef name, SourceRange range) {
  return name.contains('.') ? findType(name) : nullptr;
}

ArchiveResolver *ArchiveResolver::of(Resolver &resolver) {
  if (auto *asPython = dynamic_cast<PythonReading *>(&resolver))
    return &asPython->archive;
  return dynamic_cast<ArchiveResolver *>(&resolver);
}

bool ArchiveResolver::knowsFunction(StringRef dottedName) {
  auto [path, name] = dottedName.rsplit('.');
  if (path != "torch" && path != "torch.autograd" && !path.starts_with("ops."))
    return false;
  SugaredValue *value = member(path, name);
  auto *builtin = llvm::dyn_cast_or_null<BuiltinFunction>(value);
  return builtin ? isNamedOperator(compiler, builtin->name) : value != nullptr;
}

SugaredValue *ArchiveResolver::member(StringRef path, StringRef name) {
  Context &context = compiler.context;
  if (path == "CONSTANTS") {
    size_t index = 0;
    if (!name.consume_front("c") || name.getAsInteger(10, index) || index >= constants.size())
      return nullptr;
    return compiler.arena.make<ConstantSugar>(constants[index]);
  }
  if (path == "torch.autograd")
    return compiler.arena.make<BuiltinFunction>(context.symbol("aten", name));
  if (path == "torch") {
    if (name == "autograd")
      return compiler.arena.make<NamespaceSugar>("torch.autograd", true);
    if (name == "dict") // as Python's: PyTorch writes OrderedDict() as torch.dict()
      return compiler.arena.make<SpecialForm>(FormKind::Dict, "dict");
    if (name == "fork")
      return compiler.arena.make<SpecialForm>(FormKind::Fork, "fork");
    if (name == "quantized_lstm" || name == "quantized_gru")
      return libraryValue(compiler, compiler.arena, ("torch." + name).str());
    auto *builtin = compiler.arena.make<BuiltinFunction>(context.symbol("aten", name));
    if ((name == "linspace" && version < 8) || (name == "logspace" && version < 9)) // steps had a default then
      builtin->lateDefault = {"steps", 2, 100};
    return builtin;
  }
  if (path == "ops")
    return compiler.arena.make<NamespaceSugar>("ops." + name.str(), true);
  if (path.consume_front("ops.")) {
    if (path == "prim" && name == "RaiseException")
      return compiler.arena.make<SpecialForm>(FormKind::Raise, "RaiseException");
    if (path == "prepacked" || path == "profiler" || path == "quantized" || path == "_quantized" ||
        path == "torchaudio")
      if (SugaredValue *function = libraryValue(compiler, compiler.arena, ("torch.ops." + path + "." + name).str()))
        return function;
    return compiler.arena.make<BuiltinFunction>(context.symbol(path, name));
  }
  std::string full = (path + "." + name).str();
  const Tree *tree = definition(full);
  if (llvm::isa_and_nonnull<ClassDef>(tree)) {
    const Type *type = findType(full);
    return type ? sugarForType(compiler.arena, type) : nullptr;
  }
  if (llvm::isa_and_nonnull<Def>(tree)) {
    Function *function = findFunction(full);
    return function ? compiler.arena.make<FunctionSugar>(std::vector<Function *>{function}) : nullptr;
  }
  return compiler.arena.make<NamespaceSugar>(full, true);
}
