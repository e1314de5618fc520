//===- Session.cpp - Statements one after the other -----------------------===//
#include "tsc/Frontend/Session.h"
#include "../SugaredValues/Values.h"
#include "Calls/Captures.h"
#include "Conversions.h"
#include "Expressions.h"
#include "Lowering.h"
#include "SourceResolver.h"
#include "Statements.h"
#include "Statements/Assignments.h"
#include "Statements/ChangedContainers.h"
#include "TypeExpressions.h"
#include "tsc/Frontend/Parser.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

namespace {
/// Names of one statement. Variables are the emitter's own.
struct StatementScope final : Resolver {
  StatementScope(SourceResolver &definitions, const llvm::StringMap<SugaredValue *> &aliases)
      : definitions(definitions), aliases(aliases) {}
  SugaredValue *resolveValue(StringRef name, SourceRange range) override {
    if (SugaredValue *alias = aliases.lookup(name))
      return alias;
    return definitions.resolveValue(name, range);
  }
  const Type *resolveType(StringRef name, SourceRange range) override { return definitions.resolveType(name, range); }
  std::string canonicalName(StringRef name) override { return definitions.canonicalName(name); }
  SourceRange unknownImport(StringRef name) override { return definitions.unknownImport(name); }
  SugaredValue *importedInside(const Import &import, const Alias &alias) override {
    return definitions.importedInside(import, alias);
  }
  Resolver &definer(StringRef name) override { return definitions.definer(name); }
  std::string exceptionName(StringRef name) override { return definitions.exceptionName(name); }
  std::vector<std::string> exceptionsWithBase(StringRef name) override { return definitions.exceptionsWithBase(name); }
  const ClassDef *classDefinition(StringRef name) override { return definitions.classDefinition(name); }
  bool defines(StringRef name) override { return aliases.contains(name) || definitions.defines(name); }
  const Type *containerOf(ContainerKind kind, const Type *element) override {
    return definitions.containerOf(kind, element);
  }
  bool followsPython() const override { return true; }
  SourceResolver &definitions;
  const llvm::StringMap<SugaredValue *> &aliases;
};

/// A statement as a function.
struct CompiledStatement {
  Function *function = nullptr;
  std::vector<std::string> inputs;
  /// Variables that it sets; one without a name is the value of an expression. Behind one that not every run sets
  /// stands whether this one has, under the variable's name with `setMark`.
  std::vector<std::string> results;
  const TupleType *type = nullptr; ///< Of the results.
};

constexpr StringRef setMark = "$set_";

/// Whether a statement may bind variables in loops and branches, and has no `try`, whose body has cells for them.
bool bindsInside(const Tree *tree) {
  if (!llvm::isa<For, While, If, With, Match>(tree))
    return false;
  llvm::SmallVector<const Tree *> pending{tree};
  while (!pending.empty()) {
    const Tree *next = pending.pop_back_val();
    if (llvm::isa_and_nonnull<Try>(next))
      return false;
    if (next)
      pending.append(next->children().begin(), next->children().end());
  }
  return true;
}

/// The variables that a statement reads or binds.
void collectNames(const Tree *tree, llvm::StringSet<> &names) {
  if (!tree)
    return;
  if (auto *var = llvm::dyn_cast<Var>(tree))
    names.insert(var->name());
  for (const Tree *child : tree->children())
    collectNames(child, names);
}

const Tree *findReturn(const Tree *tree) {
  if (!tree || llvm::isa<Def, Lambda, ClassDef>(tree))
    return nullptr;
  if (llvm::isa<Return>(tree))
    return tree;
  for (const Tree *child : tree->children())
    if (const Tree *found = findReturn(child))
      return found;
  return nullptr;
}
} // namespace

