//===- Documents.h - The texts that are open in the editor ------*- C++ -*-===//
#ifndef TSC_LIB_LANGUAGESERVER_DOCUMENTS_H
#define TSC_LIB_LANGUAGESERVER_DOCUMENTS_H

#include "tsc/LanguageServer/Queries.h"
#include "tsc/Support/BackgroundWorker.h"
#include "llvm/ADT/StringMap.h"
#include <condition_variable>
#include <mutex>

namespace tsc::lsp {

/// Texts by URI, and what the compiler says of them.
///
/// Threads: open, change, close and queries() by one; texts are compiled by a thread of its own, which calls `publish`.
class Documents {
public:
  /// Hears of each text that was compiled and is still the current one.
  using Publish = std::function<void(const std::string &uri, const Snapshot &snapshot, const FileOutline &file)>;
  Documents(LibraryIndex &library, Publish publish);
  ~Documents();

  /// Adds a text, or replaces the one of that URI, and has it compiled.
  void open(const std::string &uri, std::string text, int64_t version);
  /// Returns the outline of a text; null for a URI that is not open.
  std::shared_ptr<const FileOutline> current(const std::string &uri) const;
  /// Replaces a text by its next version, and has it compiled.
  void change(const std::string &uri, Text text, int64_t version);
  /// Forgets a text.
  void close(const std::string &uri);
  /// Answers about an open text. Those that `needTypes` wait a moment for what the compiler says of a text that has
  /// just changed.
  std::optional<Queries> queries(const std::string &uri, bool needTypes);
  /// What the compiler says of the current text, waited for.
  std::shared_ptr<const Snapshot> compiled(const std::string &uri);

  /// Returns the path of a `file:` URI without escapes; another URI as it is.
  static std::string pathOf(llvm::StringRef uri);
  /// Returns the `file:` URI of a path, with escapes where it has other characters than RFC 3986 leaves alone.
  static std::string uriOf(llvm::StringRef path);

private:
  struct Document {
    std::shared_ptr<const FileOutline> file;
    int64_t version = 0;
    uint64_t number = 0; ///< Numbers the states of all texts; this is that of the present one.
    uint64_t compiledNumber = 0;
    std::shared_ptr<const Snapshot> newest;     ///< What is known of the last text that was compiled.
    std::shared_ptr<const Snapshot> lastParsed; ///< What is known of the last one of which something could be said.
  };
  void compileLater(const std::string &uri);
  void compile(const std::string &uri);
  std::shared_ptr<const FileOutline> openPath(const std::string &path);

  LibraryIndex &library;
  const Publish publish;
  mutable std::mutex mutex;
  std::condition_variable compiledOne;
  llvm::StringMap<Document> documents;
  uint64_t lastNumber = 0;
  /// Files that are not open, by path, with the time at which they were changed.
  llvm::StringMap<std::pair<int64_t, std::shared_ptr<const FileOutline>>> files;
  std::unique_ptr<BackgroundWorker> worker; ///< Last: its tasks use all of the above.
};

} // namespace tsc::lsp

#endif
