//===- CompilerImpl.h - What all parts of the compiler share ----*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_COMPILERIMPL_H
#define TSC_LIB_FRONTEND_COMPILERIMPL_H

#include "CodeEvaluator.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/PreludeTexts.h"
#include "tsc/Frontend/Resolver.h"
#include "tsc/Frontend/SugaredValue.h"
#include "tsc/Frontend/Tree.h"
#include "tsc/IR/Context.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>
#include <map>

namespace tsc {

class ArchiveResolver;
class SourceResolver;
struct ClassInfo;

/// A class that was made for modules of one structure.
struct ModuleInfo {
  const ModuleClass *type = nullptr;       ///< The class in the source.
  SourceRange madeAt;                      ///< The user's call that made the first of them.
  std::vector<std::string> children;       ///< Modules and parameters, in the order in which they were set.
  bool isList = false, isDict = false;     ///< A container: children are its elements.
  llvm::StringMap<SugaredValue *> sugared; ///< Attributes that hold functions.
  llvm::StringMap<std::string> untyped;    ///< Attributes that compiled code has no type for, and what they hold.
};

/// What the frontend knows of a class beyond its type.
struct ClassInfo {
  const ClassDef *tree = nullptr;
  Resolver *resolver = nullptr;
  llvm::StringMap<IValue> constants; ///< Those of the type, and what attributes have until they are given a value.
  llvm::StringMap<std::vector<Function *>> overloads;
  llvm::StringMap<const Def *> classMethods;
  std::vector<std::string> matchNames; ///< What the places of a pattern stand for: `__match_args__`, or the fields.
  /// Methods of bases that the class, or a base before theirs, defines anew; by the class that has the text.
  std::map<std::pair<const ClassDef *, std::string>, Function *> overridden;
  std::vector<const ClassDef *> order; ///< A class in source and its bases, as methods are looked up.
  std::unique_ptr<ModuleInfo> module;  ///< Null for a class that is declared as it is written.
};

/// What the compiler knows of a NamedTuple beside its type: for each field a default, or none.
struct NamedTupleInfo {
  std::vector<std::optional<IValue>> defaults;
};

/// What a function gathers: the number of the parameter that stands for `*values`, and whether the last one stands for
/// `**options`.
struct VariadicInfo {
  std::optional<size_t> list;
  bool dict = false;
};

/// Variables that begin as None and are given something else later. A body that meets one is compiled again: there they
/// may be None from the start.
struct Widening {
  std::map<std::string, const Type *, std::less<>> types;
  bool isWanted = false;
};

/// The compiler's state, and the declarations and bodies that it compiles on demand.
struct Compiler::Impl {
  Impl(Compiler &owner, CompilationUnit &unit, DiagnosticEngine &diags, const PreludeTexts &texts);
  ~Impl();
  Compiler &owner;
  CompilationUnit &unit;
  Context &context;
  DiagnosticEngine &diags;
  const PreludeTexts &texts;
  SugaredArena arena;
  std::deque<SyntaxTree> trees;
  std::vector<std::unique_ptr<Resolver>> resolvers;
  SourceResolver *sourceResolver = nullptr;
  llvm::SmallDenseMap<const PreludeModule *, SourceResolver *, 2> preludes;
  ArchiveResolver *archive = nullptr;
  std::vector<Function *> sourceFunctions;
  std::vector<ClassType *> sourceClasses;
  llvm::DenseMap<const ClassType *, ClassInfo> classes;
  llvm::DenseMap<const TupleType *, NamedTupleInfo> namedTuples;
  llvm::DenseMap<const Function *, unsigned> positionalOnly; ///< How many of the first parameters, where there are any.
  llvm::DenseMap<const Function *, VariadicInfo> variadics;  ///< What functions that gather arguments take.
  llvm::DenseMap<const Function *, const ModuleClass *> owners;  ///< The class that has the text of a module's method.
  llvm::DenseMap<const Function *, const ClassDef *> textOwners; ///< The class that has the text of another method.
  llvm::DenseSet<const EnumType *> intEnums;
  llvm::DenseSet<const EnumType *> shownAsValues; ///< IntEnum and StrEnum: str() of a member is that of its value.
  /// Where enumerations and NamedTuples of source files are defined: their methods are compiled for each call.
  llvm::DenseMap<const Type *, std::pair<const ClassDef *, Resolver *>> memberTexts;
  Compiler::MakeEvaluator makeEvaluator;    ///< Null where files with modules are refused.
  Resolver *hostNames = nullptr;            ///< Names that source files have besides their own; may be null.
  CompileObserver *observer = nullptr;      ///< May be null.
  std::unique_ptr<CodeEvaluator> evaluator; ///< What runs a file with modules; null for other files.
  std::deque<Function *> pending;           ///< Declared and not compiled.
  Widening *widening = nullptr; ///< Widened variables of the body that is being compiled; null where there is none.
  /// Holds who called a function first, and where. Errors in its body say so where the engine lists all overloads.
  llvm::DenseMap<const Function *, std::pair<const Function *, SourceRange>> firstCalls;
  const Function *body = nullptr; ///< The function whose body is being compiled.
  size_t numExplained = 0;        ///< How many diagnostics there were when the last one was followed by its callers.
  /// Notes that the body being compiled calls a function.
  void noteCall(const Function &callee, SourceRange range) {
    if (diags.listsAllOverloads() && body && body != &callee)
      firstCalls.try_emplace(&callee, body, range);
  }
  unsigned bodyDepth = 0; ///< Bodies being compiled because another one needs them.
  unsigned numExpressions = 0;
  unsigned numHidden = 0;    ///< Variables that no program names.
  unsigned numInstances = 0; ///< Functions made of templates.
  /// A name that no program can use.
  std::string hiddenName(StringRef stem) { return ("$" + stem + llvm::Twine(numHidden++)).str(); }
  /// A tree for syntax that stands for other syntax; its nodes point into `buffer`.
  SyntaxTree &synthetic(const SourceBuffer &buffer) { return trees.emplace_back(buffer); }

