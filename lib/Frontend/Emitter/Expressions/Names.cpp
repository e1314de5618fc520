//===- Names.cpp - What names denote, and x := value ----------------------===//
#include "Names.h"
#include "../../SugaredValues/Values.h"
#include "../Calls/Captures.h"
#include "../Expressions.h"
#include "../FunctionContext.h"
#include "../SourceResolver.h"
#include "../Statements/Assignments.h"
#include "../Statements/Recovery.h"
#include "../TypeExpressions.h"
#include "tsc/Support/NearestName.h"

using namespace tsc;

std::string tsc::placeOf(const FunctionContext &fn, const Tree *tree) {
  std::string name = dottedName(tree);
  StringRef root = StringRef(name).split('.').first;
  std::string here = fn.env.nameHere(root);
  return here == root ? name : here + name.substr(root.size());
}

bool tsc::isVisible(const FunctionContext &fn, StringRef name) {
  return fn.env.isDefined(name) || (fn.outer && isVisible(*fn.outer, name));
}

/// A name that is known here and that the user may have meant.
static std::string nearestName(FunctionContext &fn, StringRef name) {
  NearestName nearest(name);
  if (fn.env.hasFrames())
    for (const Frame *frame = &fn.env.current(); frame; frame = frame->parent.get()) {
      for (auto &entry : frame->types)
        nearest.consider(entry.first);
      for (auto &entry : frame->sugared)
        nearest.consider(entry.first);
    }
  if (fn.outer)
    nearest.consider(nearestName(*fn.outer, name));
  if (auto *file = dynamic_cast<SourceResolver *>(&fn.resolver))
    for (StringRef known : file->definedNames())
      nearest.consider(known);
  for (StringRef known :
       {"range", "len",  "print", "enumerate", "zip", "isinstance", "sorted", "reversed", "float", "int", "str",
        "bool",  "list", "dict",  "tuple",     "min", "max",        "sum",    "abs",      "round", "any", "all"})
    nearest.consider(known);
  return nearest.name();
}

SugaredValue *tsc::lookUp(FunctionContext &fn, StringRef written, SourceRange range, bool required) {
  std::string known = fn.env.nameHere(written);
  StringRef name = known;
  if (fn.env.hasFrames()) {
    if (const Type *type = fn.env.typeOf(name))
      return fn.simple(fn.env.load(name, type, range));
    if (SugaredValue *value = fn.env.sugaredOf(name))
      return value;
  }
  if (fn.outer && isVisible(*fn.outer, name))
    return variableOf(fn, *fn.outer, name, range);
  if (isUnknown(fn, name))
    return nullptr;
  if (!fn.resolver.defines(name))
    if (SugaredValue *value = pythonBuiltin(fn.compiler, fn.compiler.arena, name))
      return value;
  if (SugaredValue *value = fn.resolver.resolveValue(name, range)) {
    auto *constant = llvm::dyn_cast<ConstantSugar>(value);
    bool hasElements =
        constant && (holdsList(constant->value) || constant->value.isTuple() || constant->value.isString());
    return hasElements ? fn.simple(constant->asValue(fn, range)) : value;
  }
  if (const Type *type = fn.resolver.resolveType(name, range))
    return fn.make<TypeSugar>(type);
  if (!required)
    return nullptr;
  if (fn.env.hasFrames())
    if (const PathError *path = fn.env.errorOf(name)) {
      if (path->isChoice)
        fn.diagnostics()
            .report(range, diag::UndefinedOnPath, name, path->why)
            .note(path->range, path->isLoop ? diag::LoopHere : diag::BranchHere);
      else if (path->isLoop)
        fn.diagnostics().report(range, diag::UndefinedOnPath, name, path->why).note(path->range, diag::LoopHere);
      else
        fn.diagnostics().report(path->range, diag::UndefinedOnPath, name, path->why).note(range, diag::UsedHere);
      return nullptr;
    }
  if (fn.resolver.defines(name) && !fn.resolver.classDefinition(name))
    return fn.error(range, diag::GlobalNotConstant, name);
  if (fn.resolver.isAsync(name))
    return fn.error(range, diag::UnsupportedSyntax, "functions that are async");
  if (isLibrary(name)) {
    fn.diagnostics().report(range, diag::UndefinedValue, name).fixIt("import " + name.str());
    return nullptr;
  }
  if (SourceRange import = fn.resolver.unknownImport(name); import.isValid()) {
    fn.diagnostics().report(range, diag::UndefinedValue, name).note(import, diag::UnknownModule);
    return nullptr;
  }
  auto report = fn.diagnostics().report(range, diag::UndefinedValue, name);
  if (std::string meant = nearestName(fn, name); !meant.empty())
    std::move(report).fixIt(meant);
  return nullptr;
}

Value *tsc::emitNamed(FunctionContext &fn, const NamedExpr &tree, const Type *hint) {
  Value *value = emitExpr(fn, tree.value(), hint);
  StringRef name = tree.target()->name();
  if (!value || !setVariable(fn, name, fn.simple(value), tree.range()))
    return nullptr;
  return fn.env.load(name, fn.env.typeOf(name), tree.range());
}
