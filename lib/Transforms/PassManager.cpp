//===- PassManager.cpp - Pipelines and their instrumentation --------------===//
#include "tsc/Transforms/PassManager.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/LineDiff.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Stack.h"
#include "tsc/Support/Stopwatch.h"
#include "tsc/Support/Trace.h"
#include "tsc/Transforms/CrashReproducer.h"
#include "tsc/Transforms/GraphValidator.h"
#include "tsc/Transforms/Passes/Analyses.h"
#include "tsc/Transforms/Passes/Calls.h"
#include "tsc/Transforms/Passes/FrozenModules.h"
#include "tsc/Transforms/Passes/Kernels.h"
#include "tsc/Transforms/Passes/Loops.h"
#include "tsc/Transforms/Passes/Mutation.h"
#include "tsc/Transforms/Passes/Profiling.h"
#include "tsc/Transforms/Passes/Redundancy.h"
#include "tsc/Transforms/Passes/Simplification.h"
#include "tsc/Transforms/Passes/TracedModules.h"
#include "tsc/Transforms/Passes/Types.h"
#include "tsc/Transforms/ShapeRuleCompiler.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

const PassInfo *PassRegistry::find(llvm::StringRef name) const {
  auto at = llvm::find_if(passes, [&](const PassInfo &info) { return info.name == name || info.pytorchName == name; });
  return at == passes.end() ? nullptr : &*at;
}

const PipelineInfo *PassRegistry::findPipeline(llvm::StringRef name) const {
  auto at =
      llvm::find_if(named, [&](const PipelineInfo &info) { return info.name == name || info.pytorchName == name; });
  return at == named.end() ? nullptr : &*at;
}

/// The steps of -O<level>, those of the lower levels among them.
static std::string stepsOfLevel(unsigned level, bool isFrozen = false) {
  std::string steps;
#define FROZEN_STEP(LEVEL, STEP, REASON) LOWER_LEVEL_STEP(LEVEL, (isFrozen ? ~0u : 0), STEP, REASON)
#define LEVEL_STEP(LEVEL, STEP, REASON) LOWER_LEVEL_STEP(LEVEL, ~0u, STEP, REASON)
#define LOWER_LEVEL_STEP(LEVEL, BELOW, STEP, REASON)                                                                   \
  if (LEVEL <= level && level < BELOW)                                                                                 \
    steps += (steps.empty() ? "" : ",") + std::string(STEP);
#include "tsc/Transforms/Pipelines.def"
  return steps;
}

