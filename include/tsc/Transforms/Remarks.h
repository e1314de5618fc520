//===- Remarks.h - What passes tell the user of their work ------*- C++ -*-===//
//
//   analyses.remarks().done(node, "hoisted out of the loop");
//   analyses.remarks().missed(node, "not hoisted: '" + name + "' is written in the loop");
//
// Shown at the source line of the node, for the passes that -pass-remarks and
// -pass-remarks-missed name.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TRANSFORMS_REMARKS_H
#define TSC_TRANSFORMS_REMARKS_H

#include "tsc/Support/Source.h"
#include "tsc/Support/Status.h"
#include "llvm/ADT/Twine.h"
#include <memory>

namespace tsc {

class DiagnosticEngine;
class Node;

/// Receives what passes say of their work and hands what was asked for to a DiagnosticEngine. A default-constructed one
/// hands on nothing.
class Remarks {
public:
  Remarks();
  ~Remarks();
  Remarks(Remarks &&) = delete;
  /// Selects the passes whose remarks are shown, by regular expressions that match their names; an empty one matches
  /// none. Returns InvalidArgument when one is malformed.
  Status enable(llvm::StringRef donePasses, llvm::StringRef missedPasses);
  /// Sets where remarks go; null for nowhere. Takes effect with the next setPass().
  void setEngine(DiagnosticEngine *diags) { engine = diags; }
  /// Sets the pass that the remarks from now on come from.
  void setPass(llvm::StringRef name);

  /// Reports an optimization that was made. `what` completes the sentence that begins with the node: "inlined into
  /// 'forward'".
  void done(const Node &node, const llvm::Twine &what) const {
    if (showsDone)
      emit(node, what, Outcome::Done);
  }
  /// Reports an optimization that was not made, and why.
  void missed(const Node &node, const llvm::Twine &what) const {
    if (showsMissed)
      emit(node, what, Outcome::Missed);
  }
  /// Whether done() shows anything now, for texts that take time to make.
  bool wantsDone() const { return showsDone; }
  /// Whether missed() shows anything now.
  bool wantsMissed() const { return showsMissed; }

private:
  enum class Outcome { Done, Missed };
  void emit(const Node &node, const llvm::Twine &what, Outcome outcome) const;
  struct Filters;
  std::unique_ptr<Filters> filters;
  DiagnosticEngine *engine = nullptr;
  std::string pass;
  bool showsDone = false, showsMissed = false;
};

} // namespace tsc

#endif
