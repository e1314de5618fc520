//===- Server.cpp - The language server protocol --------------------------===//
#include "tsc/LanguageServer/Server.h"
#include "Documents.h"
#include "Protocol.h"
#include "llvm/ADT/StringExtras.h"
#include <condition_variable>
#include <deque>
#include <set>
#include <thread>

using namespace tsc;
using namespace tsc::lsp;
using llvm::StringRef;
namespace json = llvm::json;

namespace {
/// What a request is answered with.
struct Answer {
  json::Value result = nullptr;
  std::optional<ErrorCode> error;
  std::string message;
};

Answer failure(ErrorCode code, std::string message) { return {nullptr, code, std::move(message)}; }

/// An id as text, so that numbers and strings can be kept together.
std::string keyOf(const json::Value &id) {
  std::string text;
  llvm::raw_string_ostream(text) << id;
  return text;
}
} // namespace

struct Server::Impl {
  Impl(MessageReader::Source source, llvm::raw_ostream &os, std::string version)
      : reader(std::move(source)), writer(os), version(std::move(version)),
        documents(library, [this](const std::string &uri, const Snapshot &snapshot, const FileOutline &file) {
          publish(uri, snapshot.version(), diagnosticsToJson(snapshot, file, uri));
        }) {}

  //===-- Reading -----------------------------------------------------------===//

  struct Incoming {
    std::optional<json::Value> message;
    std::string error; ///< Of what is no message.
    bool isTooLarge = false;
  };

  /// Reads until the stream ends. Cancellations take effect at once.
  void read() {
    std::string body;
    while (true) {
      MessageReader::Result result = reader.next(body);
      if (result == MessageReader::Result::End)
        break;
      Incoming incoming;
      incoming.isTooLarge = result == MessageReader::Result::TooLarge;
      if (!incoming.isTooLarge)
        incoming.message = parseJson(body, incoming.error);
      bool isExit = false;
      if (const json::Object *object = incoming.message ? incoming.message->getAsObject() : nullptr) {
        StringRef method = object->getString("method").value_or("");
        isExit = method == "exit";
        if (method == "$/cancelRequest")
          if (const json::Object *params = object->getObject("params"))
            if (const json::Value *id = params->get("id")) {
              std::lock_guard lock(mutex);
              if (cancelled.size() == 1000) // of requests that were answered before
                cancelled.clear();
              cancelled.insert(keyOf(*id));
              continue;
            }
      }
      {
        std::lock_guard lock(mutex);
        queue.push_back(std::move(incoming));
      }
      wake.notify_one();
      if (isExit)
        return; // nobody reads what comes behind it
    }
    std::lock_guard lock(mutex);
    hasEnded = true;
    wake.notify_one();
  }

  /// Nothing at the end of the stream.
  std::optional<Incoming> next() {
    std::unique_lock lock(mutex);
    wake.wait(lock, [&] { return hasEnded || !queue.empty(); });
    if (queue.empty())
      return std::nullopt;
    Incoming incoming = std::move(queue.front());
    queue.pop_front();
    return incoming;
  }

  bool isCancelled(const json::Value &id) {
    std::lock_guard lock(mutex);
    return cancelled.erase(keyOf(id)) != 0;
  }

  //===-- Answering ---------------------------------------------------------===//

  void reply(const json::Value &id, Answer answer) {
    json::Object message{{"jsonrpc", "2.0"}, {"id", id}};
    if (answer.error)
      message["error"] = json::Object{{"code", static_cast<int>(*answer.error)}, {"message", asUtf8(answer.message)}};
    else
      message["result"] = std::move(answer.result);
    writer.write(std::move(message));
  }

  void publish(const std::string &uri, std::optional<int64_t> number, json::Value diagnostics) {
    json::Object params{{"uri", uri}, {"diagnostics", std::move(diagnostics)}};
    if (number)
      params["version"] = *number;
    writer.write(
        json::Object{{"jsonrpc", "2.0"}, {"method", "textDocument/publishDiagnostics"}, {"params", std::move(params)}});
  }

  int run() {
    std::thread reading([this] { read(); });
    int status = 1;
    while (std::optional<Incoming> incoming = next()) {
      if (incoming->isTooLarge) {
        reply(nullptr, failure(ErrorCode::InvalidRequest, "the message is larger than 64 MiB"));
        continue;
      }
      if (!incoming->message) {
        reply(nullptr, failure(ErrorCode::ParseError, incoming->error));
        continue;
      }
      const json::Object *object = incoming->message->getAsObject();
      if (!object) {
        reply(nullptr, failure(ErrorCode::InvalidRequest, "a message is an object"));
        continue;
      }
      if (object->getString("method") == StringRef("exit")) {
        status = isShutDown ? 0 : 1;
        break;
      }
      handle(*object);
    }
    reading.join();
    return status;
  }