struct Session::Impl {
  explicit Impl(Compiler &owner) : compiler(owner.implementation()) {
    if (!compiler.sourceResolver) {
      auto owned = std::make_unique<SourceResolver>(compiler, "__torch__");
      owned->setIsUsers();
      compiler.sourceResolver = owned.get();
      compiler.resolvers.push_back(std::move(owned));
    }
    definitions = compiler.sourceResolver;
    if (const SyntaxTree *tree = compiler.parse(compiler.context.sources().add("<imports>", importText().str()))) {
      definitions->addMissing(*tree);
      if (!compiler.evaluator)
        importTrees.assign(tree->statements().begin(), tree->statements().end());
    }
    // Functions see plain data of the session as constants.
    definitions->setOtherNames([this](StringRef name) -> SugaredValue * {
      if (SugaredValue *alias = aliases.lookup(name))
        return alias;
      auto found = variables.find(name);
      if (found == variables.end() || !isPlain(found->second.value))
        return nullptr;
      return compiler.arena.make<ConstantSugar>(found->second.value, found->second.type);
    });
    takeOverGlobals();
  }

  static bool isPlain(const IValue &value) {
    return value.isNone() || value.isBool() || value.isInt() || value.isDouble() || value.isComplex() ||
           value.isString() || value.isDevice() || (value.isTuple() && llvm::all_of(value.toTuple().elements, isPlain));
  }

  /// Variables of a file that was run.
  void takeOverGlobals() {
    if (!compiler.evaluator)
      return;
    for (const std::string &name : compiler.evaluator->globalNames())
      takeOver(name);
  }

  void takeOver(StringRef name) {
    std::optional<IValue> value = compiler.evaluator->globalData(name);
    if (!value)
      return;
    const Type *type = value->dynamicType(compiler.context);
    setVariable(name, {std::move(*value), type});
  }

  /// Of a variable's value, where the statement that gave it could not tell.
  const Type *typeNow(const IValue &value, const Type *known) const {
    const Type *type = known->isAny() ? value.dynamicType(compiler.context) : nullptr;
    return type ? type : known;
  }

  void setVariable(StringRef name, Variable variable) {
    const bool isKnown = variables.count(name.str()) || aliases.contains(name) || definitions->definition(name);
    aliases.erase(name);
    variables.insert_or_assign(name.str(), std::move(variable));
    if (isKnown)
      definitions->forget(name, /*isDefined=*/false);
    else
      definitions->forgetUsersOf(name);
  }

  //===-- Statements --------------------------------------------------------===//

  bool emit(FunctionContext &emitter, const Tree &tree, CompiledStatement &statement, std::vector<Value *> &values,
            bool &isDone) {
    auto take = [&](StringRef name, Value *value) {
      statement.results.push_back(name.str());
      values.push_back(value);
    };
    auto takeBound = [&] {
      std::set<std::string> names;
      collectBoundNames(&tree, names);
      std::vector<std::pair<std::string, const Type *>> set;
      for (auto &[name, type] : emitter.env.current().types)
        if (names.count(name))
          set.emplace_back(name, type);
      for (auto &[name, type] : set) {
        take(name, emitter.env.load(name, type, tree.range()));
        if (std::string mark = (setMark + name).str(); emitter.env.typeOf(mark))
          take(mark, emitter.env.load(mark, Type::boolType(), tree.range()));
      }
    };
    if (auto *expression = llvm::dyn_cast<ExprStmt>(&tree)) {
      SugaredValue *value = emitSugared(emitter, expression->value());
      if (!value)
        return false;
      if (!llvm::isa<SimpleValue, ConstantSugar, TupleSugar>(value) && value->kind() != SugaredKind::Simple) {
        described = "<" + value->describe() + ">";
        return isDone = true;
      }
      Value *plain = value->asValue(emitter, expression->value()->range());
      if (!plain)
        return false;
      if (!isChangedList(*plain))
        take("", plain);
      takeBound(); // `(n := 3)`
      return true;
    }
    if (auto *assign = llvm::dyn_cast<Assign>(&tree)) {
      const Tree *target = assign->targets().size() == 1 ? assign->targets()[0] : nullptr;
      auto *var = llvm::dyn_cast_or_null<Var>(target);
      auto *tuple = llvm::dyn_cast_or_null<TupleLiteral>(target);
      if (tuple && !llvm::all_of(tuple->elements(), [](const Tree *part) { return llvm::isa<Var>(part); }))
        tuple = nullptr;
      if (assign->value() && (var || tuple))
        return emitAssign(emitter, *assign, var, tuple, take, isDone);
    }
    if (!emitStatement(emitter, &tree))
      return false;
    takeBound();
    return true;
  }

