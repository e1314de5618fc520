//===- Compiler.cpp - From TorchScript text to functions ------------------===//
#include "tsc/Frontend/Compiler.h"
#include "Emitter/ArchiveResolver.h"
#include "Emitter/FunctionContext.h"
#include "Emitter/Functions.h"
#include "Emitter/Lowering.h"
#include "Emitter/SourceResolver.h"
#include "Emitter/TypeExpressions.h"
#include "SugaredValues/Values.h"
#include "tsc/Frontend/ArchiveCode.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Frontend/Parser.h"
#include "tsc/Support/Stack.h"
#include "llvm/ADT/ScopeExit.h"

using namespace tsc;

Compiler::Impl::Impl(Compiler &owner, CompilationUnit &unit, DiagnosticEngine &diags, const PreludeTexts &texts)
    : owner(owner), unit(unit), context(unit.context()), diags(diags), texts(texts) {}
Compiler::Impl::~Impl() = default;

Compiler::Compiler(CompilationUnit &unit, DiagnosticEngine &diags, const PreludeTexts &prelude)
    : impl(std::make_unique<Impl>(*this, unit, diags, prelude)) {}
Compiler::~Compiler() = default;
CompilationUnit &Compiler::unit() const { return impl->unit; }
Context &Compiler::context() const { return impl->context; }
DiagnosticEngine &Compiler::diagnostics() const { return impl->diags; }
void Compiler::setObserver(CompileObserver *observer) { impl->observer = observer; }
ArrayRef<Function *> Compiler::sourceFunctions() const { return impl->sourceFunctions; }
ArrayRef<ClassType *> Compiler::sourceClasses() const { return impl->sourceClasses; }

const SyntaxTree *Compiler::Impl::parse(const SourceBuffer &source) {
  llvm::FailureOr<SyntaxTree> tree = parseSource(source, diags);
  if (failed(tree))
    return nullptr;
  trees.push_back(std::move(*tree));
  return &trees.back();
}

SourceResolver *Compiler::Impl::prelude(const PreludeModule &module) {
  SourceResolver *&resolver = preludes[&module];
  if (resolver)
    return resolver;
  auto owned = std::make_unique<SourceResolver>(*this, module.prefix);
  SourceResolver *made = resolver = owned.get();
  resolvers.push_back(std::move(owned));
  for (PreludeFile &file : texts.files(module)) {
    const SourceBuffer &source = context.sources().add(std::move(file.name), std::move(file.text));
    if (module.areFilesApart)
      made->addWhenWanted(source);
    else if (const SyntaxTree *tree = parse(source))
      made->add(*tree);
  }
  return made;
}

//===-- Source files -------------------------------------------------------===//

void Compiler::setIsLibrary() { impl->isLibrary = true; }
void Compiler::setFindFile(FindFile find) { impl->findFile = std::move(find); }

/// Whether an expression calls a class of torch.nn.
static bool makesModule(Compiler::Impl &compiler, SourceResolver &resolver, const Tree *tree) {
  if (!tree || !mayRecurse()) // what is nested too deeply is refused where it is compiled
    return false;
  if (auto *apply = llvm::dyn_cast<Apply>(tree))
    if (isLibraryModule(compiler, resolver.canonicalName(dottedName(apply->callee()))))
      return true;
  return llvm::any_of(tree->children(), [&](const Tree *part) { return makesModule(compiler, resolver, part); });
}

/// Whether a file has to be run to know what it offers: it defines modules, or its top level, its main block or a
/// function makes some.
static bool hasModules(Compiler::Impl &compiler, SourceResolver &resolver, const SyntaxTree &tree) {
  return llvm::any_of(tree.statements(), [&](const Tree *statement) {
    if (auto *classDef = llvm::dyn_cast<ClassDef>(statement))
      return resolver.isModuleClass(classDef->name());
    if (isMainBlock(statement) || llvm::isa<Def>(statement))
      return makesModule(compiler, resolver, statement);
    auto *assign = llvm::dyn_cast<Assign>(statement);
    return assign && makesModule(compiler, resolver, assign->value());
  });
}

void Compiler::setHostNames(Resolver &names) { impl->hostNames = &names; }
void Compiler::setEvaluator(MakeEvaluator make) { impl->makeEvaluator = std::move(make); }
bool Compiler::wasRun() const { return impl->evaluator != nullptr; }