  // Files that import each other (Imports.cpp).
  Compiler::FindFile findFile;
  std::map<std::string, SourceResolver *, std::less<>> userFiles; ///< Null for one that is not there, or is wrong.
  bool isImportWrong = false;                                     ///< Whether an import was reported as wrong.
  /// The file that `import path` names, read on first use; null when there is none, or after a report.
  SourceResolver *userFile(StringRef path);
  template <typename... Args> void refuseImport(SourceRange range, const DiagnosticKind &kind, Args &&...args) {
    isImportWrong = true;
    (void)diags.report(range, kind, std::forward<Args>(args)...);
  }

  /// Parses and keeps the tree; null after a report.
  const SyntaxTree *parse(const SourceBuffer &source);
  /// The names of a module of the prelude, parsed on first use.
  SourceResolver *prelude(const PreludeModule &module);

  /// The class of containers of elements of a type (Sets.cpp); null where one cannot hold them.
  const Type *containerOf(ContainerKind kind, const Type *element);
  /// What a class of such containers holds; null for another type.
  const Type *elementOf(ContainerKind kind, const Type *type) const {
    return containers[size_t(kind)].elements.lookup(type);
  }
  /// Classes of containers by their elements' type, and elements by class.
  struct Containers {
    llvm::DenseMap<const Type *, const Type *> types, elements;
  };
  Containers containers[2]; ///< One for each ContainerKind.

  // Declarations (Declarations.cpp, Classes.cpp).
  /// Declares a function; for a method `self` is its class. The signature is set where it is annotated.
  Function *declareFunction(const Def &def, StringRef qualifiedName, const Type *self, Resolver &resolver);
  /// A method of a class that was made for modules, declared now; behind a base class (`super()`), or by its name
  /// alone. Null when there is none, or after a report.
  Function *moduleMethod(const ClassType *type, StringRef name, const ModuleClass *after = nullptr);
  /// Declares what `torch.jit.export` marks in the classes of a module and of those within it.
  void declareExported(const ObjectValue &module);
  ModuleInfo *moduleInfo(const Type *type);
  const Type *declareClass(const ClassDef &tree, StringRef qualifiedName, Resolver &resolver);
  /// Gives the type of a declared class its text's doc string (of `tree`, if there is one), and those of its constants
  /// that no attribute hides, in the order of their names.
  void noteOnType(ClassType &type, const ClassDef *tree);
  /// A value known while compiling, from a literal expression; nothing when it is something else.
  std::optional<IValue> evaluateConstant(const Tree *tree, const Type *type, Resolver &resolver);

  bool isLibrary = false; ///< All text is tsc's own (Compiler::setIsLibrary).
};

} // namespace tsc

#endif