  /// `l.append(x)`: its operator gives the list, and Python None.
  static bool isChangedList(const Value &value) {
    const Node *node = value.node();
    const OpRecord *record = node ? node->record() : nullptr;
    return record && node->numInputs() != 0 && llvm::isa<ListType>(node->input(0)->type()) &&
           record->schema.ends_with("(a!)");
  }

  /// `x = …` and `x, y = …`: the names may get values of other types than they had.
  bool emitAssign(FunctionContext &emitter, const Assign &tree, const Var *var, const TupleLiteral *tuple,
                  llvm::function_ref<void(StringRef, Value *)> take, bool &isDone) {
    const Type *annotated = tree.type() ? annotationType(emitter, tree.type()) : nullptr;
    if (tree.type() && !annotated)
      return false;
    if (auto *lambda = var ? llvm::dyn_cast<Lambda>(tree.value()) : nullptr)
      return setAlias(var->name(), compiler.arena.make<ClosureSugar>(*lambda, *definitions, nullptr)), isDone = true;
    SugaredValue *value =
        emitSugared(emitter, tree.value(), tuple ? NumBinders(tuple->elements().size()) : NumBinders(1), annotated);
    if (!value)
      return false;
    if (tuple) {
      auto parts = value->asTuple(emitter, tree.range(), NumBinders(tuple->elements().size()));
      if (!parts)
        return false;
      if (parts->size() != tuple->elements().size())
        return parts->size() < tuple->elements().size()
                   ? emitter.error(tree.range(), diag::NotEnoughValues, tuple->elements().size(), parts->size())
                   : emitter.error(tree.range(), diag::TooManyValues, tuple->elements().size(), parts->size());
      for (auto [target, part] : llvm::zip(tuple->elements(), *parts)) {
        Value *plain = part->asValue(emitter, target->range());
        if (!plain)
          return false;
        take(llvm::cast<Var>(target)->name(), plain);
      }
      return true;
    }
    if (isNameOfOther(*value)) {
      keepsEmitter = true;
      return setAlias(var->name(), value), isDone = true;
    }
    Value *plain = value->asValue(emitter, tree.range());
    if (plain && annotated) {
      plain = convertTo(emitter, plain, annotated, tree.range(), /*allowConversions=*/true);
      if (plain && !plain->type()->isSubtypeOf(annotated))
        return emitter.error(tree.range(), diag::AnnotatedType, var->name(), annotated->annotation(),
                             plain->type()->annotation());
      if (plain && plain->type() != annotated)
        plain = emitter.castTo(plain, annotated, tree.range());
    }
    if (plain)
      take(var->name(), plain);
    return plain != nullptr;
  }

  /// A function, a class or a module, which has another name now. An operator bound to a value is none.
  static bool isNameOfOther(const SugaredValue &value) {
    auto *builtin = dynamic_cast<const BuiltinFunction *>(&value);
    return llvm::isa<FunctionSugar, FlaggedFunction, ClassSugar, NamedTupleSugar, EnumSugar, TypeSugar, NamespaceSugar,
                     CastFunction>(value) ||
           (builtin && !builtin->self);
  }

  void setAlias(StringRef name, SugaredValue *value) {
    variables.erase(name.str());
    aliases[name] = value;
    definitions->forget(name, /*isDefined=*/false);
  }

  /// Makes the variables that a statement names inputs of its function.
  void addInputs(const Tree &tree, Graph &graph, FunctionContext &emitter, CompiledStatement &statement,
                 std::vector<Argument> &parameters) {
    emitter.env.push(graph.block());
    graph.setInsertPoint(graph.block());
    llvm::StringSet<> names;
    collectNames(&tree, names);
    for (auto &[name, variable] : variables) {
      if (!names.contains(name))
        continue;
      Value *input = graph.addInput(isMeaningfulName(name) ? name : "", variable.type);
      emitter.env.store(name, input, tree.range());
      emitter.env.setType(name, variable.type);
      statement.inputs.push_back(name);
      Argument &parameter = parameters.emplace_back();
      parameter.name = name;
      parameter.type = variable.type;
    }
  }

