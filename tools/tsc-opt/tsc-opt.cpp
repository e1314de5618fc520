//===- tsc-opt.cpp - Run passes over textual IR ---------------------------===//
#include "tsc/Autodiff/Passes.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/GraphView.h"
#include "tsc/Runtime/KernelEvaluator.h"
#include "tsc/Runtime/Lowering/Lowering.h"
#include "tsc/Runtime/TranslationValidator.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Support/SimdLevel.h"
#include "tsc/Support/Source.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/CrashReproducer.h"
#include "tsc/Transforms/OptDriver.h"
#include "tsc/Transforms/TriggerPasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;
namespace cl = llvm::cl;

namespace {
/// The tool with its command line. Options are made with it, and not before `main`, for programs that have this tool as
/// a part of them.
class OptTool {
public:
  /// Reads the command line and does what it says. Returns the exit code.
  int run(int argc, char **argv);

private:
  /// Returns the name of an option that is about to be made. Where LLVM, which is linked in, has an option of that
  /// name, it loses the name: two of one name end the program.
  static llvm::StringRef take(llvm::StringRef name) {
    if (cl::Option *other = cl::getRegisteredOptions().lookup(name))
      other->removeArgument();
    return name;
  }

  cl::OptionCategory category{"tsc-opt options"};
  cl::opt<std::string> inputFile{cl::Positional, cl::desc("<input .ir; default: standard input>"), cl::init("-"),
                                 cl::cat(category)};
  cl::opt<std::string> outputFile{take("o"), cl::desc("Write the graphs to this file"), cl::value_desc("file"),
                                  cl::init("-"), cl::cat(category)};
  cl::opt<std::string> passes{take("passes"), cl::desc("Pipeline, e.g. 'constprop,cse,dce'"),
                              cl::value_desc("pipeline"), cl::cat(category)};
  cl::opt<bool> verifyEach{take("verify-each"), cl::desc("Verify the graph after every pass"), cl::cat(category)};
  cl::opt<bool> timePasses{take("time-passes"), cl::desc("Report the time each pass took"), cl::cat(category)};
  cl::list<std::string> printBefore{take("print-before"), cl::desc("Print the graph before these passes"),
                                    cl::CommaSeparated, cl::value_desc("pass,..."), cl::cat(category)};
  cl::list<std::string> printAfter{take("print-after"), cl::desc("Print the graph after these passes"),
                                   cl::CommaSeparated, cl::value_desc("pass,..."), cl::cat(category)};
  cl::opt<bool> printBeforeAll{take("print-before-all"), cl::desc("Print the graph before every pass"),
                               cl::cat(category)};
  cl::opt<bool> printAfterAll{take("print-after-all"), cl::desc("Print the graph after every pass"), cl::cat(category)};
  cl::opt<ChangePrinting> printChanged{
      take("print-changed"),
      cl::desc("Print what each pass changed"),
      cl::ValueOptional,
      cl::init(ChangePrinting::None),
      cl::values(clEnumValN(ChangePrinting::Diff, "diff", "as a unified diff (the default)"),
                 clEnumValN(ChangePrinting::Diff, "", ""),
                 clEnumValN(ChangePrinting::Graph, "graph", "as the whole graph")),
      cl::cat(category)};
  cl::opt<int> bisectLimit{take("opt-bisect-limit"), cl::desc("Run at most this many passes"), cl::value_desc("N"),
                           cl::init(-1), cl::cat(category)};
  cl::opt<unsigned> validate{take("validate"),
                             cl::desc("Run each graph before and after each pass on N random inputs, and compare"),
                             cl::value_desc("N"), cl::init(0), cl::cat(category)};
  cl::opt<bool> verbose{take("v"), cl::desc("Also say what -validate could not check, and why"), cl::cat(category)};
  cl::opt<bool> fillConstants{
      take("fill-constants"),
      cl::desc("Give tensor constants whose numbers the text lacks (<Tensor>) some, as -validate does"),
      cl::cat(category)};
  cl::opt<std::string> remarks{take("pass-remarks"), cl::desc("Show what the passes whose names match did"),
                               cl::value_desc("regex"), cl::cat(category)};
  cl::opt<std::string> missedRemarks{take("pass-remarks-missed"),
                                     cl::desc("Show what the passes whose names match did not do, and why"),
                                     cl::value_desc("regex"), cl::cat(category)};
  cl::opt<std::string> reproducer{take("crash-reproducer"),
                                  cl::desc("Where a crash or a broken graph leaves what repeats it (empty: nowhere)"),
                                  cl::value_desc("file"), cl::init("repro.ir"), cl::cat(category)};
  cl::opt<bool> runReproducer{
      take("run-reproducer"),
      cl::desc("Take the pipeline from the first line of the input, as -crash-reproducer wrote it"), cl::cat(category)};
  cl::opt<bool> splitInputFile{take("split-input-file"),
                               cl::desc("Treat the parts between lines '# -----' as files of their own"),
                               cl::cat(category)};
  cl::opt<bool> verifyDiagnostics{
      take("verify-diagnostics"),
      cl::desc("Check that exactly the diagnostics of '# expected-error {{...}}' comments are reported"),
      cl::cat(category)};
  cl::opt<bool> printRanges{take("print-ranges"), cl::desc("Print '# file:line:col' after each node"),
                            cl::cat(category)};
  cl::opt<bool> printRoutine{take("print-routine"),
                             cl::desc("Print what each graph is lowered to for execution, in place of the graph"),
                             cl::cat(category)};
  cl::opt<std::string> logSpec{take("log"), cl::desc("What passes log, as PYTORCH_JIT_LOG_LEVEL: 'cse:>dce'"),
                               cl::value_desc("passes"), cl::cat(category)};
  cl::opt<std::string> optLimits{take("opt-limit"),
                                 cl::desc("Optimizations allowed by pass, as PYTORCH_JIT_OPT_LIMIT: 'cse=3:dce=10'"),
                                 cl::value_desc("limits"), cl::cat(category)};
  cl::opt<int> typeVerbosityOption{take("type-verbosity"), cl::desc("How much of a type is printed, 0 to 3"),
                                   cl::init(-1), cl::cat(category)};
  cl::opt<std::string> simd{take("simd"),
                            cl::desc("Use vector instructions up to this level only; default: TSC_SIMD, or else "
                                     "all that the machine has"),
                            cl::value_desc("v2|v3|v4|neon"), cl::cat(category)};
  cl::opt<std::string> view{take("view"), cl::desc("Also draw the graphs into this file (.svg, or .dot for Graphviz)"),
                            cl::value_desc("file"), cl::cat(category)};