/// Whether a statement of the top level calls the file's function main().
static bool callsMain(SourceResolver &resolver, const Tree *statement) {
  if (llvm::isa<Def, ClassDef>(statement) || !mayRecurse())
    return false;
  auto *apply = llvm::dyn_cast<Apply>(statement);
  auto *name = apply ? llvm::dyn_cast<Var>(apply->callee()) : nullptr;
  if (name && name->name() == "main" && llvm::isa_and_nonnull<Def>(resolver.definition("main")))
    return true;
  return llvm::any_of(statement->children(), [&](const Tree *part) { return part && callsMain(resolver, part); });
}

bool Compiler::hasMainBlock() const {
  const SyntaxTree *tree = impl->sourceResolver ? impl->sourceResolver->syntaxTree() : nullptr;
  if (impl->evaluator) // a file that has called its main() while it was run is not to call it again
    return impl->evaluator->hasMain() || (tree && llvm::any_of(tree->statements(), [&](const Tree *statement) {
                                            return callsMain(*impl->sourceResolver, statement);
                                          }));
  return tree && llvm::any_of(tree->statements(), isMainBlock);
}

/// Whether a statement of the top level, or one within it, calls `print` or a function of the file for what that does.
/// Of a file that is run as at the prompt methods of its values count too.
static bool callsForEffect(SourceResolver &resolver, const Tree *statement, bool withMethods) {
  if (llvm::isa<Def, ClassDef>(statement) || isMainBlock(statement))
    return false;
  auto *expression = llvm::dyn_cast<ExprStmt>(statement);
  if (!expression)
    return llvm::any_of(statement->children(),
                        [&](const Tree *part) { return part && callsForEffect(resolver, part, withMethods); });
  auto *apply = llvm::dyn_cast<Apply>(expression->value());
  if (!apply)
    return false;
  if (auto *name = llvm::dyn_cast<Var>(apply->callee()))
    return name->name() == "print" || llvm::isa_and_nonnull<Def>(resolver.definition(name->name()));
  const std::string path = dottedName(apply->callee());
  return withMethods && resolver.imported(StringRef(path).split('.').first).empty();
}

bool Compiler::isScript() const {
  SourceResolver *resolver = impl->sourceResolver;
  const SyntaxTree *tree = resolver ? resolver->syntaxTree() : nullptr;
  return tree && !hasMainBlock() && llvm::any_of(tree->statements(), [&](const Tree *statement) {
           return callsForEffect(*resolver, statement, /*withMethods=*/!impl->evaluator);
         });
}

llvm::LogicalResult Compiler::runMainBlock() { return llvm::success(impl->evaluator->runMain()); }

std::vector<std::string> Compiler::moduleNames() const {
  return impl->evaluator ? impl->evaluator->moduleNames() : std::vector<std::string>();
}

bool Compiler::isEvaluated(StringRef function) const {
  return impl->evaluator && impl->evaluator->usesModules(function);
}

llvm::FailureOr<IValue> Compiler::callEvaluated(StringRef function, std::vector<IValue> args,
                                                std::vector<std::pair<std::string, IValue>> kwargs) {
  std::optional<IValue> result = impl->evaluator->callByName(function, std::move(args), std::move(kwargs));
  if (!result)
    return llvm::failure();
  return std::move(*result);
}

llvm::FailureOr<Ref<ObjectValue>> Compiler::makeModule(StringRef name) {
  return impl->evaluator ? impl->evaluator->makeModule(name) : Ref<ObjectValue>();
}

Function *Compiler::findSourceFunction(StringRef name) {
  return impl->sourceResolver ? impl->sourceResolver->function(name) : nullptr;
}

std::vector<std::string> Compiler::sourceFunctionNames() const {
  std::vector<std::string> names;
  for (StringRef name : impl->sourceResolver ? impl->sourceResolver->definedNames() : std::vector<StringRef>())
    if (llvm::isa<Def>(impl->sourceResolver->definition(name)))
      names.push_back(name.str());
  return names;
}

void Compiler::declareExported(const ObjectValue &module) { impl->declareExported(module); }

Function *Compiler::findMethod(const ClassType &type, StringRef name) {
  if (Function *known = type.findMethod(name))
    return known;
  auto lock = impl->unit.lockDefinitions();
  return impl->moduleInfo(&type) ? impl->moduleMethod(&type, name) : nullptr;
}

