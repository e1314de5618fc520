//===- Errors.cpp - Failures as exceptions of Python's --------------------===//
//
// The classes stand in tsc/_errors.py, which makes the exceptions from what is said here.
//
//===----------------------------------------------------------------------===//
#include "Errors.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using namespace tsc::bindings;

static nb::object errorsModule() { return owned(PyImport_ImportModule("tsc._errors")); }

[[noreturn]] static void raiseObject(nb::handle exception) {
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(exception.ptr())), exception.ptr());
  raiseCurrent();
}

static const char *nameOf(QuotaKind kind) {
  switch (kind) {
  case QuotaKind::Steps: return "steps";
  case QuotaKind::Depth: return "depth";
  case QuotaKind::Memory: return "memory";
  case QuotaKind::Output: return "output";
  }
  return "";
}

/// The message without the call stack, as Python shows an exception: "ValueError: …".
static std::string summaryOf(const Status &status) {
  const std::string text = errorOf(status);
  llvm::StringRef rest = text;
  (void)rest.consume_front("builtins.");
  return rest.str();
}

/// Returns the class of the exception that stands for a failure: that which a program raised, or one for the code.
static nb::object classFor(const Status &status) {
  const nb::object errors = errorsModule();
  auto named = [&](std::string_view name) { return errors.attr("class_named")(makeStr(name)); };
  if (exceededQuota(status))
    return errors.attr("QuotaError");
  if (status.code() == StatusCode::Cancelled)
    return errors.attr("Cancelled");
  if (auto name = exceptionClass(status))
    return named(*name);
  switch (status.code()) {
  case StatusCode::ResourceExhausted: return named("builtins." + exceptionOf(status).name);
  case StatusCode::OutOfRange: return named("builtins.IndexError");
  case StatusCode::PermissionDenied: return errors.attr("NotAllowed");
  case StatusCode::Unimplemented: return nb::borrow(PyExc_NotImplementedError);
  default: return errors.attr("Error");
  }
}

void bindings::raiseIfError(const Status &status) {
  if (status.ok()) [[likely]]
    return;
  std::string message = messageOf(status).str();
  if (status.code() == StatusCode::ResourceExhausted && message.empty()) {
    PyErr_NoMemory();
    raiseCurrent();
  }
  nb::object quota = nb::none();
  if (auto kind = exceededQuota(status))
    quota = nb::str(nameOf(*kind));
  raiseObject(errorsModule().attr("of_status")(classFor(status), quota, makeStr(message), makeStr(summaryOf(status))));
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

/// The number of a character in a line, counted from 1, for a byte.
static unsigned characterAt(llvm::StringRef line, size_t byte) {
  unsigned count = 1;
  for (char c : line.take_front(byte))
    count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

/// Returns the lines around a range as PyTorch's messages show them: up to three before and behind it, and under the
/// first line of the range its marker.
static std::string excerptOf(const SourceBuffer &buffer, SourceRange range) {
  constexpr unsigned context = 3;
  const LineColumn at = range.lineColumn();
  const llvm::StringRef line = buffer.line(at.line);
  const size_t length =
      std::min<size_t>(range.end() - range.begin(), line.size() - std::min(line.size(), size_t{at.column}));
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "  File \"" << buffer.name() << "\", line " << at.line << '\n';
  unsigned number = at.line > context ? at.line - context : 1;
  while (number != at.line && buffer.line(number).trim().empty()) // before a definition of Python's there are no others
    ++number;
  for (; number <= at.line + context; ++number) {
    const llvm::StringRef shown = buffer.line(number);
    if (number <= at.line || !shown.trim().empty())
      os << shown << '\n';
    if (number == at.line)
      os.indent(at.column) << std::string(std::max<size_t>(length, 1), '~') << " <--- HERE\n";
  }
  return text;
}

KeptDiagnostic KeptDiagnostic::of(const Diagnostic &diagnostic) {
  KeptDiagnostic kept;
  kept.severity = diagnostic.severity;
  kept.message = diagnostic.message;
  if (const SourceBuffer *buffer = diagnostic.range.buffer()) {
    kept.file = buffer->name().str();
    const LineColumn at = diagnostic.range.lineColumn();
    kept.line = at.line;
    if (buffer->hasText()) {
      llvm::StringRef line = buffer->line(at.line);
      kept.text = line.str();
      kept.column = characterAt(line, at.column);
      const size_t length = diagnostic.range.end() - diagnostic.range.begin();
      kept.endColumn = characterAt(line, std::min<size_t>(line.size(), at.column + length));
      kept.excerpt = excerptOf(*buffer, diagnostic.range);
    } else {
      kept.column = at.column + 1;
    }
  }
  if (!diagnostic.fixIt.empty())
    kept.notes.push_back("hint: " + diagnostic.fixIt);
  for (const Diagnostic &note : diagnostic.notes)
    kept.notes.push_back(llvm::StringRef(note.str()).rtrim().str());
  return kept;
}

/// Who called the function that an error is in; it stands below the lines around the error, as PyTorch shows it.
static void appendCaller(KeptDiagnostic &error, const Diagnostic &note) {
  if (const SourceBuffer *buffer = note.range.buffer(); buffer && buffer->hasText())
    error.excerpt += "\n" + note.message + "\n" + excerptOf(*buffer, note.range);
}

void DiagnosticList::add(const Diagnostic &diagnostic) {
  if (diagnostic.severity == Severity::Note) {
    std::lock_guard lock(mutex);
    if (!kept.empty() && kept.back().severity == Severity::Error)
      appendCaller(kept.back(), diagnostic);
    return;
  }
  if (diagnostic.severity != Severity::Error && diagnostic.severity != Severity::Warning)
    return;
  std::lock_guard lock(mutex);
  kept.push_back(KeptDiagnostic::of(diagnostic));
}

std::vector<KeptDiagnostic> DiagnosticList::take() {
  std::lock_guard lock(mutex);
  return std::exchange(kept, {});
}

/// What tsc/_errors.py takes for one diagnostic.
static nb::object partsOf(const KeptDiagnostic &one) {
  nb::list notes;
  for (const std::string &note : one.notes)
    notes.append(makeStr(note));
  return nb::make_tuple(makeStr(one.message), makeStr(one.file), one.line, one.column, one.endColumn, makeStr(one.text),
                        notes, makeStr(one.excerpt));
}

void DiagnosticList::raiseErrors() {
  std::vector<KeptDiagnostic> all = take();
  nb::list errors;
  for (const KeptDiagnostic &one : all)
    if (one.severity == Severity::Error)
      errors.append(partsOf(one));
  if (NB_LIST_GET_SIZE(errors.ptr()) != 0)
    raiseObject(errorsModule().attr("of_diagnostics")(errors));
}

void DiagnosticList::warn() {
  for (const KeptDiagnostic &one : take()) {
    if (one.severity != Severity::Warning)
      continue;
    const std::string file = one.file.empty() ? "<torchscript>" : one.file;
    if (PyErr_WarnExplicit(PyExc_SyntaxWarning, one.message.c_str(), file.c_str(), static_cast<int>(one.line), nullptr,
                           nullptr) != 0)
      raiseCurrent();
  }
}
