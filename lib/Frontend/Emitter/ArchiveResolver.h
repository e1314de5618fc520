//===- ArchiveResolver.h - Names in an archive's code -----------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_ARCHIVERESOLVER_H
#define TSC_LIB_FRONTEND_ARCHIVERESOLVER_H

#include "CompilerImpl.h"
#include "llvm/ADT/StringSet.h"

namespace tsc {

/// Finds definitions in the modules of an archive, parsing each once, when a name of it is first wanted.
class ArchiveResolver final : public Resolver {
public:
  ArchiveResolver(Compiler::Impl &compiler, Compiler::FindSource find, std::vector<IValue> constants, int64_t version,
                  ArrayRef<std::string> pythonModules)
      : compiler(compiler), findSource(std::move(find)), constants(std::move(constants)), version(version),
        asPython(*this) {
    for (const std::string &module : pythonModules)
      this->pythonModules.insert(module);
  }
  SugaredValue *resolveValue(StringRef name, SourceRange range) override;
  const Type *resolveType(StringRef name, SourceRange range) override;

  /// The archive whose code a resolver reads; null for source.
  static ArchiveResolver *of(Resolver &resolver);

  /// Returns a class of the archive, or one of PyTorch's own, by its qualified name; null when there is none.
  const Type *findType(StringRef qualified);
  /// Returns a function of the archive, declared if it was not yet; null when there is none.
  Function *findFunction(StringRef qualified);
  /// `path.name` where `path` is torch, ops, CONSTANTS or below __torch__; null when there is none.
  SugaredValue *member(StringRef path, StringRef name);
  int64_t formatVersion() const { return version; }
  std::function<void(Graph &)> bodyPass; ///< Empty where there is nothing to do.
  /// Whether `torch.X` or `ops.N.X` can be called.
  bool knowsFunction(StringRef dottedName);

private:
  /// Resolves the archive's names in code that means what Python means.
  class PythonReading final : public Resolver {
  public:
    explicit PythonReading(ArchiveResolver &archive) : archive(archive) {}
    SugaredValue *resolveValue(StringRef name, SourceRange range) override { return archive.resolveValue(name, range); }
    const Type *resolveType(StringRef name, SourceRange range) override { return archive.resolveType(name, range); }
    bool followsPython() const override { return true; }
    bool isPrinted() const override { return true; }

    ArchiveResolver &archive;
  };
  /// Returns the resolver of names in the module that holds a definition: Python's meanings for some modules.
  Resolver &readerOf(StringRef qualified);
  /// The definition of a function or class; null when the archive has none.
  const Tree *definition(StringRef qualified);
  Compiler::Impl &compiler;
  Compiler::FindSource findSource;
  std::vector<IValue> constants;
  int64_t version; ///< The archive's format version; old ones call operators as they were then.
  llvm::StringSet<> pythonModules;
  PythonReading asPython;
  llvm::StringMap<llvm::StringMap<const Tree *>> modules;
  llvm::StringMap<const Type *> types;
  unsigned depth = 0;
};

} // namespace tsc

#endif