llvm::LogicalResult Compiler::addSource(const SourceBuffer &source, StringRef prefix) {
  const SyntaxTree *tree = impl->parse(source);
  if (!tree)
    return llvm::failure();
  auto owned = std::make_unique<SourceResolver>(*impl, prefix.str());
  SourceResolver *resolver = owned.get();
  impl->resolvers.push_back(std::move(owned));
  impl->sourceResolver = resolver;
  resolver->setIsUsers();
  resolver->add(*tree);
  if (impl->isImportWrong)
    return llvm::failure();
  const bool mustRun = hasModules(*impl, *resolver, *tree) || llvm::any_of(impl->userFiles, [&](auto &entry) {
                         const SyntaxTree *other = entry.second ? entry.second->syntaxTree() : nullptr;
                         return other && hasModules(*impl, *entry.second, *other);
                       });
  if (impl->makeEvaluator && mustRun) {
    impl->evaluator = impl->makeEvaluator(*this);
    return llvm::success(impl->evaluator->runFile(*resolver));
  }
  bool ok = true;
  for (const Tree *statement : tree->statements()) {
    if (auto *def = llvm::dyn_cast<Def>(statement)) {
      if (resolver->isTemplate(*def))
        continue;
      Function *function = resolver->function(def->name());
      ok &= function != nullptr;
      if (function && !llvm::is_contained(impl->sourceFunctions, function))
        impl->sourceFunctions.push_back(function);
    } else if (auto *classDef = llvm::dyn_cast<ClassDef>(statement)) {
      if (resolver->isExceptionClass(classDef->name()))
        continue;
      const Type *type = resolver->classNamed(classDef->name());
      ok &= type != nullptr;
      if (auto *classType = llvm::dyn_cast_or_null<ClassType>(type))
        impl->sourceClasses.push_back(const_cast<ClassType *>(classType));
    }
  }
  return llvm::success(ok);
}

namespace {
/// A resolver that asks two others: a name that the first does not know is the second's.
struct Both final : Resolver {
  Both(Resolver &first, Resolver &second) : first(first), second(second) {}
  SugaredValue *resolveValue(StringRef name, SourceRange range) override {
    SugaredValue *value = first.resolveValue(name, range);
    return value ? value : second.resolveValue(name, range);
  }
  const Type *resolveType(StringRef name, SourceRange range) override {
    const Type *type = first.resolveType(name, range);
    return type ? type : second.resolveType(name, range);
  }
  std::string canonicalName(StringRef name) override {
    std::string canonical = first.canonicalName(name);
    return canonical != name ? canonical : second.canonicalName(name);
  }
  bool followsPython() const override { return true; }
  Resolver &first, &second;
};
} // namespace

/// Returns a resolver for a text that stands alone: it finds the names of `own` and, behind them or before them, those
/// that every such text may use.
static Resolver &withUsualNames(Compiler::Impl &compiler, Resolver &own, bool ownComeFirst) {
  static constexpr const char imports[] = "import torch\nimport math\nfrom torch import Tensor\nfrom typing import "
                                          "List, Dict, Tuple, Optional, Union, Any\n"
                                          "import torch.nn.functional as F\n";
  auto owned = std::make_unique<SourceResolver>(compiler, "__torch__");
  SourceResolver *names = owned.get();
  compiler.resolvers.push_back(std::move(owned));
  if (const SyntaxTree *tree = compiler.parse(compiler.context.sources().add("<arguments>", imports)))
    names->add(*tree);
  auto both = ownComeFirst ? std::make_unique<Both>(own, *names) : std::make_unique<Both>(*names, own);
  Resolver &scope = *both;
  compiler.resolvers.push_back(std::move(both));
  return scope;
}

/// Returns the resolver of the source file, which is made here where there is no file.
static SourceResolver &namesOfSource(Compiler::Impl &compiler) {
  if (!compiler.sourceResolver) {
    auto owned = std::make_unique<SourceResolver>(compiler, "__torch__");
    compiler.sourceResolver = owned.get();
    compiler.resolvers.push_back(std::move(owned));
  }
  return *compiler.sourceResolver;
}

Function *Compiler::compileExpressions(const SourceBuffer &text) {
  llvm::FailureOr<SyntaxTree> parsed = parseExpression(text, impl->diags);
  if (failed(parsed))
    return nullptr;
  impl->trees.push_back(std::move(*parsed));
  const Expr *expression = impl->trees.back().expression();
  std::vector<const Tree *> parts{expression};
  if (llvm::isa<TupleLiteral>(expression))
    parts.assign(expression->children().begin(), expression->children().end());
  Resolver &scope = withUsualNames(*impl, namesOfSource(*impl), /*ownComeFirst=*/true);
  Function *function = impl->unit.create("__torch__.__arguments_" + std::to_string(impl->numExpressions++));
  auto graph = std::make_unique<Graph>(impl->context);
  FunctionContext emitter(*impl, scope, *graph);
  if (!emitExpressions(emitter, parts, *function))
    return nullptr;
  lowerBody(*graph, emitter.returns.merged);
  function->setGraph(std::move(graph));
  return function;
}