void tsc::registerTransformsPasses(PassRegistry &registry) {
#define GRAPH_PASS(NAME, PYTORCH_NAME, CLASS, DESCRIPTION)                                                             \
  registry.add(                                                                                                        \
      {NAME, PYTORCH_NAME, DESCRIPTION, []() -> std::unique_ptr<Pass> { return std::make_unique<CLASS>(); }, #CLASS});
#include "tsc/Transforms/Passes.def"
#define PIPELINE(NAME, PYTORCH_NAME, STEPS, DESCRIPTION) registry.addPipeline({NAME, PYTORCH_NAME, STEPS, DESCRIPTION});
#include "tsc/Transforms/Pipelines.def"
  registry.addPipeline({"O0", "", stepsOfLevel(0), "The graph as the program has it, without what it does not use"});
  registry.addPipeline({"O1", "", stepsOfLevel(1), "What pays on the first call already"});
  registry.addPipeline({"O2", "", stepsOfLevel(2), "What pays when a function is called many times"});
  registry.addPipeline({"O3", "", stepsOfLevel(3), "Also what makes code larger to make it faster"});
  registry.addPipeline(
      {"O2-frozen", "", stepsOfLevel(2, true), "O2 for frozen modules: what follows a layer folds into it"});
  registry.addPipeline({"O3-frozen", "", stepsOfLevel(3, true), "O3 for frozen modules"});
}

Status Pass::configure(const PassOptions &options) { return rejectOptionsBut({}, options); }

Status tsc::rejectOptionsBut(llvm::ArrayRef<llvm::StringRef> known, const PassOptions &options) {
  for (const auto &option : options)
    if (!llvm::is_contained(known, option.getKey()))
      return invalidArgument("there is no option '" + option.getKey() + "'; " +
                             (known.empty() ? "it takes none" : "it takes " + llvm::join(known, ", ")));
  return okStatus();
}

Status tsc::readOption(const PassOptions &options, llvm::StringRef name, int64_t least, int64_t &value) {
  auto at = options.find(name);
  if (at == options.end())
    return okStatus();
  if (llvm::StringRef(at->second).getAsInteger(10, value) || value < least)
    return invalidArgument("option '" + name + "' expects a whole number of at least " + llvm::Twine(least) +
                           ", but got '" + at->second + "'");
  return okStatus();
}

Status tsc::readOption(const PassOptions &options, llvm::StringRef name, bool &value) {
  auto at = options.find(name);
  if (at == options.end())
    return okStatus();
  if (at->second != "true" && at->second != "false")
    return invalidArgument("option '" + name + "' expects true or false, but got '" + at->second + "'");
  value = at->second == "true";
  return okStatus();
}

PassManager::PassManager(const PassRegistry &registry, PassInstrumentation instrumentation, llvm::raw_ostream *log)
    : registry(registry), instrumentation(std::move(instrumentation)), log(log ? log : &llvm::errs()) {}
PassManager::~PassManager() = default;

namespace {

/// pipeline := item (',' item)* ; item := name ('<' key '=' value (';' key '=' value)* '>')? | '(' pipeline ')'
class PipelineParser {
public:
  PipelineParser(llvm::StringRef text, const PassRegistry &registry)
      : all(text), rest(text.ltrim()), registry(registry) {}

  template <typename F> Status parse(F &&add) {
    if (rest.empty())
      return okStatus();
    TSC_RETURN_IF_ERROR(parseList(add, 0));
    return rest.empty() ? okStatus() : error("expected ',' or the end of the pipeline");
  }

private:
  static constexpr unsigned maxDepth = 100;
  bool eat(char c) {
    if (!rest.starts_with(llvm::StringRef(&c, 1)))
      return false;
    rest = rest.drop_front().ltrim();
    return true;
  }
  Status error(const llvm::Twine &message) const {
    return invalidArgument("in pipeline '" + all + "' at position " + llvm::Twine(all.size() - rest.size() + 1) + ": " +
                           message);
  }
  llvm::StringRef word() {
    llvm::StringRef name =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '-' || c == '_' || c == '.' || c == ':'; });
    rest = rest.drop_front(name.size()).ltrim();
    return name;
  }
  /// Anything up to the next option or the end: a number, a path.
  llvm::StringRef optionValue() {
    llvm::StringRef value = rest.take_until([](char c) { return c == ';' || c == '>'; });
    rest = rest.drop_front(value.size());
    return value.trim();
  }
  template <typename F> Status parseList(F &add, unsigned depth) {
    if (depth > maxDepth)
      return error("parentheses nest too deeply");
    do {
      if (eat('(')) {
        TSC_RETURN_IF_ERROR(parseList(add, depth + 1));
        if (!eat(')'))
          return error("expected ')'");
        continue;
      }
      llvm::StringRef at = rest, name = word();
      if (name.empty())
        return error("expected the name of a pass");
      const PassInfo *info = registry.find(name);
      if (const PipelineInfo *pipeline = info ? nullptr : registry.findPipeline(name)) {
        TSC_RETURN_IF_ERROR(parseNamed(*pipeline, add, depth));
        continue;
      }
      if (!info) {
        rest = at;
        return error("there is no pass '" + name + "'; -help lists them");
      }
      PassOptions options;
      TSC_RETURN_IF_ERROR(parseOptions(options));
      std::unique_ptr<Pass> pass = info->create();
      if (Status status = pass->configure(options); !status.ok()) {
        rest = at;
        return error("'" + name + "': " + messageOf(status));
      }
      add(*info, std::move(pass));
    } while (eat(','));
    return okStatus();
  }
  /// Adds the steps of a named pipeline in its place.
  template <typename F> Status parseNamed(const PipelineInfo &pipeline, F &add, unsigned depth) {
    if (pipeline.steps.empty())
      return okStatus();
    PipelineParser inner(pipeline.steps, registry);
    return inner.parseList(add, depth + 1);
  }
  Status parseOptions(PassOptions &options) {
    if (!eat('<'))
      return okStatus();
    do {
      llvm::StringRef key = word();
      if (key.empty())
        return error("expected the name of an option");
      options[key] = eat('=') ? optionValue().str() : "true";
    } while (eat(';'));
    return eat('>') ? okStatus() : error("expected '>'");
  }
  llvm::StringRef all, rest;
  const PassRegistry &registry;
};

} // namespace

