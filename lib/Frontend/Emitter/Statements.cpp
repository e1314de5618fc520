//===- Statements.cpp - if, return, raise, assert, with -------------------===//
//
// A branch gets a frame of its own; after an If the names that both sides set, or
// that one sets while the other leaves, live on. Statements that leave a block
// are nodes here, and Lowering.h's passes make control flow of them.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "SizeLimits.h"
#include "SourceResolver.h"
#include "TypeExpressions.h"
#include "tsc/Support/Stack.h"
#include "llvm/ADT/ScopeExit.h"
#include <set>

using namespace tsc;

/// The names that a condition reads, which it may tell something about.
static void collectReadNames(const Tree *tree, std::set<std::string> &names) {
  if (!tree)
    return;
  if (auto *name = llvm::dyn_cast<Var>(tree))
    names.insert(name->name().str());
  for (const Tree *part : tree->children())
    collectReadNames(part, names);
}

/// Goes on behind a statement that was refused, for what else is wrong. What it would have set, or narrowed, is unknown
/// from here on, and not reported again where it is used.
bool FunctionEmitter::recover(const Tree *statement, const Frame &frame) {
  constexpr unsigned mostRefused = 20;
  const bool isTriedAgain = compiler.widening && compiler.widening->isWanted;
  if (!recovers || isTriedAgain || ++numRefused > mostRefused)
    return false;
  while (&env.current() != &frame)
    env.pop();
  std::set<std::string> names;
  collectBoundNames(statement, names);
  if (auto *closure = llvm::dyn_cast<Def>(statement))
    names.insert(closure->name().str());
  std::set<std::string> asked;
  if (llvm::isa<Assert, If, While>(statement))
    collectReadNames(statement->child(0), asked);
  for (const std::string &name : asked) // a condition narrows these
    if (const Type *type = env.typeOf(name); type && (llvm::isa<OptionalType, UnionType>(type) || type->isAny()))
      names.insert(name);
  for (const std::string &name : names)
    env.erase(name);
  unknown.insert(names.begin(), names.end());
  if (llvm::isa<Return, Raise, Break, Continue>(statement))
    exitBlocks.insert(&graph.insertPointBlock());
  return true;
}

bool FunctionEmitter::isUnknown(StringRef name) const {
  return (!unknown.empty() && unknown.contains(name.str())) || (outer && outer->isUnknown(name)) ||
         (caller && caller->isUnknown(name));
}

bool FunctionEmitter::emitStatements(TreeList<Stmt> body) {
  const Frame &frame = env.current();
  for (const Tree *statement : body) {
    if (!emitStatement(statement) && !recover(statement, frame))
      return false;
    // What follows a return is never run, and need not make sense.
    if (exitBlocks.contains(&graph.insertPointBlock()))
      return true;
  }
  return true;
}

/// Names of libraries for the rest of the function; those that nobody knows are reported where they are used.
bool FunctionEmitter::emitImport(const Import &tree) {
  for (const Alias *alias : tree.names()) {
    StringRef path = alias->path(), local = alias->alias();
    if (path == "*")
      continue;
    std::string full = tree.isFrom() ? (tree.module() + "." + path).str() : path.str();
    if (!tree.isFrom() && local.empty())
      full = path.split('.').first.str();
    StringRef name = !local.empty() ? local : tree.isFrom() ? path : StringRef(full);
    const size_t heard = diags.all().size();
    SugaredValue *value = resolver.importedInside(tree, *alias);
    if (diags.all().size() != heard)
      return false;
    if (!value)
      value = libraryValue(compiler, compiler.arena, full);
    if (value)
      env.setSugared(name, value);
  }
  return true;
}