  void handle(const json::Object &message) {
    const json::Value *id = message.get("id");
    std::optional<StringRef> method = message.getString("method");
    static const json::Object none;
    const json::Object *params = message.getObject("params");
    params = params ? params : &none;
    if (!method) {
      if (!message.get("result") && !message.get("error")) // an answer to a question that nobody asked is dropped
        reply(id ? *id : json::Value(nullptr), failure(ErrorCode::InvalidRequest, "a message has a method"));
      return;
    }
    if (!id)
      return notify(*method, *params);
    if (isCancelled(*id))
      return reply(*id, failure(ErrorCode::RequestCancelled, "cancelled"));
    if (isShutDown)
      return reply(*id, failure(ErrorCode::InvalidRequest, "the server was shut down"));
    if (!isInitialized && *method != "initialize")
      return reply(*id, failure(ErrorCode::ServerNotInitialized, "'initialize' comes first"));
    Answer answer;
    try {
      answer = request(*method, *params);
    } catch (const std::bad_alloc &) {
      answer = failure(ErrorCode::InternalError, "out of memory");
    }
    // A client that has changed its mind waits for no answer of size.
    if (isCancelled(*id))
      answer = failure(ErrorCode::RequestCancelled, "cancelled");
    reply(*id, std::move(answer));
  }

  //===-- Methods -----------------------------------------------------------===//

  json::Value initialize() {
    isInitialized = true;
    library.prepare(); // so that no completion waits for it
    json::Object capabilities{
        {"positionEncoding", "utf-16"},
        {"textDocumentSync", json::Object{{"openClose", true}, {"change", 2}, {"save", false}}},
        {"hoverProvider", true},
        {"definitionProvider", true},
        {"documentSymbolProvider", true},
        {"completionProvider", json::Object{{"triggerCharacters", json::Array{"."}}, {"resolveProvider", true}}},
        {"signatureHelpProvider", json::Object{{"triggerCharacters", json::Array{"(", ","}}}},
        {"executeCommandProvider", json::Object{{"commands", json::Array{"tsc.showGraph"}}}}};
    return json::Object{{"capabilities", std::move(capabilities)},
                        {"serverInfo", json::Object{{"name", "tsc-lsp"}, {"version", version}}}};
  }

  static std::string uriIn(const json::Object &params) {
    const json::Object *document = params.getObject("textDocument");
    return document ? document->getString("uri").value_or("").str() : "";
  }

  void notify(StringRef method, const json::Object &params) {
    if (!isInitialized || isShutDown)
      return;
    const std::string uri = uriIn(params);
    const json::Object *document = params.getObject("textDocument");
    if (uri.empty())
      return;
    const int64_t number = document->getInteger("version").value_or(0);
    if (method == "textDocument/didOpen") {
      if (std::optional<StringRef> text = document->getString("text"))
        documents.open(uri, text->str(), number);
    } else if (method == "textDocument/didChange") {
      change(uri, params, number);
    } else if (method == "textDocument/didClose") {
      documents.close(uri);
      publish(uri, std::nullopt, json::Array());
    }
  }

  void change(const std::string &uri, const json::Object &params, int64_t number) {
    std::shared_ptr<const FileOutline> file = documents.current(uri);
    const json::Array *changes = params.getArray("contentChanges");
    if (!file || !changes)
      return;
    Text text = file->text;
    for (const json::Value &change : *changes) {
      const json::Object *object = change.getAsObject();
      std::optional<StringRef> with = object ? object->getString("text") : std::nullopt;
      if (!with)
        continue;
      const json::Object *range = object->getObject("range");
      if (!range) {
        text = Text(with->str());
        continue;
      }
      std::optional<Position> start = positionFrom(range->get("start")), end = positionFrom(range->get("end"));
      if (start && end)
        text.replace({text.offset(*start), text.offset(*end)}, *with);
    }
    documents.change(uri, std::move(text), number);
  }

