//===- Server.h - The language server protocol ------------------*- C++ -*-===//
#ifndef TSC_LANGUAGESERVER_SERVER_H
#define TSC_LANGUAGESERVER_SERVER_H

#include "tsc/LanguageServer/Transport.h"

namespace tsc::lsp {

/// Serves one editor until it says `exit` or the stream ends.
///
/// Threads: requests are answered one after the other by the thread that calls run(); texts are compiled by another
/// one,
///          so that no answer waits for it for long; a third reads, so that a request can be cancelled before its turn.
class Server {
public:
  Server(MessageReader::Source source, llvm::raw_ostream &os, std::string version);
  ~Server();
  /// The exit status that the protocol asks for: 0 when `shutdown` came before the end.
  int run();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc::lsp

#endif