bool FunctionEmitter::emitStatement(const Tree *tree) {
  requireStack();
  SourceRange range = tree->range();
  switch (tree->kind()) {
  case TreeKind::If: return emitIf(*llvm::cast<If>(tree));
  case TreeKind::For: return emitFor(*llvm::cast<For>(tree));
  case TreeKind::While: return emitWhile(*llvm::cast<While>(tree));
  case TreeKind::Assign: return emitAssign(*llvm::cast<Assign>(tree));
  case TreeKind::AugAssign: return emitAugAssign(*llvm::cast<AugAssign>(tree));
  case TreeKind::Return: return emitReturn(llvm::cast<Return>(tree)->value(), range);
  case TreeKind::Raise: return emitRaise(*llvm::cast<Raise>(tree));
  case TreeKind::Assert: return emitAssert(*llvm::cast<Assert>(tree));
  case TreeKind::With: return emitWith(*llvm::cast<With>(tree));
  case TreeKind::Pass: return true;
  case TreeKind::Import: return emitImport(*llvm::cast<Import>(tree));
  case TreeKind::Delete: return emitDelete(*llvm::cast<Delete>(tree));
  case TreeKind::Def: {
    ClosureSugar *closure = makeClosure(*tree);
    if (closure)
      env.setSugared(llvm::cast<Def>(tree)->name(), closure);
    return closure;
  }
  case TreeKind::Try: return emitTry(*llvm::cast<Try>(tree));
  case TreeKind::Match: return emitMatch(*llvm::cast<Match>(tree));
  case TreeKind::ExprStmt: {
    const Tree *value = llvm::cast<ExprStmt>(tree)->value();
    return llvm::isa<StringLiteral, Dots>(value) || emitSugared(value, 0);
  }
  case TreeKind::Break:
  case TreeKind::Continue: return leaveLoop(llvm::isa<Break>(tree), range);
  default: {
    StringRef words = unsupportedWords(tree->kind());
    return error(range, diag::UnsupportedSyntax, words.empty() ? treeKindName(tree->kind()) : words);
  }
  }
}

bool FunctionEmitter::emitIf(const If &tree) {
  Condition condition = emitCondition(tree.condition());
  if (!condition)
    return false;
  if (condition.known) {
    insertRefinements(*condition.known ? condition.refinements.whenTrue : condition.refinements.whenFalse,
                      tree.range());
    return emitStatements(*condition.known ? tree.thenBody() : tree.elseBody());
  }
  return emitIfBlocks(
      tree.range(), condition, [&] { return emitStatements(tree.thenBody()); },
      [&] { return emitStatements(tree.elseBody()); });
}

static std::set<std::string> definedNames(const Frame &frame) {
  std::set<std::string> names;
  for (auto &entry : frame.types)
    names.insert(entry.first);
  return names;
}

/// Whether something that is no value holds none of a block's either.
static bool isKnownAnywhere(SugaredValue &value) {
  if (auto *builtin = dynamic_cast<BuiltinFunction *>(&value))
    return !builtin->self;
  if (auto *form = llvm::dyn_cast<SpecialForm>(&value))
    return !form->self;
  return llvm::isa<NamespaceSugar, FileSugar, CastFunction, FunctionSugar, FlaggedFunction, ClassSugar, NamedTupleSugar,
                   EnumSugar, TypeSugar, ClosureSugar>(&value);
}