  /// What loops and branches of a statement bind first, with the one type that it has wherever it is bound; nothing
  /// after a report.
  std::optional<std::map<std::string, const Type *>> boundInside(const Tree &tree) {
    std::map<std::string, const Type *> types;
    if (!bindsInside(&tree))
      return types;
    std::set<std::string> bound;
    collectBoundNames(&tree, bound);
    std::erase_if(bound, [&](const std::string &name) { return variables.count(name) != 0; });
    if (bound.empty())
      return types;
    Graph graph(compiler.context);
    StatementScope scope(*definitions, aliases);
    FunctionContext emitter(compiler, scope, graph);
    CompiledStatement unused;
    std::vector<Argument> parameters;
    addInputs(tree, graph, emitter, unused, parameters);
    std::set<std::string> varying;
    emitter.env.onSet = [&](StringRef name, const Type *type, SourceRange) {
      if (auto known = bound.count(name.str()) ? types.try_emplace(name.str(), type).first : types.end();
          known != types.end() && known->second != type)
        varying.insert(known->first);
      return true;
    };
    if (!emitStatement(emitter, &tree))
      return std::nullopt;
    for (const std::string &name : varying)
      types.erase(name);
    return types;
  }

  /// Variables that a loop or a branch may set are there before it, without a value, each with a mark whether it has
  /// one.
  static bool declareInside(FunctionContext &emitter, const std::map<std::string, const Type *> &types,
                            SourceRange range) {
    if (types.empty())
      return true;
    auto mark = [&emitter](StringRef name, bool isSet, SourceRange at) {
      return tsc::setVariable(emitter, (setMark + name).str(), emitter.simple(emitter.constant(IValue(isSet), at)), at);
    };
    for (auto &[name, type] : types) {
      Value *nothing = emitter.insertValue(prim::Uninitialized, {}, type, range);
      if (!tsc::setVariable(emitter, name, emitter.simple(nothing), range) || !mark(name, false, range))
        return false;
    }
    emitter.env.onSet = [&types, mark](StringRef name, const Type *, SourceRange at) {
      return !types.count(name.str()) || mark(name, true, at);
    };
    return true;
  }

  /// Null function where nothing is to be run. Variables that are None and are given something else in a loop or a
  /// branch may be None from here on.
  std::optional<CompiledStatement> compile(const Tree &tree) {
    Widening widening;
    llvm::SaveAndRestore saved(compiler.widening, &widening);
    while (true) {
      std::optional<CompiledStatement> statement = compileOnce(tree);
      if (!std::exchange(widening.isWanted, false))
        return statement;
      for (auto &[name, type] : widening.types)
        if (auto known = variables.find(name); known != variables.end() && known->second.value.isNone())
          known->second.type = type;
    }
  }

  std::optional<CompiledStatement> compileOnce(const Tree &tree) {
    described.clear();
    keepsEmitter = false;
    if (const Tree *found = findReturn(&tree)) {
      (void)compiler.diags.report(found->range(), diag::ReturnOutsideFunction);
      return std::nullopt;
    }
    std::optional<std::map<std::string, const Type *>> inside = boundInside(tree);
    if (!inside)
      return std::nullopt;
    CompiledStatement statement;
    auto graph = std::make_unique<Graph>(compiler.context);
    scopes.push_back(std::make_unique<StatementScope>(*definitions, aliases));
    auto emitter = std::make_unique<FunctionContext>(compiler, *scopes.back(), *graph);
    std::vector<Argument> parameters;
    addInputs(tree, *graph, *emitter, statement, parameters);
    if (!declareInside(*emitter, *inside, tree.range()))
      return std::nullopt;
    std::vector<Value *> values;
    bool isDone = false;
    if (!emit(*emitter, tree, statement, values, isDone))
      return std::nullopt;
    if (isDone) {
      if (keepsEmitter)
        kept.emplace_back(std::move(graph), std::move(emitter));
      return statement;
    }
    Value *tuple = emitter->makeTuple(values, tree.range());
    emitter->insertNode(prim::ReturnStmt, {tuple}, 0, tree.range());
    if (!checkSharedContainers(*emitter) || !finishLoops(*emitter))
      return std::nullopt;
    statement.type = llvm::cast<TupleType>(tuple->type());
    lowerBody(*graph, tuple->type());
    statement.function = compiler.unit.create("__torch__.__prompt_" + std::to_string(numStatements++) + ".<module>");
    Argument result;
    result.type = tuple->type();
    statement.function->setSchema(
        FunctionSchema(statement.function->name().str(), "", std::move(parameters), {std::move(result)}));
    statement.function->setGraph(std::move(graph));
    return statement;
  }

