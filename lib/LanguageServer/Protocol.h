//===- Protocol.h - What answers look like as JSON --------------*- C++ -*-===//
#ifndef TSC_LIB_LANGUAGESERVER_PROTOCOL_H
#define TSC_LIB_LANGUAGESERVER_PROTOCOL_H

#include "tsc/LanguageServer/Queries.h"
#include "llvm/Support/JSON.h"

namespace tsc::lsp {

/// The codes of errors of JSON-RPC and of the Language Server Protocol that answers have.
enum class ErrorCode : int {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  RequestCancelled = -32800,
  RequestFailed = -32803,
};

/// Returns what the protocol says: `Position`, `Range`, `Hover`, `Location`, and `SignatureHelp`.
llvm::json::Value toJson(Position position);
llvm::json::Value toJson(const Text &text, Span span);
llvm::json::Value toJson(const Hover &hover, const Text &text);
llvm::json::Value toJson(const Location &location);
llvm::json::Value toJson(const SignatureHelp &help);
/// Returns the protocol's list of `CompletionItem`.
llvm::json::Value completionsToJson(llvm::ArrayRef<Completion> items);
/// The tree of definitions, with attributes and top-level variables.
llvm::json::Value symbolsToJson(const FileOutline &file);
/// Returns the parameters of `textDocument/publishDiagnostics` for a text.
llvm::json::Value diagnosticsToJson(const Snapshot &snapshot, const FileOutline &file, llvm::StringRef uri);

/// Returns a position that the client sent, or nullopt for what is none.
std::optional<Position> positionFrom(const llvm::json::Value *value);
/// Text as JSON can hold it.
std::string asUtf8(llvm::StringRef text);

} // namespace tsc::lsp

#endif