bool FunctionEmitter::emitIfBlocks(SourceRange range, const Condition &condition, llvm::function_ref<bool()> whenTrue,
                                   llvm::function_ref<bool()> whenFalse) {
  Value *test = toBool(condition.value, range);
  if (!test)
    return false;
  Node *node = insertNode(prim::If, {test}, 0, range);
  std::unique_ptr<Frame> frames[2];
  Block *blocks[2] = {&node->addBlock(), &node->addBlock()};
  bool exits[2];
  for (unsigned side : {0, 1}) {
    InsertPointGuard guard(graph);
    graph.setInsertPoint(*blocks[side]);
    env.push(*blocks[side]);
    insertRefinements(side == 0 ? condition.refinements.whenTrue : condition.refinements.whenFalse, range);
    bool ok = side == 0 ? whenTrue() : whenFalse();
    frames[side] = env.pop();
    if (!ok)
      return false;
    exits[side] = exitBlocks.contains(blocks[side]);
  }
  if (exits[0] && exits[1]) {
    exitBlocks.insert(&graph.insertPointBlock());
    return true;
  }
  // Variables that live on: set on both paths, or known before, or set on the one path that goes on.
  std::set<std::string> merged;
  for (unsigned side : {0, 1})
    for (const std::string &name : definedNames(*frames[side])) {
      if (frames[!side]->typeHere(name) || env.typeOf(name) || exits[!side])
        merged.insert(name);
      else
        env.setError(name, side == 0 ? "is not defined in the false branch" : "is not defined in the true branch",
                     range);
    }
  for (const std::string &name : merged) {
    const Type *types[2];
    for (unsigned side : {0, 1}) {
      types[side] = frames[side]->typeHere(name);
      if (!types[side])
        types[side] = env.typeOf(name);
    }
    bool exitsOne = exits[0] || exits[1];
    if (exitsOne) {
      unsigned leaving = exits[0] ? 0 : 1;
      const Type *type = types[!leaving];
      if (!type)
        continue;
      InsertPointGuard guard(graph);
      graph.setInsertPoint(*blocks[leaving]);
      env.store(name, insertValue(prim::Uninitialized, {}, type, range), range);
      env.setType(name, type);
      continue;
    }
    const Type *type = context.unify(types[0], types[1]);
    if (!type && env.typeOf(name) && types[0]->isSubtypeOf(env.typeOf(name)) && types[1]->isSubtypeOf(env.typeOf(name)))
      type = env.typeOf(name);
    if (!type) {
      env.setError(name,
                   "is set to type " + types[0]->annotation() + " in the true branch and type " +
                       types[1]->annotation() + " in the false branch",
                   range);
      continue;
    }
    env.setType(name, type);
  }
  for (unsigned side : {0, 1}) {
    if (!exits[side])
      env.eraseDeleted(*frames[side]);
    if (exits[!side]) // what the side that goes on knows of attributes is known from here on
      for (auto &[path, type] : frames[side]->paths)
        env.setPath(path, type);
  }
  if (!exits[0] && !exits[1])
    for (auto &[path, type] : frames[0]->paths)
      if (auto other = frames[1]->paths.find(path); type && other != frames[1]->paths.end() && other->second)
        if (const Type *either = context.unify(type, other->second))
          env.setPath(path, either);
  // What is no value cannot be chosen when the program runs: its name lives on where nothing is to be chosen.
  for (unsigned side : {0, 1})
    for (auto &[name, value] : frames[side]->sugared) {
      if (exits[side])
        continue;
      const Frame &otherSide = *frames[!side];
      SugaredValue *other = otherSide.defines(name) ? otherSide.sugaredHere(name) : env.sugaredOf(name);
      const bool isImportAlone =
          llvm::isa<NamespaceSugar, FileSugar>(value) && !otherSide.defines(name) && !env.isDefined(name);
      const bool isSame = other && standForSame(*value, *other);
      if (isImportAlone || ((exits[!side] || isSame) && isKnownAnywhere(*value)))
        env.setSugared(name, value);
      else
        env.forgetChoice(name, range, /*isLoop=*/false);
    }
  return true;
}

//===-- Leaving ------------------------------------------------------------===//

bool FunctionEmitter::emitReturn(const Tree *tree, SourceRange range) {
  FunctionEmitter &function = returningFunction();
  const Type *&merged = function.mergedReturn;
  const Type *declared = function.returnDeclared ? function.returnType : nullptr;
  Value *value = tree ? emitExpr(tree, declared) : none(range);
  if (!value)
    return false;
  if (declared) {
    if (resolver.followsPython() && !resolver.isPrinted())
      value = asFloatFor(value, declared, range);
    if (!declared->isAny())
      value = convertTo(value, declared, range, /*allowConversions=*/true);
    std::string why;
    if (!value->type()->isSubtypeOf(declared, &why))
      return error(range, diag::ReturnType, declared->annotation(), value->type()->annotation(),
                   why.empty() ? "" : "\n" + why);
    merged = declared;
  } else {
    const Type *common = merged ? context.unify(merged, value->type()) : value->type();
    if (!common) {
      diags.report(range, diag::ReturnMismatch, merged->annotation(), value->type()->annotation())
          .note(function.lastReturn, diag::ReturnHere);
      return false;
    }
    merged = common;
  }
  function.lastReturn = range;
  if (isTooLarge(merged))
    return error(range, diag::TypeTooLarge, "return");
  return finishReturn(value, range);
}

bool FunctionEmitter::finishBody(SourceRange range, const Type *declared, TreeList<Stmt> body) {
  if (!exitBlocks.contains(&graph.insertPointBlock())) {
    if (declared && !declared->isNone() && !declared->isAny()) {
      const Tree *last = body.empty() ? nullptr : body.back();
      auto *branch = llvm::dyn_cast_or_null<If>(last);
      auto report = diags.report(range, diag::NoReturn);
      if (last)
        std::move(report).note(branch ? branch->condition()->range() : last->range(),
                               branch && branch->elseBody().empty() ? diag::FallsThroughIf : diag::FallsThrough);
      return false;
    }
    return emitReturn(nullptr, range);
  }
  if (!mergedReturn)
    mergedReturn = declared ? declared : Type::noneType();
  return true;
}