  /// Whether a statement of the file only gives names a meaning, which functions see without its being run.
  bool isDefinition(const Tree &tree) {
    if (auto *expression = llvm::dyn_cast<ExprStmt>(&tree))
      return llvm::isa<StringLiteral, Dots>(expression->value());
    auto *assign = llvm::dyn_cast<Assign>(&tree);
    if (!assign)
      return llvm::isa<Def, ClassDef, Import, Pass>(tree);
    return !assign->value() || llvm::all_of(assign->targets(), [&](const Tree *target) {
      auto *var = llvm::dyn_cast<Var>(target);
      return var && (definitions->resolveValue(var->name(), tree.range()) ||
                     definitions->resolveType(var->name(), tree.range()));
    });
  }

  llvm::FailureOr<Status> run(const Tree &tree, const Runner &runner, const Show &show) {
    if (llvm::isa<Def, ClassDef, Import>(tree))
      return define(tree);
    if (auto *deletion = llvm::dyn_cast<Delete>(&tree);
        deletion && llvm::all_of(deletion->targets(), [](const Tree *target) { return llvm::isa<Var>(target); }))
      return erase(*deletion);
    if (needsEvaluator(tree))
      return evaluate(tree, show);
    std::optional<CompiledStatement> statement = compile(tree);
    if (!statement)
      return llvm::failure();
    if (!statement->function) {
      if (!described.empty())
        show(IValue(), described);
      return okStatus();
    }
    std::vector<IValue> arguments;
    for (const std::string &name : statement->inputs)
      arguments.push_back(variables[name].value);
    StatusOr<IValue> results = runner(*statement->function, std::move(arguments));
    if (!results.ok())
      return results.status();
    const std::vector<IValue> values(results->toTuple().elements.begin(), results->toTuple().elements.end());
    auto isSet = [&](StringRef name) {
      auto mark = llvm::find(statement->results, (setMark + name).str());
      return mark == statement->results.end() || values[mark - statement->results.begin()].toBool();
    };
    for (auto [i, name] : llvm::enumerate(statement->results)) {
      if (!name.empty()) {
        if (StringRef(name).starts_with(setMark) || !isSet(name))
          continue;
        setVariable(name, {values[i], typeNow(values[i], statement->type->elements()[i])});
        continue;
      }
      if (!values[i].isNone())
        setVariable("_", {values[i], statement->type->elements()[i]});
      std::optional<std::string> module =
          compiler.evaluator && values[i].isObject() ? compiler.evaluator->reprOfModule(values[i]) : std::nullopt;
      show(values[i], module ? StringRef(*module) : StringRef());
    }
    return okStatus();
  }

  /// Up to the first that fails.
  llvm::FailureOr<Status> runAll(ArrayRef<const Tree *> statements, const Runner &runner, const Show &show) {
    for (const Tree *statement : statements) {
      llvm::FailureOr<Status> status = run(*statement, runner, show);
      if (failed(status) || !status->ok())
        return status;
    }
    return okStatus();
  }

  /// Unlike a file, which may import what only other parts of the program use, a session says at once what is not
  /// there.
  bool isKnown(const Import &import) {
    for (const Alias *alias : import.names()) {
      StringRef path = import.isFrom() ? import.module() : alias->path();
      if (!path.starts_with(".") && !isKnownModule(path) && !compiler.userFile(path))
        return llvm::succeeded(
            compiler.diags.report(import.isFrom() ? import.range() : alias->range(), diag::NoModule, path));
    }
    return true;
  }

