//===- Imports.cpp - Files of the user's that import each other -----------===//
//
// `import a.b` and `from .layers import Block`, where the first name is no
// library: the host finds the file, which is parsed once and has a resolver of
// its own. What it defines is named after it (`__torch__.a.b.Block`), as PyTorch
// does. Files may import each other in a circle: a resolver is known before its
// file is read.
//
//===----------------------------------------------------------------------===//
#include "Imports.h"
#include "../SugaredValues/Values.h"
#include "FunctionContext.h"
#include "SourceResolver.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Support/NearestName.h"

using namespace tsc;

/// Names of names that lead on: more than any program has, and few enough for a circle to end.
static constexpr unsigned maxLinks = 64;

SourceResolver *Compiler::Impl::userFile(StringRef path) {
  if (auto known = userFiles.find(path); known != userFiles.end())
    return known->second;
  const Compiler::FoundFile found = findFile ? findFile(path) : Compiler::FoundFile();
  if (!found.isPackage && !found.text)
    return userFiles[path.str()] = nullptr;
  auto owned = std::make_unique<SourceResolver>(*this, "__torch__." + path.str(), path.str(), found.isPackage);
  SourceResolver *resolver = userFiles[path.str()] = owned.get();
  resolvers.push_back(std::move(owned));
  resolver->setIsUsers();
  if (!found.text)
    return resolver;
  const SyntaxTree *tree = parse(*found.text);
  if (!tree) {
    isImportWrong = true;
    return userFiles[path.str()] = nullptr;
  }
  resolver->add(*tree);
  return resolver;
}

/// `a.b`, and `.b` or `..b` after the folder of the file that names it: empty for the program's own folder, nothing
/// where there are too many dots.
static std::optional<std::string> absolutePath(StringRef written, StringRef importer, bool isPackage) {
  size_t dots = written.find_first_not_of('.');
  dots = dots == StringRef::npos ? written.size() : dots;
  if (dots == 0)
    return written.str();
  StringRef folder = isPackage ? importer : importer.contains('.') ? importer.rsplit('.').first : StringRef();
  for (size_t i = 1; i < dots; ++i) {
    if (folder.empty())
      return std::nullopt;
    folder = folder.contains('.') ? folder.rsplit('.').first : StringRef();
  }
  StringRef rest = written.drop_front(dots);
  return rest.empty() || folder.empty() ? (folder + rest).str() : (folder + "." + rest).str();
}

SourceResolver *SourceResolver::submodule(StringRef name) {
  return isPackage ? compiler.userFile(path.empty() ? name.str() : path + "." + name.str()) : nullptr;
}

SourceResolver *SourceResolver::importedFrom(const Import &import, bool &isFolder) {
  if (isLibrary(import.module().split('.').first))
    return nullptr;
  std::optional<std::string> from = absolutePath(import.module(), path, isPackage);
  isFolder = from && from->empty();
  return from && !isFolder ? compiler.userFile(*from) : nullptr;
}

bool SourceResolver::addFiles(const Import &import) {
  if (import.isFrom()) {
    bool isFolder = false;
    SourceResolver *file = importedFrom(import, isFolder);
    if (!file && !isFolder) {
      if (import.module().starts_with("."))
        compiler.refuseImport(import.range(), diag::NoModule, import.module());
      return import.module().starts_with(".");
    }
    for (const Alias *alias : import.names()) {
      StringRef name = alias->path(), local = alias->alias().empty() ? name : alias->alias();
      if (name == "*" && file) {
        addAll(*file);
        continue;
      }
      SourceResolver *part = isFolder ? compiler.userFile(name) : nullptr;
      if (file && !file->has(name))
        part = file->submodule(name);
      if (part)
        names[local] = {part, ""};
      else if (file && file->has(name))
        names[local] = {file, name.str()};
      else
        compiler.refuseImport(alias->range(), diag::CannotImport, name, import.module(),
                              file ? file->nearestTo(name) : "");
    }
    return true;
  }
  bool areFiles = true; // what an import names beside files is looked for in the libraries
  for (const Alias *alias : import.names()) {
    StringRef whole = alias->path(), head = whole.split('.').first;
    SourceResolver *file = isLibrary(head) ? nullptr : compiler.userFile(whole);
    areFiles &= file != nullptr;
    if (file && !alias->alias().empty())
      names[alias->alias()] = {file, ""};
    else if (SourceResolver *first = file ? compiler.userFile(head) : nullptr)
      names[head] = {first, ""};
  }
  return areFiles;
}

SourceRange SourceResolver::unknownImport(StringRef name) {
  const bool isImported = isUsers && tree && imports.count(name);
  for (const Tree *statement : isImported ? tree->statements() : TreeList<Stmt>(nullptr))
    if (auto *import = llvm::dyn_cast<Import>(statement))
      for (const Alias *alias : import->names())
        if (StringRef local = alias->alias().empty() ? alias->path() : alias->alias();
            local.split('.').first == name &&
            !isLibrary((import->isFrom() ? import->module() : alias->path()).split('.').first))
          return alias->range();
  return {};
}

std::string SourceResolver::nearestTo(StringRef name) const {
  NearestName nearest(name);
  for (StringRef known : definedNames())
    nearest.consider(known);
  return nearest.hint();
}