bool FunctionEmitter::emitRaiseNode(Value *message, StringRef className, SourceRange range) {
  insertNode(prim::RaiseException, {message, className.empty() ? none(range) : constant(IValue(className), range)}, 0,
             range);
  exitBlocks.insert(&graph.insertPointBlock());
  return true;
}

bool FunctionEmitter::emitRaise(const Raise &tree) {
  SourceRange range = tree.range();
  Value *message = nullptr;
  std::string name = "Exception";
  if (!tree.value() && !caught.empty())
    return emitRaiseAgain(CaughtException(caught.back()), range);
  if (auto *var = llvm::dyn_cast_or_null<Var>(tree.value()); var && isVisible(var->name()))
    if (auto *again = llvm::dyn_cast_or_null<ExceptionSugar>(lookUp(var->name(), range)))
      return emitRaiseAgain({again->message, again->className, again->future}, range);
  if (const Tree *value = tree.value()) {
    auto *apply = llvm::dyn_cast<Apply>(value);
    const Tree *callee = apply ? apply->callee() : value;
    name = dottedName(callee);
    if (name.empty()) {
      message = emitExpr(value);
      if (!message)
        return false;
      if (!llvm::isa<ClassType>(message->type()))
        return error(value->range(), diag::RaiseNoException, message->type()->annotation());
      name = "Exception";
    } else if (std::optional<ExceptionConstructor> constructor = exceptionConstructor(resolver, name)) {
      message = emitNewException(*constructor, apply, range);
      if (!message)
        return false;
    } else if (apply) {
      llvm::SmallVector<Value *, 4> values;
      if (!emitElements(apply->args(), values))
        return false;
      const bool isKey = values.size() == 1 && resolver.exceptionName(name) == "builtins.KeyError";
      message =
          isKey && resolver.followsPython() ? callTemplate(range, "repr", {values[0]}) : exceptionText(values, range);
      if (!message)
        return false;
    }
    if (message && !message->type()->isString())
      message = callBuiltin(range, aten::str, {message});
  }
  if (!message)
    message = constant(IValue(""), range);
  if (std::string known = resolver.exceptionName(name); !known.empty())
    name = std::move(known);
  else if (!StringRef(name).contains('.')) {
    if (resolver.followsPython() && tree.value()) { // a name of no exception, or of nothing
      auto *apply = llvm::dyn_cast<Apply>(tree.value());
      const Tree *callee = apply ? apply->callee() : tree.value();
      return emitSugared(callee, 1) && error(callee->range(), diag::NoExceptionClass, name);
    }
    name = "builtins." + name;
  }
  return message && emitRaiseNode(message, name, range);
}

bool FunctionEmitter::emitAssert(const Assert &tree) {
  Condition condition = emitCondition(tree.condition());
  if (!condition)
    return false;
  if (condition.known && *condition.known) {
    insertRefinements(condition.refinements.whenTrue, tree.range());
    return true;
  }
  condition.known.reset();
  return emitIfBlocks(
      tree.range(), condition, [] { return true; },
      [&] {
        Value *message = tree.message() ? emitExpr(tree.message()) : constant(IValue(""), tree.range());
        if (message && !message->type()->isString())
          message = callBuiltin(tree.range(), aten::str, {message});
        if (!message)
          return false;
        Value *text =
            callBuiltin(tree.range(), aten::add, {constant(IValue("AssertionError: "), tree.range()), message});
        return text && emitRaiseNode(text, "", tree.range());
      });
}

/// The object that a `with` enters. `torch.set_grad_enabled(mode)` is a statement elsewhere, of an operator without a
/// result; here it is an object that brings the mode before back.
Value *FunctionEmitter::emitContext(const Expr *tree) {
  auto *apply = llvm::dyn_cast<Apply>(tree);
  const std::string path = apply ? dottedName(apply->callee()) : "";
  if (path.empty() || isVisible(StringRef(path).split('.').first) || !resolver.followsPython())
    return emitExpr(tree);
  auto *builtin = dynamic_cast<BuiltinFunction *>(libraryValue(compiler, compiler.arena, resolver.canonicalName(path)));
  if (!builtin || builtin->name != aten::set_grad_enabled)
    return emitExpr(tree);
  SugaredValue *contexts = compiler.prelude(torchPrelude)->resolveValue("set_grad_enabled", {});
  std::vector<NamedValue> args, kwargs;
  SugaredValue *made =
      contexts && emitArguments(*apply, args, kwargs) ? contexts->call(*this, tree->range(), args, kwargs) : nullptr;
  return made ? made->asValue(*this, tree->range()) : nullptr;
}

