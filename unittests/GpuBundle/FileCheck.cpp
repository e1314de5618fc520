//===- FileCheck.cpp - LLVM's FileCheck, as far as lit tests of ours need it ===//
//
// usage: FileCheck CHECKS [--input-file FILE] [--check-prefix PREFIX]...
//
// Debian's FileCheck opens shared libraries that a bare machine has not (Z3, zstd); this one, which the bundle of
// utils/gpu_report.py carries, is LLVM's library and nothing else.
//
//===----------------------------------------------------------------------===//
#include "llvm/FileCheck/FileCheck.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static cl::opt<std::string> checkFile(cl::Positional, cl::Required, cl::desc("<file with checks>"));
static cl::opt<std::string> inputFile("input-file", cl::init("-"),
                                      cl::desc("what is checked; standard input without it"));
static cl::list<std::string> prefixes("check-prefix", cl::desc("what checks begin with; CHECK without it"));

/// Appends the text of a file to `sources` and returns it; says why where it cannot be read.
static const MemoryBuffer *read(SourceMgr &sources, FileCheck &checker, StringRef path) {
  auto buffer = MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (std::error_code error = buffer.getError()) {
    errs() << "FileCheck: error: '" << path << "' cannot be read: " << error.message() << "\n";
    return nullptr;
  }
  SmallString<4096> storage;
  auto text = MemoryBuffer::getMemBufferCopy(checker.CanonicalizeFile(**buffer, storage), path);
  const MemoryBuffer *kept = text.get();
  sources.AddNewSourceBuffer(std::move(text), SMLoc());
  return kept;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "checks a text for lines in order\n");
  FileCheckRequest request;
  request.CheckPrefixes.assign(prefixes.begin(), prefixes.end());
  request.IsDefaultCheckPrefix = prefixes.empty();
  if (prefixes.empty())
    request.CheckPrefixes = {"CHECK"};
  request.CommentPrefixes = {"COM", "RUN"};
  FileCheck checker(request);
  if (!checker.ValidateCheckPrefixes())
    return 2;
  SourceMgr sources;
  const MemoryBuffer *checks = read(sources, checker, checkFile);
  if (!checks || checker.readCheckFile(sources, checks->getBuffer()))
    return 2;
  const MemoryBuffer *input = read(sources, checker, inputFile);
  if (!input)
    return 2;
  if (input->getBuffer().trim().empty()) {
    errs() << "FileCheck: error: '" << inputFile << "' is empty\n";
    return 2;
  }
  return checker.checkInput(sources, input->getBuffer()) ? 0 : 1;
}
