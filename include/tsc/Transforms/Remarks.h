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

/// Receives remarks and hands those that were asked for to a DiagnosticEngine. Silent when default-constructed.
class Remarks {
public:
  Remarks();
  ~Remarks();
  Remarks(Remarks &&) = delete;
  /// Regular expressions that the names of passes must match; an empty one matches none. InvalidArgument when one is
  /// malformed.
  Status enable(llvm::StringRef donePasses, llvm::StringRef missedPasses);
  /// Where remarks go; null for nowhere.
  void setEngine(DiagnosticEngine *diags) { engine = diags; }
  /// The pass that speaks now.
  void setPass(llvm::StringRef name);

  /// An optimization that was made: `what` completes the sentence that begins with the node ("inlined into 'forward'").
  void done(const Node &node, const llvm::Twine &what) const {
    if (showsDone)
      emit(node, what, Outcome::Done);
  }
  /// One that was not made, and why.
  void missed(const Node &node, const llvm::Twine &what) const {
    if (showsMissed)
      emit(node, what, Outcome::Missed);
  }
  /// For texts that cost something to make.
  bool wantsDone() const { return showsDone; }
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
