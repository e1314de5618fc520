//===- Queries.h - What people ask of a text in an editor -------*- C++ -*-===//
#ifndef TSC_LANGUAGESERVER_QUERIES_H
#define TSC_LANGUAGESERVER_QUERIES_H

#include "tsc/LanguageServer/LibraryIndex.h"
#include "tsc/LanguageServer/Outline.h"
#include "tsc/LanguageServer/Snapshot.h"
#include <functional>

namespace tsc::lsp {

/// A file's text with the names in it. Immutable.
struct FileOutline {
  FileOutline(std::string path, std::string content)
      : path(std::move(path)), text(std::move(content)), outline(text.str()) {}
  std::string path;
  Text text;
  Outline outline;
};

/// What an editor shows for the name under the pointer; `span` is the name.
struct Hover {
  Span span;
  std::string code;          ///< A signature, or a name with its type.
  std::string documentation; ///< May be empty.
};

/// A place in a file.
struct Location {
  std::shared_ptr<const FileOutline> file;
  Span span;
};

/// What a proposed name stands for.
enum class CompletionKind : uint8_t { Function, Method, Class, Module, Variable, Field, Keyword, Constant, Parameter };
/// A name that is proposed to complete what was typed.
struct Completion {
  std::string label;
  CompletionKind kind;
  std::string detail;
  std::string lookUp; ///< The key for documentationOf(); empty when there is nothing more to say.
};

/// The head of a function, as it is shown while somebody types a call.
struct Signature {
  std::string label;
  std::vector<std::string> parameters; ///< Parts of the label, in order.
  std::string documentation;
};
/// The signatures of a called function, and which of them and of its parameters is being typed.
struct SignatureHelp {
  std::vector<Signature> signatures;
  unsigned activeSignature = 0, activeParameter = 0;
};

/// Answers what editors ask about a text: from the names in it as it is now, from what the compiler said of it or of an
/// earlier state, and from the libraries. All places are bytes of the text as it is now.
///
/// Ownership: borrows the library index.
/// Threads:   one at a time.
class Queries {
public:
  Queries(std::shared_ptr<const FileOutline> file, LibraryIndex &library) : file(std::move(file)), library(library) {}
  /// Sets what was compiled last, perhaps of an earlier text; may be null.
  void setSnapshot(std::shared_ptr<const Snapshot> known);
  /// Returns another file of the user's, or null when there is none at the path.
  using OpenFile = std::function<std::shared_ptr<const FileOutline>(const std::string &path)>;
  /// Sets how other files are read; without it they count as missing.
  void setOpenFile(OpenFile open) { openFile = std::move(open); }
  /// Returns the type of a name that the text does not tell, or null.
  using TypeOfName = std::function<const Type *(llvm::StringRef name)>;
  /// Sets who knows the types of other names, such as variables of a prompt.
  void setTypeOfName(TypeOfName types) { typeOfName = std::move(types); }

  /// Returns what to show for the name at `offset`, or nothing where no name is.
  std::optional<Hover> hover(size_t offset) const;
  /// Returns where the name at `offset` is defined; for a name of a library, where the text imports it.
  std::optional<Location> definition(size_t offset) const;
  /// Returns the names that can stand at `offset`. `replaced` becomes the part of a name that stands before it.
  std::vector<Completion> complete(size_t offset, Span &replaced) const;
  /// Returns more about a completion, by its `lookUp`; may be empty.
  std::string documentationOf(llvm::StringRef lookUp) const;
  /// Returns the signatures of the call whose brackets hold `offset`, or nothing.
  std::optional<SignatureHelp> signatureHelp(size_t offset) const;

private:
  /// What a name or a dotted name denotes: a symbol of a file, a file, or something of a library.
  struct Target {
    std::shared_ptr<const FileOutline> where;
    int symbol = -1;         ///< -1 with `where`: the file itself.
    std::string library;     ///< A dotted path; empty for what is the user's.
    bool isInstance = false; ///< Whether it is a value of the class that it names.
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
  /// Returns the class of the value that a symbol holds, as an instance.
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
