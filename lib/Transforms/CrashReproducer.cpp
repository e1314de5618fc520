//===- CrashReproducer.cpp - A file that repeats a failure ----------------===//
#include "tsc/Transforms/CrashReproducer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Signals.h"
#include <atomic>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
using namespace tsc;

static constexpr llvm::StringLiteral prefix = "# tsc-opt ";

std::string ReproducerOptions::firstLine() const {
  std::string line = prefix.str() + "-passes='" + passes + "'";
  if (verifyEach)
    line += " -verify-each";
  if (validationRuns)
    line += " -validate=" + std::to_string(validationRuns);
  return line;
}

std::optional<ReproducerOptions> ReproducerOptions::read(llvm::StringRef text) {
  llvm::StringRef line = text.take_until([](char c) { return c == '\n'; });
  if (!line.consume_front(prefix))
    return std::nullopt;
  ReproducerOptions options;
  if (!line.consume_front("-passes='") || !line.contains('\''))
    return std::nullopt;
  auto [passes, flags] = line.split('\'');
  options.passes = passes.str();
  for (llvm::StringRef flag : llvm::split(flags.trim(), ' ')) {
    if (flag == "-verify-each")
      options.verifyEach = true;
    else if (!flag.empty() && (!flag.consume_front("-validate=") || flag.getAsInteger(10, options.validationRuns)))
      return std::nullopt;
  }
  return options;
}

//===----------------------------------------------------------------------===//
// Writing, also from a signal handler
//===----------------------------------------------------------------------===//

// A signal handler has nothing but globals to find its object by.
static std::atomic<const CrashReproducer *> living{nullptr};

static bool writeAll(int descriptor, const char *data, size_t size) {
  while (size) {
    ssize_t written = ::write(descriptor, data, size);
    if (written <= 0)
      return false;
    data += written;
    size -= written;
  }
  return true;
}
static bool writeAll(int descriptor, const char *text) { return writeAll(descriptor, text, std::strlen(text)); }

/// Opens the file as empty. Its name is known beforehand: where others can write to the folder, as in /tmp, they may
/// put something there: a link to a file which only the user could change, a pipe at which the open would wait, or a
/// file of their own. Only what the user's or root's link leads to is taken as it is.
static int openForWriting(const char *file) {
  struct stat status;
  const bool isLink = ::lstat(file, &status) == 0 && S_ISLNK(status.st_mode);
  const bool isTrusted = isLink && (status.st_uid == geteuid() || status.st_uid == 0); // root's: /dev/stdout
  const int follows = isTrusted ? 0 : O_NOFOLLOW;
  const int descriptor = ::open(file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | follows, 0666);
  if (descriptor < 0)
    return -1;
  const bool isKnown = ::fstat(descriptor, &status) == 0, isRegular = isKnown && S_ISREG(status.st_mode);
  const bool isOwn = isRegular && status.st_uid == geteuid() && status.st_nlink == 1;
  if ((isTrusted || isOwn) && (!isRegular || ::ftruncate(descriptor, 0) == 0) &&
      ::fcntl(descriptor, F_SETFL, 0) == 0) // writes may wait for who reads
    return descriptor;
  ::close(descriptor);
  return -1;
}

bool CrashReproducer::write() const {
  int descriptor = openForWriting(file.c_str());
  if (descriptor < 0)
    return false;
  bool complete = writeAll(descriptor, text.data(), text.size());
  return ::close(descriptor) == 0 && complete;
}

static void writeOnCrash(void *) {
  if (const CrashReproducer *reproducer = living.exchange(nullptr))
    reproducer->reportCrash();
}

void CrashReproducer::reportCrash() const {
  const int err = 2;
  writeAll(err, "tsc-opt crashed");
  if (pass) {
    writeAll(err, " in pass '");
    writeAll(err, pass);
    writeAll(err, "'");
  }
  if (write()) {
    writeAll(err, "; repeat it with: tsc-opt -run-reproducer ");
    writeAll(err, file.c_str());
  }
  writeAll(err, "\n");
}

CrashReproducer::CrashReproducer(std::string path, const ReproducerOptions &options, llvm::StringRef input)
    : file(std::move(path)), text(options.firstLine() + "\n" + input.ltrim("\n").str()) {
  static const bool handlerAdded = (llvm::sys::AddSignalHandler(writeOnCrash, nullptr), true);
  (void)handlerAdded;
  living = this;
}

CrashReproducer::~CrashReproducer() {
  const CrashReproducer *self = this;
  living.compare_exchange_strong(self, nullptr);
}
