//===- tsc-lsp.cpp - TorchScript in editors -------------------------------===//
#include "tsc/LanguageServer/Server.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Support/SimdLevel.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <unistd.h>

using namespace tsc;

static constexpr char help[] =
    "usage: tsc-lsp [--stdio]\n\n"
    "A language server for TorchScript: editors start it and talk to it over standard input and output.\n"
    "The page LanguageServer of the documentation says how VS Code, Neovim and Emacs are told to.\n\n"
    "  --stdio      talk over standard input and output, which it does anyway\n"
    "  --help       print this\n"
    "  --version    print the version\n";

static size_t readInput(char *buffer, size_t size) {
  ssize_t count;
  do
    count = read(STDIN_FILENO, buffer, size);
  while (count < 0 && errno == EINTR);
  return count < 0 ? 0 : static_cast<size_t>(count);
}

static int runMain(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef option = argv[i];
    if (option == "--help" || option == "-h") {
      llvm::outs() << help;
      return 0;
    }
    if (option == "--version") {
      llvm::outs() << "tsc-lsp (tsc) " TSC_VERSION "\n";
      return 0;
    }
    if (option != "--stdio" && !option.starts_with("--clientProcessId=")) {
      llvm::errs() << "tsc-lsp: error: unknown option '" << option << "'\n(tsc-lsp --help lists the options)\n";
      return 2;
    }
  }
  if (const Status &status = simdStatus(); !status.ok()) {
    llvm::errs() << "tsc-lsp: error: " << messageOf(status) << '\n';
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN); // an editor that is gone is the end of the input
  lsp::Server server(readInput, llvm::outs(), TSC_VERSION);
  const int status = server.run();
  if (llvm::outs().has_error())
    llvm::outs().clear_error();
  return status;
}

int main(int argc, char **argv) {
  return runTool("tsc-lsp", 1, [&] { return runMain(argc, argv); });
}