  bool takeReproducersOptions(const SourceBuffer &buffer, OptDriverOptions &options);
  bool draw(llvm::ArrayRef<std::unique_ptr<Graph>> graphs);
  bool checkOptions(const PassRegistry &registry);
  void applyGlobalOptions();
  OptDriverOptions driverOptions();
  int runOver(const SourceBuffer &buffer, const OptDriverOptions &options, const PassRegistry &registry,
              llvm::raw_ostream &os);
  int cannotWrite(const std::error_code &error);
};
} // namespace

static std::vector<std::string> namesOf(const cl::list<std::string> &list, bool all) {
  return all ? std::vector<std::string>{"*"} : std::vector<std::string>(list.begin(), list.end());
}

bool OptTool::takeReproducersOptions(const SourceBuffer &buffer, OptDriverOptions &options) {
  auto written = ReproducerOptions::read(buffer.text());
  if (!written) {
    llvm::errs() << "tsc-opt: '" << buffer.name()
                 << "' does not begin with the line of a reproducer (# tsc-opt -passes='…')\n";
    return false;
  }
  options.passes = written->passes;
  options.instrumentation.verifyEach |= written->verifyEach;
  options.validationRuns = std::max(options.validationRuns, written->validationRuns);
  return true;
}

/// Writes a picture, in the language that the file's name asks for. False, with a message, if it cannot be written.
bool OptTool::draw(llvm::ArrayRef<std::unique_ptr<Graph>> graphs) {
  std::error_code error;
  llvm::raw_fd_ostream os(view, error, llvm::sys::fs::OF_Text);
  if (error) {
    llvm::errs() << "tsc-opt: cannot write '" << view << "': " << error.message() << "\n";
    return false;
  }
  llvm::StringRef(view).ends_with(".dot") ? writeDot(os, graphs) : writeSvg(os, graphs);
  return true;
}