Status PassManager::parsePipeline(llvm::StringRef text) {
  TSC_RETURN_IF_ERROR(remarks.enable(instrumentation.remarks, instrumentation.missedRemarks));
  return PipelineParser(text, registry).parse([&](const PassInfo &info, std::unique_ptr<Pass> pass) {
    steps.push_back({&info, std::move(pass)});
  });
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static bool lists(const std::vector<std::string> &names, const PassInfo &pass) {
  return llvm::is_contained(names, "*") || llvm::is_contained(names, pass.name) ||
         (!pass.pytorchName.empty() && llvm::is_contained(names, pass.pytorchName));
}

bool PassManager::bisectAllows(const Step &step) {
  if (instrumentation.bisectLimit < 0)
    return true;
  bool runs = ++passesRun <= instrumentation.bisectLimit;
  *log << "BISECT: " << (runs ? "" : "NOT ") << "running pass (" << passesRun << ") " << step.info->name << "\n";
  return runs;
}

ShapeRuleCompiler &AnalysisManager::shapeRules() {
  if (!*rules)
    *rules = std::make_shared<ShapeRuleCompiler>();
  return **rules;
}

/// How many blocks are within each other.
static size_t nestingOf(const Block &block) {
  size_t deepest = 0;
  for (const Node &node : block.nodes())
    for (const Block &inner : node.blocks())
      deepest = std::max(deepest, nestingOf(inner));
  return deepest + 1;
}

/// Passes go down into blocks by recursion, and have no way to fail. So what they may need is known before they begin.
static Status checkStackFor(const Graph &graph) {
  constexpr size_t stackPerBlock = 2048;
  return checkStack(stackForLeaves + nestingOf(graph.block()) * stackPerBlock, "optimizing blocks nested so deeply");
}

Status PassManager::run(Graph &graph, const PassHost &host) {
  TSC_RETURN_IF_ERROR(checkStackFor(graph));
  remarks.setEngine(host.diagnostics);
  AnalysisManager analyses(host.evaluator, &remarks, &shapeRules);
  GraphValidator *validator = host.validator;
  if (validator)
    if (ValidationResult result = validator->begin(graph);
        result.verdict != ValidationResult::Verdict::Same && instrumentation.verbose)
      *log << "validate: the graph is not run: " << result.text << "\n";
  for (Step &step : steps)
    if (bisectAllows(step))
      TSC_RETURN_IF_ERROR(runStep(step, graph, analyses, host));
  return okStatus();
}

Status PassManager::runStep(Step &step, Graph &graph, AnalysisManager &analyses, const PassHost &host) {
  const PassInfo &info = *step.info;
  if (lists(instrumentation.printBefore, info))
    *log << "# *** IR before " << info.name << " ***\n" << graph.str() << "\n";
  bool comparesText = instrumentation.verifyEach || instrumentation.printChanged == ChangePrinting::Diff;
  std::string before = comparesText ? graph.str() : "";
  remarks.setPass(info.name);
  if (host.reproducer)
    host.reproducer->setPass(info.name.data());

  PreservedAnalyses preserved = PreservedAnalyses::all();
  {
    Stopwatch stopwatch(step.seconds);
    TraceScope span(host.trace, "pass", info.name);
    preserved = step.pass->run(graph, analyses);
  }
  const bool changed = preserved.changed();
  ++step.runs;

  if (host.reproducer)
    host.reproducer->setPass(nullptr);
  TSC_RETURN_IF_ERROR(preserved.status());
  if (changed) {
    analyses.invalidate();
    if (isLogEnabled(LogLevel::Dump, info.className, info.name))
      writeLog(LogLevel::Dump, __FILE_NAME__, __LINE__, "after " + info.name.str() + ":\n" + graph.str());
  }
  if (lists(instrumentation.printAfter, info) || (changed && instrumentation.printChanged == ChangePrinting::Graph))
    *log << "# *** IR after " << info.name << " ***\n" << graph.str() << "\n";
  if (changed && instrumentation.printChanged == ChangePrinting::Diff)
    *log << "# *** IR changed by " << info.name << " ***\n" << unifiedDiff(before, graph.str()) << "\n";
  if (instrumentation.verifyEach)
    TSC_RETURN_IF_ERROR(checkResult(step, graph, changed, before));
  return changed && host.validator ? validate(step, graph, *host.validator) : okStatus();
}

Status PassManager::checkResult(const Step &step, Graph &graph, bool changed, llvm::StringRef before) const {
  DiagnosticEngine diags;
  if (failed(verify(graph, diags)))
    return internalError("the graph does not verify after pass '" + step.info->name.str() + "':\n" + diags.str());
  if (std::string diff = changed ? "" : unifiedDiff(before, graph.str()); !diff.empty())
    return internalError("pass '" + step.info->name.str() + "' changed the graph and says that it did not:\n" + diff);
  return okStatus();
}

Status PassManager::validate(const Step &step, Graph &graph, GraphValidator &validator) const {
  ValidationResult result{ValidationResult::Verdict::Incomparable, "it leaves no program, but a graph for exporters"};
  if (step.pass->leavesProgram())
    result = validator.compare(graph);
  switch (result.verdict) {
  case ValidationResult::Verdict::Same: return okStatus();
  case ValidationResult::Verdict::Different:
    return internalError("pass '" + step.info->name.str() + "' changed what the graph does: " + result.text);
  case ValidationResult::Verdict::Incomparable: break;
  }
  if (instrumentation.verbose)
    *log << "validate: " << step.info->name << " is not checked: " << result.text << "\n";
  validator.begin(graph); // what follows is compared with the graph as it is now
  return okStatus();
}

void PassManager::printTimes(llvm::raw_ostream &os) const {
  struct Time {
    double seconds = 0;
    uint64_t runs = 0;
  };
  llvm::MapVector<llvm::StringRef, Time> times;
  double total = 0;
  for (const Step &step : steps) {
    Time &time = times[step.info->name];
    time.seconds += step.seconds;
    time.runs += step.runs;
    total += step.seconds;
  }
  auto sorted = times.takeVector();
  llvm::sort(sorted, [](const auto &a, const auto &b) { return a.second.seconds > b.second.seconds; });
  os << "===-- Pass execution timing report --===\n  Total: " << llvm::format("%.6f", total) << " s\n";
  for (const auto &[name, time] : sorted)
    os << llvm::format("  %10.6f s (%5.1f%%) %6llu runs  ", time.seconds, total > 0 ? 100 * time.seconds / total : 0.0,
                       static_cast<unsigned long long>(time.runs))
       << name << "\n";
}
