//===- tsc-translate.cpp - Archives, source and graphs into each other ----===//
#include "Options.h"
#include "tsc/Engine/Program.h"
#include "tsc/IR/Graph.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Serialization/PythonPrinter.h"
#include "tsc/Serialization/Zip.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/MappedFile.h"
#include "tsc/Support/ReplaceFile.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using namespace tsc::translate;

namespace {
enum ExitCode { Done = 0, Different = 1, BadInput = 2 };

int report(const Status &status) {
  if (!wasDiagnosed(status)) // else it was printed
    llvm::errs() << "tsc-translate: error: " << messageOf(status).rtrim() << '\n';
  return BadInput;
}

EngineOptions engineOptions(const Options &options) {
  EngineOptions asked;
  asked.optimization = 0;
  asked.plans = CompileMode::Off;
  asked.allowSetState = options.allowSetState;
  asked.loadingOut = &llvm::errs();
  asked.onDiagnostic = [](const Diagnostic &diagnostic) { diagnostic.print(llvm::errs()); };
  return asked;
}

Status write(const Options &options, llvm::StringRef bytes) {
  if (!options.output.empty())
    return replaceFile(options.output, bytes);
  llvm::outs() << bytes;
  return okStatus();
}

Status writeArchive(Program &program, const Options &options) {
  SaveOptions save;
  save.folder = llvm::sys::path::stem(options.output).str();
  save.extraFiles = options.extraFiles;
  TSC_ASSIGN_OR_RETURN(std::string bytes, program.save(std::move(save), options.entry));
  return write(options, bytes);
}

Status writePython(Program &program, const Options &options) {
  TSC_ASSIGN_OR_RETURN(PythonCode code, program.source(options.entry));
  std::string text;
  for (const auto &[module, source] : code.modules)
    text += "# " + module + "\n" + source + "\n";
  return write(options, text);
}

Status translateProgram(const Options &options) {
  TSC_ASSIGN_OR_RETURN(Program program, Program::load(options.input, engineOptions(options)));
  switch (*options.form) {
  case Form::Archive: return writeArchive(program, options);
  case Form::Python: return writePython(program, options);
  default: return unimplemented("this form");
  }
}
} // namespace

int main(int argc, char **argv) {
  StatusOr<Options> options = parseOptions(argc, argv);
  if (!options.ok()) {
    report(options.status());
    llvm::errs() << "(tsc-translate --help lists the options)\n";
    return BadInput;
  }
  if (options->help) {
    printHelp(llvm::outs());
    return Done;
  }
  if (options->version) {
    llvm::outs() << "tsc-translate " TSC_VERSION "\n";
    return Done;
  }
  Status status = translateProgram(*options);
  return status.ok() ? Done : report(status);
}
