//===- tsc-reduce.cpp - Shrink an input while a script still fails --------===//
#include "tsc/Autodiff/Passes.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/IR/Reductions.h"
#include "tsc/Serialization/Reductions.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Support/Source.h"
#include "tsc/Transforms/PassManager.h"
#include "tsc/Transforms/Reductions.h"
#include "tsc/Transforms/TriggerPasses.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;
namespace cl = llvm::cl;

static cl::OptionCategory category("tsc-reduce options");
static cl::opt<std::string> inputFile(cl::Positional, cl::Required,
                                      cl::desc("<input: .ir, a reproducer, or an archive>"), cl::cat(category));
static cl::opt<std::string>
    script("test",
           cl::desc("Program that fails on the input, given as its last argument (default: tsc-opt -run-reproducer)"),
           cl::value_desc("program"), cl::cat(category));
static cl::list<std::string> scriptArgs("test-arg", cl::desc("Arguments of the program before the file"),
                                        cl::value_desc("argument"), cl::cat(category));
static cl::opt<std::string> outputFile("o", cl::desc("Where the smallest input goes (default: reduced.<extension>)"),
                                       cl::value_desc("file"), cl::cat(category));
static cl::opt<unsigned> timeout("timeout",
                                 cl::desc("Seconds after which a test counts as another failure (default: 60)"),
                                 cl::value_desc("seconds"), cl::init(60), cl::cat(category));

namespace {
/// Runs the script on candidates. What counts is that it fails as it did on the whole input: with the same exit status,
/// or a signal if that was one.
class ScriptTest {
public:
  ScriptTest(std::string program, std::vector<std::string> args, llvm::StringRef extension)
      : program(std::move(program)), args(std::move(args)) {
    error = llvm::sys::fs::createTemporaryFile("tsc-reduce", extension.ltrim('.'), path);
  }
  ~ScriptTest() { (void)llvm::sys::fs::remove(path); }

  std::error_code failure() const { return error; }
  int run(llvm::StringRef input) {
    {
      llvm::raw_fd_ostream file(path, error);
      file << input;
    }
    std::vector<llvm::StringRef> command{program};
    command.insert(command.end(), args.begin(), args.end());
    command.push_back(path);
    std::optional<llvm::StringRef> silent[] = {llvm::StringRef(), llvm::StringRef(), llvm::StringRef()};
    return llvm::sys::ExecuteAndWait(program, command, std::nullopt, silent, timeout);
  }

private:
  std::string program;
  std::vector<std::string> args;
  llvm::SmallString<128> path;
  std::error_code error;
};
} // namespace

static int fail(const llvm::Twine &message) {
  llvm::errs() << "tsc-reduce: " << message << "\n";
  return 2;
}

/// The script, or tsc-opt beside this program.
static std::pair<std::string, std::vector<std::string>> testCommand(const char *self) {
  if (!script.empty()) {
    auto found = llvm::sys::findProgramByName(script);
    llvm::SmallString<128> path(found ? *found : script.getValue());
    (void)llvm::sys::fs::make_absolute(path); // where it fails, the script is run as it was named
    return {path.str().str(), scriptArgs};
  }
  std::string own = llvm::sys::fs::getMainExecutable(self, reinterpret_cast<void *>(&testCommand));
  llvm::SmallString<128> path(llvm::sys::path::parent_path(own));
  llvm::sys::path::append(path, "tsc-opt");
  return {path.str().str(), {"-crash-reproducer=", "-run-reproducer"}};
}

static bool parses(llvm::StringRef text) {
  Context context;
  DiagnosticEngine diags;
  return succeeded(parseGraphs(context, SourceBuffer("input", text.str()), diags));
}

static int runMain(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << "tsc-reduce (tsc) " TSC_VERSION "\n"; });
  if (!cl::ParseCommandLineOptions(
          argc, argv, "tsc-reduce: shrinks a graph or an archive while a script still fails on it\n", &llvm::errs()))
    return 2;
  auto file = llvm::MemoryBuffer::getFile(inputFile);
  if (!file)
    return fail("cannot read '" + inputFile + "': " + file.getError().message());
  llvm::StringRef extension = llvm::sys::path::extension(inputFile);
  auto [program, args] = testCommand(argv[0]);
  ScriptTest test(program, args, extension);
  if (test.failure())
    return fail("cannot write a temporary file: " + test.failure().message());
  std::string input = (*file)->getBuffer().str();
  if (extension == ".ir" && !parses(input))
    return fail("'" + inputFile + "' does not parse: there is nothing to take out of it");
  int expected = test.run(input);
  if (expected == 0)
    return fail("'" + program + "' does not fail on the whole input");
  if (script.empty() && expected == 2) // bad usage, or text that does not parse: every graph would "fail" so
    return fail("'" + inputFile + "' is no reproducer that '" + program + "' can run");
  if (expected == -1)
    return fail("'" + program + "' cannot be run");

  PassRegistry registry;
  registerTransformsPasses(registry);
  registerAutodiffPasses(registry);
  registerTriggerPasses(registry);
  Reductions reductions;
  addPipelineReductions(reductions, registry);
  addGraphReductions(reductions);
  addArchiveReductions(reductions);
  std::string smallest = reduce(
      std::move(input), reductions, [&](llvm::StringRef candidate) { return test.run(candidate) == expected; },
      llvm::errs());

  std::string output = outputFile.empty() ? "reduced" + extension.str() : outputFile.getValue();
  std::error_code error;
  llvm::raw_fd_ostream os(output, error);
  if (error)
    return fail("cannot write '" + output + "': " + error.message());
  os << smallest;
  llvm::errs() << (*file)->getBufferSize() << " bytes became " << smallest.size() << ", in '" << output << "'\n";
  return 0;
}

int main(int argc, char **argv) {
  return runTool("tsc-reduce", 1, [&] { return runMain(argc, argv); });
}