  llvm::FailureOr<Status> define(const Tree &tree) {
    StringRef name = llvm::isa<Def>(tree)        ? llvm::cast<Def>(tree).name()
                     : llvm::isa<ClassDef>(tree) ? llvm::cast<ClassDef>(tree).name()
                                                 : "";
    if (auto *import = llvm::dyn_cast<Import>(&tree)) {
      if (!isKnown(*import))
        return llvm::failure();
      definitions->addImports(*import);
      importTrees.push_back(&tree);
      if (compiler.evaluator && !compiler.evaluator->runStatement(&tree))
        return llvm::failure();
      for (const Alias *alias : import->names()) {
        StringRef local = alias->alias().empty() ? alias->path().split('.').first : alias->alias();
        variables.erase(local.str());
        aliases.erase(local);
      }
      return okStatus();
    }
    variables.erase(name.str());
    aliases.erase(name);
    definitions->replace(tree, name);
    if (definitions->isModuleClass(name) || compiler.evaluator) {
      if (!evaluator().runStatement(&tree))
        return llvm::failure();
      if (definitions->isModuleClass(name))
        return okStatus();
    }
    // What is wrong with the head is said now, and with the body too where nothing else is missing.
    const size_t heard = compiler.diags.all().size();
    if (llvm::isa<Def>(tree)) {
      auto &def = llvm::cast<Def>(tree);
      if (!definitions->isTemplate(def) && !usesModules(tree))
        (void)definitions->function(name);
    } else if (!definitions->isExceptionClass(name)) {
      (void)definitions->classNamed(name);
    }
    if (compiler.diags.all().size() != heard)
      return llvm::failure();
    return okStatus();
  }

  llvm::FailureOr<Status> erase(const Delete &tree) {
    for (const Tree *target : tree.targets()) {
      StringRef name = llvm::cast<Var>(target)->name();
      const bool isKnown =
          variables.erase(name.str()) + aliases.erase(name) + (definitions->definition(name) != nullptr);
      if (!isKnown) {
        (void)compiler.diags.report(target->range(), diag::UndefinedValue, name);
        return llvm::failure();
      }
      definitions->forget(name, /*isDefined=*/false);
    }
    return okStatus();
  }

  //===-- What is evaluated -------------------------------------------------===//

  CodeEvaluator &evaluator() {
    if (!compiler.evaluator) {
      compiler.evaluator = compiler.makeEvaluator(compiler.owner);
      compiler.evaluator->beginSession(*definitions);
      for (const Tree *import : importTrees)
        compiler.evaluator->runStatement(import);
      for (StringRef name : definitions->definedNames())
        if (const Tree *known = definitions->definition(name); llvm::isa<Def, ClassDef>(known))
          compiler.evaluator->runStatement(known);
    }
    return *compiler.evaluator;
  }

  bool usesModules(const Tree &tree) {
    auto isModuleName = [&](StringRef path) {
      return isLibraryModule(compiler, definitions->canonicalName(path)) || definitions->isModuleClass(path);
    };
    if (auto *apply = llvm::dyn_cast<Apply>(&tree))
      if (std::string path = dottedName(apply->callee()); !path.empty() && isModuleName(path))
        return true;
    return llvm::any_of(tree.children(), [&](const Tree *child) { return child && usesModules(*child); });
  }

  /// Whether a statement makes modules, itself or by functions that it calls.
  bool needsEvaluator(const Tree &tree) {
    if (!compiler.makeEvaluator)
      return false;
    if (usesModules(tree))
      return true;
    llvm::StringSet<> seen;
    return mentionsMakers(tree, seen);
  }

  bool mentionsMakers(const Tree &tree, llvm::StringSet<> &seen) {
    if (auto *var = llvm::dyn_cast<Var>(&tree))
      if (auto *def = llvm::dyn_cast_or_null<Def>(definitions->definition(var->name()));
          def && !variables.count(var->name().str()) && seen.insert(var->name()).second)
        return usesModules(*def) || mentionsMakers(*def, seen);
    return llvm::any_of(tree.children(), [&](const Tree *child) { return child && mentionsMakers(*child, seen); });
  }

  llvm::FailureOr<Status> evaluate(const Tree &tree, const Show &show) {
    CodeEvaluator &python = evaluator();
    llvm::StringSet<> names;
    collectNames(&tree, names);
    for (auto &[name, variable] : variables)
      if (names.contains(name))
        python.setGlobal(name, variable.value);
    std::optional<std::string> shown;
    if (!python.runStatement(&tree, &shown))
      return llvm::failure();
    if (llvm::isa<ExprStmt>(tree)) {
      if (shown)
        show(IValue(), *shown);
      return okStatus();
    }
    const size_t heard = compiler.diags.all().size();
    for (StringRef name : names.keys())
      if (python.hasGlobal(name) && !definitions->definition(name))
        takeOver(name);
    if (compiler.diags.all().size() != heard)
      return llvm::failure();
    return okStatus();
  }