  Answer request(StringRef method, const json::Object &params) {
    if (method == "initialize")
      return isInitialized ? failure(ErrorCode::InvalidRequest, "initialized twice") : Answer{initialize(), {}, ""};
    if (method == "shutdown") {
      isShutDown = true;
      return {};
    }
    if (method == "workspace/executeCommand")
      return execute(params);
    if (method == "completionItem/resolve")
      return resolveCompletion(params);
    static constexpr StringRef known[] = {"textDocument/hover", "textDocument/definition", "textDocument/completion",
                                          "textDocument/signatureHelp", "textDocument/documentSymbol"};
    if (!llvm::is_contained(known, method))
      return failure(ErrorCode::MethodNotFound, "there is no method '" + method.str() + "'");
    const std::string uri = uriIn(params);
    std::shared_ptr<const FileOutline> file = documents.current(uri);
    if (!file)
      return failure(ErrorCode::InvalidParams, "'" + uri + "' is not open");
    if (method == "textDocument/documentSymbol")
      return {symbolsToJson(*file), {}, ""};
    std::optional<Position> position = positionFrom(params.get("position"));
    if (!position)
      return failure(ErrorCode::InvalidParams, "there is no position");
    return about(method, uri, *file, file->text.offset(*position));
  }

  Answer about(StringRef method, const std::string &uri, const FileOutline &file, size_t offset) {
    std::optional<Queries> queries = documents.queries(uri, /*needTypes=*/method == "textDocument/hover");
    if (!queries)
      return failure(ErrorCode::InvalidParams, "'" + uri + "' is not open");
    if (method == "textDocument/completion") {
      Span replaced;
      std::vector<Completion> items = queries->complete(offset, replaced);
      return {completionsToJson(items), {}, ""};
    }
    if (method == "textDocument/hover") {
      std::optional<Hover> hover = queries->hover(offset);
      return {hover ? toJson(*hover, file.text) : json::Value(nullptr), {}, ""};
    }
    if (method == "textDocument/definition") {
      std::optional<Location> location = queries->definition(offset);
      return {location ? toJson(*location) : json::Value(nullptr), {}, ""};
    }
    std::optional<SignatureHelp> help = queries->signatureHelp(offset);
    return {help ? toJson(*help) : json::Value(nullptr), {}, ""};
  }

  Answer resolveCompletion(const json::Object &item) {
    json::Object resolved = item;
    Queries queries(std::make_shared<FileOutline>("", ""), library);
    if (std::optional<StringRef> data = item.getString("data"))
      if (std::string text = queries.documentationOf(*data); !text.empty())
        resolved["documentation"] = asUtf8(text);
    return {std::move(resolved), {}, ""};
  }

  /// `tsc.showGraph`, with a URI and the name of a function, or a position within it.
  Answer execute(const json::Object &params) {
    StringRef command = params.getString("command").value_or("");
    if (command != "tsc.showGraph")
      return failure(ErrorCode::InvalidParams, "there is no command '" + command.str() + "'");
    const json::Array *arguments = params.getArray("arguments");
    std::optional<StringRef> uri = arguments && arguments->size() == 2 ? (*arguments)[0].getAsString() : std::nullopt;
    std::shared_ptr<const FileOutline> file = uri ? documents.current(uri->str()) : nullptr;
    if (!file)
      return failure(ErrorCode::InvalidParams,
                     "tsc.showGraph takes the URI of an open text, and a function's name or a position");
    std::string name;
    if (std::optional<StringRef> given = (*arguments)[1].getAsString()) {
      name = given->str();
    } else if (std::optional<Position> position = positionFrom(&(*arguments)[1])) {
      for (int scope = file->outline.scopeAt(file->text.offset(*position)); scope >= 0;
           scope = file->outline.symbols()[scope].parent)
        name = file->outline.symbols()[scope].name + (name.empty() ? "" : "." + name);
    }
    if (name.empty())
      return failure(ErrorCode::InvalidParams, "no function stands there");
    std::shared_ptr<const Snapshot> snapshot = documents.compiled(uri->str());
    StatusOr<std::string> graph = snapshot ? snapshot->showGraph(name) : notFound("the text was closed");
    if (!graph.ok())
      return failure(ErrorCode::RequestFailed, messageOf(graph.status()).str());
    return {asUtf8(*graph), {}, ""};
  }

  MessageReader reader;
  MessageWriter writer;
  const std::string version;
  std::mutex mutex; ///< Of what follows, up to hasEnded.
  std::condition_variable wake;
  std::deque<Incoming> queue;
  std::set<std::string> cancelled;
  bool hasEnded = false;
  bool isInitialized = false, isShutDown = false;
  LibraryIndex library;
  Documents documents;
};

Server::Server(MessageReader::Source source, llvm::raw_ostream &os, std::string version)
    : impl(std::make_unique<Impl>(std::move(source), os, std::move(version))) {}

Server::~Server() = default;

int Server::run() { return impl->run(); }