//===-- Methods that a host adds -------------------------------------------===//

/// Returns the resolver for methods that a host adds to a class.
static Resolver &namesForMethodsOf(Compiler::Impl &compiler, const ClassType &type) {
  auto info = compiler.classes.find(&type);
  Resolver *own = info == compiler.classes.end() ? nullptr : info->second.resolver;
  if (own && !own->followsPython()) // an archive's, where torch has the names that archives call
    return withUsualNames(compiler, *own, /*ownComeFirst=*/false);
  return withUsualNames(compiler, own ? *own : namesOfSource(compiler), /*ownComeFirst=*/true);
}

/// Declares a definition as a method of a class and returns it, or null after a report.
static Function *declareHostMethod(Compiler &compiler, ClassType &type, const Tree &statement, Resolver &names) {
  Compiler::Impl &impl = compiler.implementation();
  auto *def = llvm::dyn_cast<Def>(&statement);
  if (!def) {
    (void)impl.diags.report(statement.range(), diag::ClassBody);
    return nullptr;
  }
  if (!def->decorators().empty()) {
    (void)impl.diags.report(def->range(), diag::UnsupportedSyntax, "decorators of methods that are added to a class");
    return nullptr;
  }
  if (compiler.findMethod(type, def->name()) || type.findStaticMethod(def->name()) || type.findProperty(def->name()) ||
      type.hasAttribute(def->name()) || type.hasConstant(def->name())) {
    (void)impl.diags.report(def->range(), diag::DuplicateDefinition, def->name());
    return nullptr;
  }
  Function *method = impl.declareFunction(*def, (type.name() + "." + def->name()).str(), &type, names);
  if (method)
    type.addMethod(method);
  return method;
}

llvm::LogicalResult Compiler::defineMethods(ClassType &type, const SourceBuffer &source) {
  auto lock = impl->unit.lockDefinitions();
  const SyntaxTree *tree = impl->parse(source);
  if (!tree)
    return llvm::failure();
  Resolver &names = namesForMethodsOf(*impl, type);
  std::vector<Function *> made;
  auto undone = llvm::make_scope_exit([&] {
    for (Function *method : made) {
      type.unsafeRemoveMethod(method->name());
      llvm::erase(impl->pending, method);
      impl->unit.unsafeRemove(*method);
    }
  });
  for (const Tree *statement : tree->statements()) {
    Function *method = declareHostMethod(*this, type, *statement, names);
    if (!method)
      return llvm::failure();
    made.push_back(method);
  }
  for (Function *method : made) // they may call each other
    if (failed(method->ensureDefined()))
      return llvm::failure();
  undone.release();
  return llvm::success();
}

llvm::LogicalResult Compiler::defineAll() {
  bool ok = true;
  while (!impl->pending.empty()) {
    Function *function = impl->pending.front();
    impl->pending.pop_front();
    ok &= succeeded(function->ensureDefined());
  }
  return llvm::success(ok);
}

//===-- Archives -----------------------------------------------------------===//

void Compiler::setArchive(FindSource findSource, std::vector<IValue> constants, int64_t version,
                          std::vector<std::string> pythonModules) {
  auto owned =
      std::make_unique<ArchiveResolver>(*impl, std::move(findSource), std::move(constants), version, pythonModules);
  impl->archive = owned.get();
  impl->resolvers.push_back(std::move(owned));
}

const Type *Compiler::findType(StringRef qualifiedName) {
  assert(impl->archive && "setArchive comes first");
  return impl->archive->findType(qualifiedName);
}

Function *Compiler::findFunction(StringRef qualifiedName) {
  assert(impl->archive && "setArchive comes first");
  return impl->archive->findFunction(qualifiedName);
}

bool tsc::knowsArchiveFunction(Compiler &compiler, StringRef dottedName) {
  assert(compiler.implementation().archive && "setArchive comes first");
  return compiler.implementation().archive->knowsFunction(dottedName);
}

void tsc::setArchiveBodyPass(Compiler &compiler, std::function<void(Graph &)> pass) {
  assert(compiler.implementation().archive && "setArchive comes first");
  compiler.implementation().archive->bodyPass = std::move(pass);
}

const Type *Compiler::typeFromAnnotation(StringRef text) {
  const SourceBuffer &buffer = impl->context.sources().add("<annotation>", text.str());
  llvm::FailureOr<SyntaxTree> tree = parseExpression(buffer, impl->diags);
  if (failed(tree))
    return nullptr;
  if (!impl->archive)
    setArchive(nullptr, {});
  return typeFromExpression(impl->context, impl->diags, *impl->archive, tree->expression());
}
