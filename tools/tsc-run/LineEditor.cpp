//===- LineEditor.cpp - Lines that somebody types -------------------------===//
//
// libedit's interface, as its documentation gives it: readline() and the
// functions and variables beside it.
//
//===----------------------------------------------------------------------===//
#include "LineEditor.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <termios.h>
#include <unistd.h>

using namespace tsc::run;

static volatile sig_atomic_t interrupted;

namespace {
/// What is taken from libedit.
struct Library {
  char *(*readline)(const char *prompt);
  int (*addHistory)(const char *line);
  int (*readHistory)(const char *path);
  int (*writeHistory)(const char *path);
  int (*stifleHistory)(int size);
  char **(*completionMatches)(const char *text, char *(*next)(const char *text, int state));
  char **(**attemptedCompletion)(const char *text, int begin, int end);
  int *attemptedCompletionOver, *appendCharacter;
  char **lineBuffer;
} library;

/// Signals again and again from an interrupt to the end of the line. An interrupt that came just before read() would
/// be forgotten by it, and libedit takes up a read() again that was broken off once.
class Alarm {
public:
  Alarm() {
    struct sigaction action = {};
    action.sa_handler = [](int) {}; // without SA_RESTART: read() ends
    sigaction(SIGALRM, &action, &before);
    struct sigevent event = {};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGALRM;
    isThere = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
  }
  ~Alarm() {
    if (isThere)
      timer_delete(timer);
    sigaction(SIGALRM, &before, nullptr);
  }
  Alarm(const Alarm &) = delete;
  Alarm &operator=(const Alarm &) = delete;

  /// May be called in a handler of signals.
  void start() {
    constexpr timespec period = {0, 20'000'000};
    const itimerspec times = {period, period};
    if (isThere)
      timer_settime(timer, 0, &times, nullptr);
  }

private:
  timer_t timer;
  struct sigaction before;
  bool isThere;
};
Alarm *volatile alarmOfLine; ///< While a line is read.

LineEditor::Complete completer;
std::vector<std::string> candidates; ///< Of the completion under way.
constexpr int maxHistory = 2000;

/// A terminal makes a null character of Ctrl-D that is typed before libedit takes its mode over, as between two lines:
/// here Ctrl-D is a key as any other, which libedit takes for the end.
class TerminalMode {
public:
  TerminalMode() : isSaved(tcgetattr(STDIN_FILENO, &before) == 0) {
    termios mode = before;
    mode.c_cc[VEOF] = _POSIX_VDISABLE;
    if (isSaved)
      tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
  }
  ~TerminalMode() {
    if (isSaved)
      tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
  }
  TerminalMode(const TerminalMode &) = delete;
  TerminalMode &operator=(const TerminalMode &) = delete;

private:
  termios before = {};
  bool isSaved;
};
std::optional<TerminalMode> terminalMode;

char *nextCandidate(const char *text, int state) {
  static size_t at;
  at = state == 0 ? 0 : at;
  return at < candidates.size() ? strdup(candidates[at++].c_str()) : nullptr;
}

/// libedit cuts words at more characters than names end at: what it takes for the word begins at `begin`.
char **completeWord(const char *text, int begin, int end) {
  *library.attemptedCompletionOver = 1; // no names of files
  *library.appendCharacter = 0;
  llvm::StringRef line(*library.lineBuffer);
  size_t from = 0;
  candidates = completer(line.take_front(static_cast<size_t>(end)), from);
  const auto word = static_cast<size_t>(begin);
  for (std::string &candidate : candidates) {
    if (from < word)
      candidate.erase(0, std::min(word - from, candidate.size()));
    else
      candidate.insert(0, line.slice(word, from).str());
  }
  return candidates.empty() ? nullptr : library.completionMatches(text, nextCandidate);
}
} // namespace

void tsc::run::interruptLine() {
  interrupted = 1;
  if (Alarm *alarm = alarmOfLine)
    alarm->start();
}

bool tsc::run::isInterrupted() { return interrupted != 0; }

LineEditor::LineEditor(Complete complete) : isTerminal(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
  completer = std::move(complete);
  hasLibrary = isTerminal && openLibrary();
  if (!hasLibrary)
    return;
  terminalMode.emplace();
  library.stifleHistory(maxHistory);
  if (const char *home = getenv("HOME")) {
    llvm::SmallString<128> path;
    if (const char *state = getenv("XDG_STATE_HOME"))
      path = state;
    else
      llvm::sys::path::append(path, home, ".local", "state");
    if (!llvm::sys::fs::create_directories(path)) {
      llvm::sys::path::append(path, "tsc_history");
      historyPath = path.str().str();
      library.readHistory(historyPath.c_str());
    }
  }
}

LineEditor::~LineEditor() {
  if (!historyPath.empty())
    library.writeHistory(historyPath.c_str());
  completer = nullptr;
  terminalMode.reset();
}

bool LineEditor::openLibrary() {
  void *handle = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return false;
  bool isWhole = true;
  auto find = [&](auto &entry, const char *name) {
    void *found = dlsym(handle, name);
    isWhole &= found != nullptr;
    std::memcpy(&entry, &found, sizeof found);
  };
  find(library.readline, "readline");
  find(library.addHistory, "add_history");
  find(library.readHistory, "read_history");
  find(library.writeHistory, "write_history");
  find(library.stifleHistory, "stifle_history");
  find(library.completionMatches, "rl_completion_matches");
  find(library.attemptedCompletion, "rl_attempted_completion_function");
  find(library.attemptedCompletionOver, "rl_attempted_completion_over");
  find(library.appendCharacter, "rl_completion_append_character");
  find(library.lineBuffer, "rl_line_buffer");
  if (!isWhole)
    return false;
  *library.attemptedCompletion = completeWord;
  return true;
}

std::optional<std::string> LineEditor::readPlainly() {
  static std::string pending; // read and not given yet
  while (true) {
    if (size_t end = pending.find('\n'); end != std::string::npos) {
      std::string line = pending.substr(0, end);
      pending.erase(0, end + 1);
      return line;
    }
    char buffer[4096];
    const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) {
      if (interrupted)
        return std::string();
      continue;
    }
    if (count <= 0) {
      if (pending.empty())
        return std::nullopt;
      return std::exchange(pending, std::string());
    }
    pending.append(buffer, static_cast<size_t>(count));
  }
}

std::optional<std::string> LineEditor::read(const char *prompt, bool &wasInterrupted) {
  Alarm alarm;
  interrupted = 0;
  alarmOfLine = &alarm;
  llvm::outs().flush();
  std::optional<std::string> line;
  if (hasLibrary) {
    if (char *typed = library.readline(prompt)) {
      line = typed;
      free(typed);
      if (!llvm::StringRef(*line).trim().empty())
        library.addHistory(line->c_str());
    }
  } else {
    if (isTerminal) {
      llvm::outs() << prompt;
      llvm::outs().flush();
    }
    line = readPlainly();
  }
  alarmOfLine = nullptr;
  wasInterrupted = interrupted != 0;
  if (wasInterrupted) {
    llvm::outs() << '\n';
    return std::string();
  }
  return line;
}