static bool refuse(const llvm::Twine &message) {
  llvm::errs() << "tsc-opt: " << message << "\n";
  return false;
}

/// -opt-limit: `name=number`, parted by colons.
static bool areLimits(llvm::StringRef text) {
  return llvm::all_of(llvm::split(text, ':'), [](llvm::StringRef limit) {
    auto [name, number] = limit.split('=');
    unsigned value;
    return !name.empty() && !number.getAsInteger(10, value);
  });
}

/// Whether the options say something: what would be ignored silently is refused.
bool OptTool::checkOptions(const PassRegistry &registry) {
  for (const auto &[option, names] : {std::pair("-print-before", &printBefore), std::pair("-print-after", &printAfter)})
    for (const std::string &name : *names)
      if (!registry.find(name))
        return refuse(llvm::Twine(option) + ": there is no pass '" + name + "'");
  if (passes.getNumOccurrences() > 1)
    return refuse("-passes is given more than once; separate passes by commas");
  if (bisectLimit < -1)
    return refuse("-opt-bisect-limit takes a number of passes, or -1 for all");
  if (typeVerbosityOption.getNumOccurrences() && (typeVerbosityOption < 0 || typeVerbosityOption > 3))
    return refuse("-type-verbosity takes a number from 0 to 3");
  if (!optLimits.empty() && !areLimits(optLimits))
    return refuse("-opt-limit takes limits as in 'cse=3:dce=10'");
  llvm::StringRef picture = view;
  if (!picture.empty() && !picture.ends_with(".svg") && !picture.ends_with(".dot"))
    return refuse("-view writes .svg or .dot, but the file is named '" + picture + "'");
  return true;
}

/// Lines `  name   what it does [PyTorch's name]`, the texts in one column.
template <typename Info> static void listNames(llvm::raw_ostream &os, llvm::ArrayRef<Info> infos) {
  size_t width = 0;
  for (const Info &info : infos)
    width = std::max<size_t>(width, info.name.size());
  for (const Info &info : infos) {
    os << "  " << llvm::left_justify(info.name, width + 2) << info.description;
    if (!info.pytorchName.empty() && info.pytorchName != info.name)
      os << " [" << info.pytorchName << "]";
    os << "\n";
  }
}

/// The head of -help.
static std::string overview(const PassRegistry &registry) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "tsc-opt: reads graphs as PyTorch prints them, runs passes, prints the graphs\n\nPasses:\n";
  listNames(os, registry.all());
  os << "\nPipelines, which stand where a pass may:\n";
  listNames(os, registry.pipelines());
  return text;
}

/// What holds for the whole process.
void OptTool::applyGlobalOptions() {
  if (!logSpec.empty())
    setLogSpec(logSpec);
  if (!optLimits.empty())
    setOptimizationLimits(optLimits);
  if (typeVerbosityOption >= 0)
    setTypeVerbosity(typeVerbosityOption);
}

