//===- Server.h - The language server protocol ------------------*- C++ -*-===//
#ifndef TSC_LANGUAGESERVER_SERVER_H
#define TSC_LANGUAGESERVER_SERVER_H

#include "tsc/LanguageServer/Transport.h"

namespace tsc::lsp {

/// Serves one editor until it says `exit` or the stream ends.
///
/// Threads: the thread that calls run() answers requests one after the other. A second one compiles texts, so that no
///          answer waits for that for long; a third one reads, so that a request can be cancelled before its turn.
class Server {
public:
  /// Reads messages from `source` and writes them to `os`, which the server borrows. `version` is what the editor is
  /// told.
  Server(MessageReader::Source source, llvm::raw_ostream &os, std::string version);
  ~Server();
  /// Serves, and returns the exit status that the protocol asks for: 0 when `shutdown` came before the end.
  int run();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc::lsp

#endif
