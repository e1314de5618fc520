//===- Queries.h - What people ask of a text in an editor -------*- C++ -*-===//
#ifndef TSC_LANGUAGESERVER_QUERIES_H
#define TSC_LANGUAGESERVER_QUERIES_H

#include "tsc/LanguageServer/LibraryIndex.h"
#include "tsc/LanguageServer/Outline.h"
#include "tsc/LanguageServer/Snapshot.h"
#include <functional>

namespace tsc::lsp {

/// A file and its names, immutable.
struct FileOutline {
  FileOutline(std::string path, std::string content)
      : path(std::move(path)), text(std::move(content)), outline(text.str()) {}
  std::string path;
  Text text;
  Outline outline;
};

struct Hover {
  Span span;
  std::string code;          ///< A signature, or a name with its type.
  std::string documentation; ///< May be empty.
};

struct Location {
  std::shared_ptr<const FileOutline> file;
  Span span;
};

enum class CompletionKind : uint8_t { Function, Method, Class, Module, Variable, Field, Keyword, Constant, Parameter };
struct Completion {
  std::string label;
  CompletionKind kind;
  std::string detail;
  std::string lookUp; ///< What documentationOf() is asked for; empty when there is nothing more to say.
};

struct Signature {
  std::string label;
  std::vector<std::string> parameters; ///< Parts of the label.
  std::string documentation;
};
struct SignatureHelp {
  std::vector<Signature> signatures;
  unsigned activeSignature = 0, activeParameter = 0;
};

/// Answers from the names of a text as it is now, from what the compiler said of it, or of an earlier state of it, and
/// from the libraries. All places are bytes of the text as it is now.
class Queries {
public:
  Queries(std::shared_ptr<const FileOutline> file, LibraryIndex &library) : file(std::move(file)), library(library) {}
  /// What was compiled last; may be of an earlier text.
  void setSnapshot(std::shared_ptr<const Snapshot> known);
  /// How other files of the user's are read; null for those that are not there.
  using OpenFile = std::function<std::shared_ptr<const FileOutline>(const std::string &path)>;
  void setOpenFile(OpenFile open) { openFile = std::move(open); }
  /// The types of names that the text does not tell.
  using TypeOfName = std::function<const Type *(llvm::StringRef name)>;
  void setTypeOfName(TypeOfName types) { typeOfName = std::move(types); }

  std::optional<Hover> hover(size_t offset) const;
  std::optional<Location> definition(size_t offset) const;
  /// With the part of a name that stands before `offset` in `replaced`.
  std::vector<Completion> complete(size_t offset, Span &replaced) const;
  std::string documentationOf(llvm::StringRef lookUp) const;
  std::optional<SignatureHelp> signatureHelp(size_t offset) const;

private:
  /// What a name or a dotted name was found to be: a symbol of a file, a file, or something of a library.
  struct Target {
    std::shared_ptr<const FileOutline> where;
    int symbol = -1;         ///< -1 with `where`: the file itself.
    std::string library;     ///< A dotted path; empty for what is the user's.
    bool isInstance = false; ///< A value of the class that it names.
    const Type *type = nullptr;
    explicit operator bool() const { return where || !library.empty() || type; }
    const OutlineSymbol *get() const { return where && symbol >= 0 ? &where->outline.symbols()[symbol] : nullptr; }
  };

  Target resolve(const Chain &chain, size_t count, unsigned depth = 0) const;
  Target resolveName(const std::shared_ptr<const FileOutline> &from, llvm::StringRef name, int scope, size_t before,
                     unsigned depth) const;
  Target resolvePath(std::shared_ptr<const FileOutline> from, llvm::StringRef dotted, unsigned depth) const;
  Target importTarget(const FileOutline &from, llvm::StringRef path, unsigned depth) const;
  Target importedHere(llvm::StringRef dotted, size_t at, unsigned depth) const;
  Target member(const Target &of, llvm::StringRef name, unsigned depth) const;
  Target memberOfClass(const Target &type, llvm::StringRef name, unsigned depth) const;
  /// The class of the value that a symbol holds, as an instance.
  Target valueOf(const Target &symbol, unsigned depth) const;
  Target fromAnnotation(std::shared_ptr<const FileOutline> from, llvm::StringRef text, unsigned depth) const;
  Target fromType(const Type *type, unsigned depth) const;
  Target receiverOf(const Chain &chain) const;
  Target resultOfCall(size_t end) const;
  const ExpressionRecord *recordAt(Span name) const;
  const Type *typeEndingAt(size_t end) const;
  std::shared_ptr<const FileOutline> moduleFile(const FileOutline &from, llvm::StringRef path) const;

  void addMembers(const Target &of, llvm::StringRef prefix, std::vector<Completion> &items, unsigned depth) const;
  void addNames(size_t offset, llvm::StringRef prefix, std::vector<Completion> &items) const;
  bool completeImport(size_t offset, llvm::StringRef prefix, std::vector<Completion> &items) const;
  /// A call whose brackets hold a place.
  struct OpenCall {
    Chain callee;
    unsigned argument = 0; ///< How many commas stand before the place.
    std::string keyword;   ///< The name of the argument, where it is given by name.
  };
  std::optional<OpenCall> callAround(size_t offset) const;
  std::vector<Signature> signaturesOf(const Chain &callee) const;
  Hover describe(const Target &target, Span span, llvm::StringRef name) const;

  std::shared_ptr<const FileOutline> file;
  LibraryIndex &library;
  std::shared_ptr<const Snapshot> snapshot;
  std::optional<EditMap> map;
  OpenFile openFile;
  TypeOfName typeOfName;
};

} // namespace tsc::lsp

#endif
