//===- SourceResolver.h - Names in a source file ----------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_SOURCERESOLVER_H
#define TSC_LIB_FRONTEND_SOURCERESOLVER_H

#include "CompilerImpl.h"
#include "llvm/ADT/StringSet.h"

namespace tsc {

class SourceResolver;

/// `if __name__ == "__main__":`
bool isMainBlock(const Tree *statement);

/// A name of a file of the user's; without a name, the file itself, as a module.
struct NameInFile {
  SourceResolver *file = nullptr;
  std::string name;
};

/// The functions, classes, constants and imports of a file; each is declared when it is first wanted.
class SourceResolver final : public Resolver {
public:
  /// `path` is how other files import this one, and empty for the file that is run.
  SourceResolver(Compiler::Impl &compiler, std::string prefix, std::string path = "", bool isPackage = false)
      : compiler(compiler), prefix(std::move(prefix)), path(std::move(path)), isPackage(isPackage) {}
  /// Notes every name of the file. Later definitions replace earlier ones, as in Python.
  void add(const SyntaxTree &tree);
  /// Notes the names of a file that is parsed when one of them is wanted, and what it imports with them.
  void addWhenWanted(const SourceBuffer &source);
  //===-- Of a session, whose definitions change ----------------------------===//
  /// Adds the imports of names that the file does not define.
  void addMissing(const SyntaxTree &tree);
  /// Adds the names of an import, and forgets what was compiled of those that mean something else by it.
  void addImports(const Import &import);
  /// Puts a Def or ClassDef in the place of what had its name.
  void replace(const Tree &definition, StringRef name);
  /// Forgets what was compiled of a name and of all that mentions it; without `isDefined`, the definition too.
  void forget(StringRef name, bool isDefined);
  /// Forgets what was compiled of all definitions that mention the name, directly or through others.
  void forgetUsersOf(StringRef name);
  /// What a name means that the file does not define.
  void setOtherNames(std::function<SugaredValue *(StringRef)> names) { otherNames = std::move(names); }

  SugaredValue *resolveValue(StringRef name, SourceRange range) override;
  const Type *resolveType(StringRef name, SourceRange range) override;
  std::string canonicalName(StringRef dotted) override;
  bool followsPython() const override { return isUsers; }
  /// Notes that the file is the user's, and none of ours.
  void setIsUsers() { isUsers = true; }

  std::string exceptionName(StringRef dotted) override;
  std::vector<std::string> exceptionsWithBase(StringRef fullName) override;
  /// Whether the name is a class, of this file or an imported one, that derives from an exception.
  bool isExceptionClass(StringRef name);
  const ClassDef *classDefinition(StringRef name) override;
  SourceRange unknownImport(StringRef name) override;
  Resolver &definer(StringRef name) override { return *follow(name).file; }
  /// Notes that every function of the file is compiled for what it is given.
  void setHasTemplates() { hasTemplates = true; }
  /// Whether a function of the file takes functions, or arguments of any number and type, and is compiled for what it
  /// is given.
  bool isTemplate(const Def &def);
  bool defines(StringRef name) override {
    return isUsers && (isDefinedHere(name) || names.count(name) || runtimeNames.contains(name));
  }
  const Type *containerOf(ContainerKind kind, const Type *element) override {
    return isUsers ? compiler.containerOf(kind, element) : nullptr;
  }

  /// Returns a function that the file defines, declared if it was not yet; null when there is none, or after a report.
  Function *function(StringRef name);
  /// The Def, ClassDef or Assign of a name of the file; null when there is none.
  const Tree *definition(StringRef name);
  std::vector<StringRef> definedNames() const;
  /// The full path of an imported name; empty for another.
  StringRef imported(StringRef name) const {
    auto it = imports.find(name);
    return it == imports.end() ? StringRef() : StringRef(it->second);
  }
  /// Whether a class of the file derives from one of torch.nn.
  bool isModuleClass(StringRef name);
  bool isAsync(StringRef name) const override;
  /// Returns a class, enumeration or NamedTuple of this file or an imported one; null when there is none, or after a
  /// report.
  const Type *classNamed(StringRef name);
  /// Returns the type that a call of namedtuple() or NamedTuple() makes under this name; null for another call, or
  /// after a report.
  const Type *calledNamedTuple(StringRef name, const Apply &call);

  //===-- Other files (Imports.cpp) -----------------------------------------===//
  StringRef modulePath() const { return path; }
  const SyntaxTree *syntaxTree() const { return tree; }
  /// Where a dotted name leads through the files that are imported: the name in the file that has it. One that leads
  /// to no other file is this file's.
  NameInFile follow(StringRef dotted);
  /// A member of the file as a module: what it has, or a file below it. Null for neither.
  SugaredValue *member(StringRef name, SourceRange range);
  /// Whether `from … import *` takes the name: one that the file's `__all__` lists or, where it has none, one without
  /// an underscore before it.
  bool offersToAll(StringRef name) const;
  SugaredValue *importedInside(const Import &import, const Alias &alias) override;
  bool hasMember(StringRef name) { return has(name) || submodule(name); }
  /// Returns the file below a package that has the name; null when there is none, or after a report.
  SourceResolver *submodule(StringRef name);
  /// The file that `from … import` names; null for a library. `isFolder`: the folder of the program.
  SourceResolver *importedFrom(const Import &import, bool &isFolder);
  /// A hint at the name of the file that is spelled most like one that it has not.
  std::string nearestTo(StringRef name) const;

private:
  std::string qualified(StringRef name) const;
  void addImport(const Import &import);
  /// Notes what an import makes of files; false where it names something else.
  bool addFiles(const Import &import);
  void addAll(SourceResolver &file);
  bool has(StringRef name) const {
    return isDefinedHere(name) || names.count(name) || imports.count(name) || runtimeNames.contains(name);
  }
  bool isDefinedHere(StringRef name) const { return definitions.contains(name) || unread.lookup(name); }
  SugaredValue *importedValue(StringRef name, SourceRange range);
  Compiler::Impl &compiler;
  std::string prefix, path;
  bool isPackage; ///< Its folder holds further files.
  const SyntaxTree *tree = nullptr;
  llvm::StringSet<> runtimeNames;               ///< What statements bind that only a run of the file decides.
  llvm::StringMap<NameInFile> names;            ///< Local name -> what it is in another file.
  llvm::StringMap<const Tree *> definitions;    ///< Def, ClassDef, or the Assign that gives a constant.
  llvm::StringMap<const SourceBuffer *> unread; ///< Names of files that are not parsed yet.
  llvm::StringMap<std::string> imports;         ///< Local name -> full path.
  llvm::StringMap<Function *> functions;
  llvm::StringMap<const Type *> types;
  llvm::StringMap<const Type *> aliases;     ///< `T = List[int]`; null for what is no type.
  llvm::StringMap<SugaredValue *> constants; ///< `X = 1`; null for what is none.
  void forgetCompiled(StringRef name);
  llvm::StringMap<unsigned> replaced; ///< How often a name was defined anew.
  std::function<SugaredValue *(StringRef)> otherNames;
  SugaredValue *assignedValue(StringRef name, const Assign &assign);
  unsigned depth = 0;
  bool isUsers = false, hasTemplates = false;
  struct Question;
  /// Classes that turned out not to derive from what is asked for while one question is answered: many ways may lead to
  /// each of them.
  llvm::StringSet<> notModules, notExceptions;
  unsigned questionDepth = 0;
};

} // namespace tsc

#endif
