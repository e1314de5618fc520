//===- LineEditor.h - Lines that somebody types -----------------*- C++ -*-===//
#ifndef TSC_TOOLS_TSCRUN_LINEEDITOR_H
#define TSC_TOOLS_TSCRUN_LINEEDITOR_H

#include "llvm/ADT/StringRef.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tsc::run {

/// Reads lines: from a terminal with editing, history and completion by libedit where it is installed, else plainly.
/// libedit is opened when it is wanted, so that other runs neither need it nor wait for it.
class LineEditor {
public:
  /// What a line can go on with at its end, each as the whole word that `begin` is the start of.
  using Complete = std::function<std::vector<std::string>(llvm::StringRef line, size_t &begin)>;
  explicit LineEditor(Complete complete);
  ~LineEditor();
  LineEditor(const LineEditor &) = delete;

  /// A line without its end. Nothing at the end of the input; an interrupted line is empty, and `wasInterrupted` says
  /// so.
  std::optional<std::string> read(const char *prompt, bool &wasInterrupted);
  bool isInteractive() const { return isTerminal; }

private:
  bool openLibrary();
  std::optional<std::string> readPlainly();
  const bool isTerminal;
  bool hasLibrary = false;
  std::string historyPath;
};

/// For the handler of SIGINT: the line that is read ends, and isInterrupted() holds until the next is read.
void interruptLine();
bool isInterrupted();

} // namespace tsc::run

#endif