/// Objects are entered first to last and left last to first: at the end of the body, and before every statement that
/// leaves it. When an exception passes, the interpreter leaves what was entered.
bool FunctionEmitter::emitWith(const With &tree) {
  size_t outer = openWiths.size();
  auto close = llvm::make_scope_exit([&] { openWiths.resize(outer); });
  for (const WithItem *item : tree.items()) {
    Value *object = emitContext(item->value());
    if (!object)
      return false;
    auto *type = llvm::dyn_cast<ClassType>(object->type());
    Function *enter = type ? type->findMethod("__enter__") : nullptr;
    Function *exit = type ? type->findMethod("__exit__") : nullptr;
    if (!enter || !exit || !ensureSchema(tree.range(), enter) || !ensureSchema(tree.range(), exit))
      return error(item->range(), diag::NotAContextManager, object->type()->annotation());
    if (enter->schema().arguments().size() != 1 || exit->schema().arguments().size() != 4)
      return error(item->range(), diag::BadContextManager, object->type()->annotation());
    Value *result = insertValue(prim::Enter, {object}, enter->schema().returns()[0].type, tree.range());
    openWiths.push_back({object, tree.range()});
    if (item->target() && !assignTo(item->target(), simple(result), tree.range()))
      return false;
  }
  if (!emitStatements(tree.body()))
    return false;
  if (!exitBlocks.contains(&graph.insertPointBlock()))
    emitWithExits(outer);
  return true;
}

void FunctionEmitter::emitWithExits(size_t count) {
  for (const OpenWith &open : llvm::reverse(llvm::drop_begin(openWiths, count)))
    insertValue(prim::Exit, {open.object}, Type::noneType(), open.range);
}

//===-- Whole functions ----------------------------------------------------===//

bool FunctionEmitter::declareParameters(const Def &def, const FunctionSchema &schema) {
  for (const Argument &argument : schema.arguments()) {
    Value *input = graph.addInput(isMeaningfulName(argument.name) ? argument.name : "", argument.type);
    env.store(argument.name, input, def.range());
    env.setType(argument.name, argument.type);
    if (argument.defaultValue && !argument.fixedLength && holdsList(*argument.defaultValue))
      sharedContainers.push_back({input, argument.name, /*isParameter=*/true});
  }
  return true;
}

bool FunctionEmitter::emitFunction(const Def &def, Function &function) {
  env.push(graph.block());
  graph.setInsertPoint(graph.block());
  declareParameters(def, function.schema());
  if (!function.schema().returns().empty()) {
    returnDeclared = true;
    returnType = function.schema().returns()[0].type;
  }
  recovers = !initializing; // attributes that were not set would be missed later
  if (!emitStatements(def.body()) || numRefused != 0 || !finishBody(def.range(), returnType, def.body()) ||
      !checkSharedContainers() || !finishLoops())
    return false;
  FunctionSchema schema = function.schema();
  if (schema.returns().empty()) {
    Argument result;
    result.type = mergedReturn;
    schema.mutableReturns().push_back(result);
    function.setSchema(std::move(schema));
  }
  returnType = mergedReturn;
  return true;
}

bool FunctionEmitter::emitExpressions(ArrayRef<const Tree *> expressions, Function &function) {
  env.push(graph.block());
  graph.setInsertPoint(graph.block());
  llvm::SmallVector<Value *, 8> values;
  for (const Tree *tree : expressions) {
    Value *value = emitExpr(tree);
    if (!value)
      return false;
    values.push_back(value);
  }
  SourceRange range = expressions.empty() ? SourceRange() : expressions[0]->range();
  Value *tuple = makeTuple(values, range);
  insertNode(prim::ReturnStmt, {tuple}, 0, range);
  if (!checkSharedContainers() || !finishLoops())
    return false;
  mergedReturn = tuple->type();
  Argument result;
  result.type = tuple->type();
  function.setSchema(FunctionSchema(function.name().str(), "", {}, {result}));
  return true;
}
