//===- Files.cpp - Files that are run, and their imports ------------------===//
//
// A file is run once, when it is first imported, from its first statement to its
// last, but for `if __name__ == "__main__":`.
//
//===----------------------------------------------------------------------===//
#include "../Emitter/SourceResolver.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"

using namespace tsc;
using namespace tsc::python;

//===-- Files --------------------------------------------------------------===//

/// Attributes that are assigned outside of constructors may change, whatever object has them.
void Evaluator::noteAssignedNames(const Tree *tree, bool isConstructor) {
  auto note = [&](const Tree *target) {
    if (auto *select = llvm::dyn_cast<Select>(target))
      assignedNames.insert(select->name());
  };
  if (auto *def = llvm::dyn_cast<Def>(tree))
    isConstructor = def->name() == "__init__";
  if (auto *assignment = llvm::dyn_cast<Assign>(tree); assignment && !isConstructor)
    for (const Tree *target : assignment->targets()) {
      note(target);
      if (llvm::isa<TupleLiteral, ListLiteral>(target))
        for (const Tree *part : target->children())
          note(part);
    }
  if (auto *assignment = llvm::dyn_cast<AugAssign>(tree); assignment && !isConstructor)
    note(assignment->target());
  for (const Tree *child : tree->children())
    if (child)
      noteAssignedNames(child, isConstructor);
}

bool Evaluator::runFile(SourceResolver &resolver) {
  Walk walking(*this);
  // Before anything is made: what is assigned anywhere may change.
  for (auto &entry : compiler.userFiles)
    if (const SyntaxTree *tree = entry.second ? entry.second->syntaxTree() : nullptr)
      for (const Tree *statement : tree->statements())
        noteAssignedNames(statement, false);
  for (const Tree *statement : resolver.syntaxTree()->statements())
    noteAssignedNames(statement, false);
  return scopeOf(resolver) != nullptr;
}

FileScope &Evaluator::makeScope(SourceResolver &file) {
  FileScope &scope = files.emplace_back();
  userFiles[&file] = &scope;
  if (file.modulePath().empty())
    user = &scope;
  scope.resolver = &file;
  scope.name = file.modulePath().empty() ? "__main__" : file.modulePath().str();
  scope.frame = std::make_shared<Frame>();
  scope.frame->file = &scope;
  return scope;
}

FileScope *Evaluator::scopeOf(SourceResolver &file) {
  if (FileScope *known = userFiles.lookup(&file))
    return known;
  FileScope &scope = makeScope(file);
  return runStatements(scope) ? &scope : nullptr;
}

bool Evaluator::runStatements(FileScope &file) {
  const SyntaxTree *tree = file.resolver->syntaxTree();
  Nesting nesting(*this);
  if (!nesting.isAllowed())
    return false;
  for (const Tree *statement : tree ? tree->statements() : TreeList<Stmt>(nullptr)) {
    if (isMainBlock(statement)) {
      if (file.resolver->modulePath().empty())
        mainBlocks.push_back(llvm::cast<If>(statement));
      continue;
    }
    AnyValue returned;
    if (run(statement, file.frame, returned) == Flow::Failed)
      return false;
  }
  return true;
}

bool Evaluator::runMain() {
  Walk walking(*this);
  for (const If *block : mainBlocks) {
    AnyValue returned;
    if (run(block->thenBody(), user->frame, returned) == Flow::Failed)
      return false;
  }
  return true;
}

//===-- Imports ------------------------------------------------------------===//

/// A member of a file as a module: what it has, or a file below it. Null for neither.
AnyValue *Evaluator::memberOf(FileScope &file, StringRef name, bool &failed) {
  if (AnyValue *value = file.globals.find(name))
    return value;
  SourceResolver *part = file.resolver->submodule(name);
  FileScope *scope = part ? scopeOf(*part) : nullptr;
  failed |= part && !scope;
  if (!scope)
    return nullptr;
  auto *module = make<FileObject>();
  module->file = scope;
  return &(file.globals[name] = AnyValue(module));
}

bool Evaluator::importFrom(const Import &tree, SourceResolver &from, Frame &frame) {
  FileScope *file = scopeOf(from);
  if (!file)
    return false;
  for (const Alias *alias : tree.names()) {
    StringRef name = alias->path();
    if (name == "*") {
      for (auto &[known, value] : file->globals)
        if (file->resolver->offersToAll(known))
          setName(known, value, frame);
      continue;
    }
    bool failed = false;
    AnyValue *value = memberOf(*file, name, failed);
    if (!value && !failed)
      raise(alias->range(), "ImportError",
            "cannot import name '" + name + "' from '" + tree.module() + "'" + from.nearestTo(name));
    if (!value)
      return false;
    setName(alias->alias().empty() ? name : alias->alias(), AnyValue(*value), frame);
  }
  return true;
}

bool Evaluator::import(const Import &tree, Frame &frame) {
  SourceResolver &importer = *frame.file->resolver;
  bool isFolder = false;
  if (SourceResolver *file = tree.isFrom() && !frame.file->isLibrary ? importer.importedFrom(tree, isFolder) : nullptr)
    return importFrom(tree, *file, frame);
  for (const Alias *alias : tree.names()) {
    StringRef path = alias->path(), local = alias->alias();
    std::string full = tree.isFrom() ? (tree.module() + "." + path).str() : path.str();
    if (path == "*") {
      if (tree.module() == "typing")
        for (StringRef known : {"Any", "Callable", "ClassVar", "Dict", "Final", "Iterable", "List", "Literal",
                                "Mapping", "NamedTuple", "Optional", "Sequence", "Set", "Tuple", "Type", "Union"})
          if (Result value = library(("typing." + known).str(), alias->range()))
            setName(known, *value, frame);
      continue;
    }
    std::string name = !local.empty() ? local.str() : tree.isFrom() ? path.str() : path.split('.').first.str();
    if (!tree.isFrom() && local.empty())
      full = name;
    // `import a.b` makes a name of `a`, and runs both.
    StringRef wanted = isFolder ? path : tree.isFrom() ? StringRef() : path;
    SourceResolver *file = wanted.empty() || frame.file->isLibrary || isLibrary(wanted.split('.').first)
                               ? nullptr
                               : compiler.userFile(wanted);
    if (file && !scopeOf(*file))
      return false;
    if (file && !isFolder && local.empty())
      file = compiler.userFile(name);
    Result value;
    if (FileScope *scope = file ? scopeOf(*file) : nullptr) {
      auto *module = make<FileObject>();
      module->file = scope;
      value = AnyValue(module);
    } else if (numTries != 0 && !frame.file->isLibrary && !isKnownModule((tree.isFrom() ? tree.module() : path))) {
      raise(alias->range(), "ModuleNotFoundError", "No module named '" + (tree.isFrom() ? tree.module() : path) + "'");
      return false;
    } else {
      value = library(full, alias->range());
    }
    if (!value)
      return false;
    setName(name, *value, frame);
  }
  return true;
}
