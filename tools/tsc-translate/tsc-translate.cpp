//===- tsc-translate.cpp - Archives, source and graphs into each other ----===//
#include "Listing.h"
#include "Options.h"
#include "Progress.h"
#include "tsc/Engine/Program.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Serialization/Archive.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Serialization/PythonPrinter.h"
#include "tsc/Serialization/Zip.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/MappedFile.h"
#include "tsc/Support/MemoryErrors.h"
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

/// What is only looked at is loaded without what would run.
bool isListed(const Options &options) {
  return options.diff || options.form == Form::Listing || options.form == Form::Json;
}

/// `missing`, where it is given, hears what an archive names and this build lacks: a listing has a place for it.
EngineOptions engineOptions(const Options &options, std::vector<std::string> *missing) {
  EngineOptions asked;
  asked.optimization = 0;
  asked.plans = CompileMode::Off;
  asked.allowSetState = options.allowSetState;
  asked.archiveDevice = options.device;
  asked.skipSetState = isListed(options);
  asked.loadingOut = &llvm::errs();
  asked.allowFiles = true; // of the user's own source, which may save what it makes
  asked.onDiagnostic = [missing](const Diagnostic &diagnostic) {
    const llvm::StringRef kind = diagnostic.kind ? diagnostic.kind->name : "";
    if (missing && (kind == "MissingOperator" || kind == "MissingClass"))
      missing->push_back(diagnostic.message);
    else
      diagnostic.print(llvm::errs());
  };
  return asked;
}

Status write(const Options &options, llvm::StringRef bytes) {
  if (!options.output.empty())
    return replaceFile(options.output, bytes);
  llvm::outs() << bytes;
  return okStatus();
}

using NamedFiles = std::vector<std::pair<std::string, std::string>>;

/// What an archive holds below extra/.
StatusOr<NamedFiles> readExtraFiles(const std::string &path) {
  TSC_ASSIGN_OR_RETURN(Ref<MappedFile> file, MappedFile::open(path));
  llvm::StringRef bytes = file->bytes();
  TSC_ASSIGN_OR_RETURN(ZipReader zip, ZipReader::open(Bytes{bytes, std::move(file)}));
  NamedFiles files;
  for (const std::string &name : zip.names()) {
    llvm::StringRef rest = llvm::StringRef(name).split('/').second;
    if (!rest.consume_front("extra/") || rest.empty())
      continue;
    TSC_ASSIGN_OR_RETURN(Bytes contents, zip.read(name));
    files.emplace_back(rest.str(), contents.data.str());
  }
  return files;
}

/// The extra files of the program, with those that the command line names in their places.
StatusOr<NamedFiles> extraFiles(const Options &options) {
  NamedFiles files;
  if (!llvm::StringRef(options.input).ends_with(".py") && !llvm::StringRef(options.input).ends_with(".ir")) {
    TSC_ASSIGN_OR_RETURN(files, readExtraFiles(options.input));
  }
  for (const auto &[name, contents] : options.extraFiles) {
    auto known = llvm::find_if(files, [&, &name = name](const auto &file) { return file.first == name; });
    if (known == files.end())
      files.emplace_back(name, contents);
    else
      known->second = contents;
  }
  return files;
}

StatusOr<IValue> moduleOf(Program &program, const Options &options) {
  TSC_ASSIGN_OR_RETURN(IValue module,
                       options.freeze ? program.freezeToSave(options.keep) : program.moduleToSave(options.entry));
  if (options.dtype)
    TSC_RETURN_IF_ERROR(program.convertWeights(module, *options.dtype));
  if (options.optimization)
    TSC_RETURN_IF_ERROR(program.optimizeToSave(module, options.optimization));
  return module;
}

Status writeArchive(Program &program, const IValue &module, const Options &options, Progress &progress) {
  SaveOptions save;
  save.device = options.device;
  save.progress = [&](uint64_t done, uint64_t total) { progress.written(done, total); };
  save.folder = llvm::sys::path::stem(options.output).str();
  TSC_ASSIGN_OR_RETURN(save.extraFiles, extraFiles(options));
  TSC_ASSIGN_OR_RETURN(std::string bytes, program.save(module, std::move(save)));
  return write(options, bytes);
}

Status writePython(Program &program, const IValue &module, const Options &options) {
  TSC_ASSIGN_OR_RETURN(PythonCode code, program.source(module));
  std::string text;
  for (const auto &[name, source] : code.modules)
    text += (text.empty() ? "# " : "\n# ") + name + "\n" + source;
  return write(options, text);
}

/// The graphs of all methods, by the names of the methods.
Status writeGraphs(const IValue &module, const Options &options) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (Function *method : module.toObject().type->methods()) {
    if (failed(method->ensureDefined()) || !method->graph())
      return invalidArgument("'" + method->qualifiedName() + "' does not compile");
    std::unique_ptr<Graph> graph = method->graph()->clone();
    graph->setName(method->name());
    graph->print(out, /*withRanges=*/false);
  }
  return write(options, text);
}

Listing list(Program &program, const IValue &module, std::vector<std::string> missing) {
  Listing listing = listModule(module);
  listing.archiveVersion = program.formatVersion();
  listing.extraFiles = program.extraFileNames().vec();
  for (auto [method, count] : program.stateMethods())
    addStateMethod(listing, *method, count);
  if (program.module()) {
    const Program::Writes writes = program.writes();
    listing.writesState = writes.state;
    listing.writesArguments = writes.arguments;
  }
  listing.missing = std::move(missing);
  return listing;
}

Status translateProgram(const Options &options) {
  Progress progress(options.progress);
  progress.step("reading");
  std::vector<std::string> missing;
  TSC_ASSIGN_OR_RETURN(Program program,
                       Program::load(options.input, engineOptions(options, isListed(options) ? &missing : nullptr)));
  progress.step("compiling");
  TSC_ASSIGN_OR_RETURN(IValue module, moduleOf(program, options));
  progress.step("writing");
  switch (*options.form) {
  case Form::Archive: return writeArchive(program, module, options, progress);
  case Form::Python: return writePython(program, module, options);
  case Form::IR: return writeGraphs(module, options);
  case Form::Listing: printListing(list(program, module, std::move(missing)), llvm::outs()); return okStatus();
  case Form::Json: printJson(list(program, module, std::move(missing)), llvm::outs()); return okStatus();
  }
  return okStatus();
}

StatusOr<Listing> listFile(const std::string &path, const Options &options) {
  std::vector<std::string> missing;
  TSC_ASSIGN_OR_RETURN(Program program, Program::load(path, engineOptions(options, &missing)));
  TSC_ASSIGN_OR_RETURN(IValue module, program.moduleToSave());
  return list(program, module, std::move(missing));
}

StatusOr<bool> compare(const Options &options) {
  TSC_ASSIGN_OR_RETURN(Listing first, listFile(options.diff->first, options));
  TSC_ASSIGN_OR_RETURN(Listing second, listFile(options.diff->second, options));
  return printDifference(first, second, llvm::outs());
}
} // namespace

static int runMain(int argc, char **argv) {
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
    llvm::outs() << "tsc-translate (tsc) " TSC_VERSION "\n";
    return Done;
  }
  if (options->diff) {
    StatusOr<bool> differs = compare(*options);
    return !differs.ok() ? report(differs.status()) : *differs ? Different : Done;
  }
  Status status = translateProgram(*options);
  return status.ok() ? Done : report(status);
}

int main(int argc, char **argv) {
  return runTool("tsc-translate", BadInput, [&] { return runMain(argc, argv); });
}