bool SourceResolver::offersToAll(StringRef name) const {
  auto *assign = llvm::dyn_cast_or_null<Assign>(definitions.lookup("__all__"));
  const Tree *listed = assign ? assign->value() : nullptr;
  if (!llvm::isa_and_nonnull<ListLiteral, TupleLiteral>(listed))
    return !name.starts_with("_");
  return llvm::any_of(listed->children(), [&](const Tree *element) {
    auto *text = llvm::dyn_cast<StringLiteral>(element);
    return text && text->value() == name;
  });
}

/// `from a import *`: what the file offers, of what it imports itself too.
void SourceResolver::addAll(SourceResolver &file) {
  auto isPublic = [&](StringRef name) { return file.offersToAll(name); };
  for (StringRef name : file.definedNames())
    if (isPublic(name))
      names[name] = {&file, name.str()};
  for (auto &entry : file.imports)
    if (isPublic(entry.first()))
      imports[entry.first()] = entry.second;
  for (auto &entry : file.names)
    if (isPublic(entry.first()))
      names[entry.first()] = entry.second;
}

NameInFile SourceResolver::follow(StringRef dotted) {
  SourceResolver *file = this;
  std::string left = dotted.str();
  for (unsigned i = 0; i != maxLinks; ++i) {
    auto [head, rest] = StringRef(left).split('.');
    if (file->definitions.count(head) || file->runtimeNames.contains(head))
      break;
    NameInFile next;
    if (auto link = file->names.find(head); link != file->names.end())
      next = link->second;
    else if (SourceResolver *part = i && !file->imports.count(head) ? file->submodule(head) : nullptr)
      next = {part, ""};
    else
      break;
    std::string after = next.name.empty() ? rest.str() : rest.empty() ? next.name : next.name + "." + rest.str();
    file = next.file;
    left = std::move(after);
    if (left.empty())
      break;
    if (i + 1 == maxLinks) // a circle: the name is nobody's
      return {this, ""};
  }
  return {file, std::move(left)};
}

SugaredValue *SourceResolver::importedValue(StringRef name, SourceRange range) {
  auto link = names.find(name);
  if (link == names.end())
    return nullptr;
  NameInFile found = follow(name);
  if (found.name.empty())
    return compiler.arena.make<FileSugar>(*found.file);
  return found.file == this ? nullptr : found.file->resolveValue(found.name, range);
}

SugaredValue *SourceResolver::importedInside(const Import &import, const Alias &alias) {
  if (!isUsers)
    return nullptr;
  StringRef path = alias.path();
  bool isFolder = false;
  SourceResolver *file = nullptr;
  if (import.isFrom()) {
    file = importedFrom(import, isFolder);
    if (file) {
      if (SugaredValue *value = file->member(path, alias.range()))
        return value;
      (void)compiler.diags.report(alias.range(), diag::CannotImport, path, import.module(), file->nearestTo(path));
      return nullptr;
    }
    file = isFolder ? compiler.userFile(path) : nullptr;
  } else if (!isLibrary(path.split('.').first) && compiler.userFile(path)) {
    file = compiler.userFile(alias.alias().empty() ? path.split('.').first : path);
  }
  return file ? compiler.arena.make<FileSugar>(*file) : nullptr;
}

//===-- Files as values ----------------------------------------------------===//

std::string FileSugar::describe() const { return "module '" + file.modulePath().str() + "'"; }

SugaredValue *FileSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionContext &fn = emitterOf(context);
  if (SugaredValue *value = file.member(name, range))
    return value;
  if (file.defines(name) && !file.classDefinition(name))
    return fn.error(range, diag::GlobalNotConstant, name);
  return fn.error(range, diag::UndefinedMember, describe(), name, file.nearestTo(name));
}

bool FileSugar::hasAttribute(EmitterContext &, StringRef name) { return file.hasMember(name); }

SugaredValue *SourceResolver::member(StringRef name, SourceRange range) {
  if (SugaredValue *value = has(name) ? resolveValue(name, range) : nullptr)
    return value;
  if (const Type *type = has(name) ? resolveType(name, range) : nullptr)
    return sugarForType(compiler.arena, type);
  SourceResolver *part = submodule(name);
  return part ? compiler.arena.make<FileSugar>(*part) : nullptr;
}

bool tsc::emitImport(FunctionContext &fn, const Import &tree) {
  for (const Alias *alias : tree.names()) {
    StringRef path = alias->path(), local = alias->alias();
    if (path == "*")
      continue;
    std::string full = tree.isFrom() ? (tree.module() + "." + path).str() : path.str();
    if (!tree.isFrom() && local.empty())
      full = path.split('.').first.str();
    StringRef name = !local.empty() ? local : tree.isFrom() ? path : StringRef(full);
    const size_t heard = fn.diagnostics().all().size();
    SugaredValue *value = fn.resolver.importedInside(tree, *alias);
    if (fn.diagnostics().all().size() != heard)
      return false;
    if (!value)
      value = libraryValue(fn.compiler, fn.compiler.arena, full);
    if (value)
      fn.env.setSugared(name, value);
  }
  return true;
}
