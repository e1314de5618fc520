//===- Documents.cpp - The texts that are open in the editor --------------===//
#include "Documents.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>

using namespace tsc;
using namespace tsc::lsp;
using llvm::StringRef;

/// How long an answer waits for the compiler.
static constexpr std::chrono::milliseconds patience(10);
/// Larger files are nobody's source.
static constexpr uint64_t maxFile = 8 << 20;

Documents::Documents(LibraryIndex &library, Publish publish)
    : library(library), publish(std::move(publish)), worker(std::make_unique<BackgroundWorker>("tsc-lsp compile")) {}
Documents::~Documents() = default;

std::string Documents::pathOf(StringRef uri) {
  if (!uri.consume_front("file://"))
    return uri.str();
  std::string path;
  for (size_t i = 0; i != uri.size(); ++i) {
    unsigned code;
    if (uri[i] == '%' && i + 2 < uri.size() && !uri.substr(i + 1, 2).getAsInteger(16, code)) {
      path += static_cast<char>(code);
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path;
}

std::string Documents::uriOf(StringRef path) {
  std::string uri = "file://";
  for (char c : path) {
    if (llvm::isAlnum(c) || StringRef("/-._~").contains(c))
      uri += c;
    else
      uri += "%" + llvm::utohexstr(static_cast<unsigned char>(c), false, 2);
  }
  return uri;
}

void Documents::open(const std::string &uri, std::string text, int64_t version) {
  change(uri, Text(std::move(text)), version);
}

std::shared_ptr<const FileOutline> Documents::current(const std::string &uri) const {
  std::lock_guard lock(mutex);
  auto found = documents.find(uri);
  return found == documents.end() ? nullptr : found->second.file;
}

void Documents::change(const std::string &uri, Text text, int64_t version) {
  auto file = std::make_shared<const FileOutline>(pathOf(uri), text.str().str());
  {
    std::lock_guard lock(mutex);
    Document &document = documents[uri];
    document.file = std::move(file);
    document.version = version;
    document.number = ++lastNumber;
  }
  compileLater(uri);
}

void Documents::close(const std::string &uri) {
  std::lock_guard lock(mutex);
  documents.erase(uri);
}

void Documents::compileLater(const std::string &uri) {
  (void)worker->post([this, uri] { compile(uri); });
}

void Documents::compile(const std::string &uri) {
  std::shared_ptr<const FileOutline> file;
  int64_t version = 0;
  uint64_t number = 0;
  {
    std::lock_guard lock(mutex);
    auto found = documents.find(uri);
    // Of several changes the last one is compiled, once.
    if (found == documents.end() || found->second.compiledNumber == found->second.number)
      return;
    file = found->second.file;
    version = found->second.version;
    number = found->second.number;
  }
  std::string name = StringRef(file->path).ends_with(".py") ? file->path : file->path + ".py";
  std::shared_ptr<const Snapshot> snapshot = Snapshot::make(std::move(name), file->text.str().str(), version);
  bool isCurrent = false;
  {
    std::lock_guard lock(mutex);
    auto found = documents.find(uri);
    if (found == documents.end())
      return;
    Document &document = found->second;
    document.newest = snapshot;
    if (snapshot->hasRecords() || !document.lastParsed)
      document.lastParsed = snapshot;
    document.compiledNumber = number;
    isCurrent = document.number == number;
  }
  compiledOne.notify_all();
  if (isCurrent)
    publish(uri, *snapshot, *file);
}

std::optional<Queries> Documents::queries(const std::string &uri, bool needTypes) {
  std::unique_lock lock(mutex);
  auto isReady = [&] {
    auto found = documents.find(uri);
    return found == documents.end() || found->second.compiledNumber == found->second.number;
  };
  if (needTypes)
    compiledOne.wait_for(lock, patience, isReady);
  auto found = documents.find(uri);
  if (found == documents.end())
    return std::nullopt;
  Queries queries(found->second.file, library);
  queries.setSnapshot(found->second.lastParsed);
  lock.unlock();
  queries.setOpenFile([this](const std::string &path) { return openPath(path); });
  return queries;
}

std::shared_ptr<const Snapshot> Documents::compiled(const std::string &uri) {
  std::unique_lock lock(mutex);
  compiledOne.wait(lock, [&] {
    auto found = documents.find(uri);
    return found == documents.end() || found->second.compiledNumber == found->second.number;
  });
  auto found = documents.find(uri);
  return found == documents.end() ? nullptr : found->second.newest;
}

/// A file as the editor has it, else as the disk has it.
std::shared_ptr<const FileOutline> Documents::openPath(const std::string &path) {
  {
    std::lock_guard lock(mutex);
    for (auto &entry : documents)
      if (entry.second.file && entry.second.file->path == path)
        return entry.second.file;
  }
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status) || status.type() != llvm::sys::fs::file_type::regular_file ||
      status.getSize() > maxFile)
    return nullptr;
  const int64_t time = status.getLastModificationTime().time_since_epoch().count();
  auto &[knownTime, known] = files[path];
  if (known && knownTime == time)
    return known;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return nullptr;
  knownTime = time;
  return known = std::make_shared<const FileOutline>(path, (*buffer)->getBuffer().str());
}