  Compiler::Impl &compiler;
  SourceResolver *definitions = nullptr;
  std::map<std::string, Variable, std::less<>> variables;
  llvm::StringMap<SugaredValue *> aliases; ///< Other names of functions, classes and modules.
  std::vector<const Tree *> importTrees;   ///< For an evaluator that is made when it is needed.
  std::vector<std::unique_ptr<StatementScope>> scopes;
  /// Of aliases, which live in their emitters.
  std::vector<std::pair<std::unique_ptr<Graph>, std::unique_ptr<FunctionContext>>> kept;
  std::string described;
  bool keepsEmitter = false;
  unsigned numStatements = 0;
};

StringRef Session::importText() {
  return "import torch\nimport math\nfrom torch import Tensor, nn\nimport torch.nn.functional as F\n"
         "from typing import Any, Dict, List, Optional, Tuple, Union\n";
}

Session::Session(Compiler &compiler) : impl(std::make_unique<Impl>(compiler)) {}
Session::~Session() { impl->definitions->setOtherNames(nullptr); }

llvm::FailureOr<Status> Session::run(const SourceBuffer &text, const Runner &runner, const Show &show) {
  const SyntaxTree *tree = impl->compiler.parse(text);
  return tree ? impl->runAll(llvm::to_vector(tree->statements()), runner, show)
              : llvm::FailureOr<Status>(llvm::failure());
}

llvm::FailureOr<Status> Session::runFile(const Runner &runner) {
  llvm::SmallVector<const Tree *> statements;
  for (const Stmt *statement : impl->definitions->syntaxTree()->statements())
    if (isMainBlock(statement))
      llvm::append_range(statements, llvm::cast<If>(statement)->thenBody());
    else if (!impl->isDefinition(*statement))
      statements.push_back(statement);
  return impl->runAll(statements, runner, [](const IValue &, StringRef) {});
}

llvm::FailureOr<const Type *> Session::typeOf(const SourceBuffer &expression) {
  const SyntaxTree *tree = impl->compiler.parse(expression);
  if (!tree || tree->statements().size() != 1 || !llvm::isa<ExprStmt>(tree->statements()[0])) {
    if (tree)
      (void)impl->compiler.diags.report({expression, 0, static_cast<uint32_t>(expression.text().size())},
                                        diag::NotAnExpression);
    return llvm::failure();
  }
  std::optional<CompiledStatement> statement = impl->compile(*tree->statements()[0]);
  if (!statement)
    return llvm::failure();
  return statement->type && !statement->type->elements().empty() ? statement->type->elements()[0] : nullptr;
}

Function *Session::findFunction(StringRef name) {
  auto [object, method] = name.split('.');
  if (auto found = impl->variables.find(object); found != impl->variables.end()) {
    // Modules within one, then the method.
    const Type *type = found->second.type;
    for (auto [part, rest] = method.split('.'); !rest.empty(); std::tie(part, rest) = rest.split('.')) {
      auto *known = llvm::dyn_cast<ClassType>(type);
      auto slot = known ? known->findAttribute(part) : std::nullopt;
      if (!slot)
        return nullptr;
      type = known->attribute(*slot).type;
      method = rest;
    }
    auto *known = llvm::dyn_cast<ClassType>(type);
    Function *function = known ? impl->compiler.owner.findMethod(*known, method.empty() ? "forward" : method) : nullptr;
    return function && succeeded(function->ensureDefined()) ? function : nullptr;
  }
  Function *function = nullptr;
  if (auto *alias = llvm::dyn_cast_or_null<FunctionSugar>(impl->aliases.lookup(name)))
    function = alias->functions.front();
  else if (method.empty())
    function = impl->definitions->function(name);
  else if (auto *type = llvm::dyn_cast_or_null<ClassType>(impl->definitions->classNamed(object)))
    function = type->findMethod(method);
  return function && succeeded(function->ensureDefined()) ? function : nullptr;
}

void Session::setVariable(StringRef name, Variable variable) { impl->setVariable(name, std::move(variable)); }
const std::map<std::string, Session::Variable, std::less<>> &Session::variables() const { return impl->variables; }