OptDriverOptions OptTool::driverOptions() {
  OptDriverOptions options;
  options.passes = passes;
  options.splitInputFile = splitInputFile;
  options.verifyDiagnostics = verifyDiagnostics;
  options.printRanges = printRanges;
  options.validationRuns = validate;
  options.fillConstants = fillConstants;
  if (!runReproducer)
    options.reproducer = reproducer;
  options.instrumentation = {verifyEach,
                             timePasses,
                             namesOf(printBefore, printBeforeAll),
                             namesOf(printAfter, printAfterAll),
                             printChanged,
                             bisectLimit,
                             remarks,
                             missedRemarks,
                             verbose};
  return options;
}

/// Runs the driver over `buffer`; the exit code.
int OptTool::runOver(const SourceBuffer &buffer, const OptDriverOptions &options, const PassRegistry &registry,
                     llvm::raw_ostream &os) {
  OptDriverHost host;
  host.makeEvaluator = [](Context &context) { return std::make_unique<KernelEvaluator>(context); };
  host.makeValidator = [](Context &context, unsigned runs) {
    return std::make_unique<TranslationValidator>(context, runs);
  };
  if (printRoutine)
    host.print = [](llvm::raw_ostream &os, const Graph &graph, bool withRanges) -> Status {
      TSC_ASSIGN_OR_RETURN(Routine routine, lower(graph, {/*notesEffects=*/true}));
      routine.print(os, withRanges);
      if (std::string mistake = findMistake(routine); !mistake.empty())
        return internalError("the routine is not consistent: " + mistake);
      return okStatus();
    };
  bool isDrawn = true;
  if (!view.empty())
    host.view = [&](llvm::ArrayRef<std::unique_ptr<Graph>> graphs) { isDrawn = draw(graphs); };
  int result = runOptDriver(buffer, options, registry, host, os, llvm::errs());
  return isDrawn ? result : 2;
}

int OptTool::cannotWrite(const std::error_code &error) {
  llvm::errs() << "tsc-opt: cannot write '" << outputFile << "': " << error.message() << "\n";
  return 2;
}

int OptTool::run(int argc, char **argv) {
  PassRegistry registry;
  registerTransformsPasses(registry);
  registerAutodiffPasses(registry);
  std::string help = overview(registry);
  registerTriggerPasses(registry);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << "tsc-opt (tsc) " TSC_VERSION "\n"; });
  if (!cl::ParseCommandLineOptions(argc, argv, help, &llvm::errs()) || !checkOptions(registry))
    return 2;
  applyGlobalOptions();
  if (Status status = chooseSimdLevel(simd); !status.ok()) {
    llvm::errs() << "tsc-opt: " << messageOf(status) << "\n";
    return 2;
  }

  auto file = llvm::MemoryBuffer::getFileOrSTDIN(inputFile, /*IsText=*/true);
  if (!file) {
    llvm::errs() << "tsc-opt: cannot read '" << inputFile << "': " << file.getError().message() << "\n";
    return 2;
  }
  if ((*file)->getBuffer().starts_with("PK\3\4")) { // a zip file
    llvm::errs() << "tsc-opt: '" << inputFile << "' is an archive: 'tsc-translate --to ir FILE' prints its graphs\n";
    return 2;
  }
  std::error_code error;
  llvm::ToolOutputFile output(outputFile, error, llvm::sys::fs::OF_Text);
  if (error)
    return cannotWrite(error);
  SourceBuffer buffer(inputFile == "-" ? std::string("<stdin>") : inputFile.getValue(), (*file)->getBuffer().str());
  OptDriverOptions options = driverOptions();
  if (runReproducer && !takeReproducersOptions(buffer, options))
    return 2;
  int result = runOver(buffer, options, registry, output.os());
  output.os().flush();
  if (output.os().has_error()) {
    error = output.os().error();
    output.os().clear_error();
    return cannotWrite(error);
  }
  if (result == 0)
    output.keep();
  if (llvm::AreStatisticsEnabled())
    printStatistics(llvm::errs());
  return result;
}

int main(int argc, char **argv) {
  return runTool("tsc-opt", 1, [&] { return OptTool().run(argc, argv); });
}
