//===- OptDriver.cpp - Textual IR in, pipeline, textual IR out ------------===//
#include "tsc/Transforms/OptDriver.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/SplitInput.h"
#include "tsc/Support/Stopwatch.h"
#include "tsc/Transforms/ConstantEvaluator.h"
#include "tsc/Transforms/CrashReproducer.h"
#include "tsc/Transforms/GraphValidator.h"
#include "tsc/Transforms/TracedModules.h"
#include "tsc/Transforms/UnprintedTensors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <utility>
using namespace tsc;

namespace {

/// A diagnostic that a comment of the input asks for.
struct Expectation {
  Severity severity;
  unsigned line;
  std::string text;
  bool met = false;
};

/// Reads `expected-error {{text}}`, with `@+1` or `@-2` for another line, out of the comments.
std::vector<Expectation> readExpectations(const SourceBuffer &buffer) {
  static constexpr std::pair<llvm::StringLiteral, Severity> markers[] = {{"expected-error", Severity::Error},
                                                                         {"expected-warning", Severity::Warning},
                                                                         {"expected-note", Severity::Note},
                                                                         {"expected-remark", Severity::Remark}};
  std::vector<Expectation> expectations;
  unsigned number = 0;
  for (llvm::StringRef line : llvm::split(buffer.text(), '\n')) {
    ++number;
    for (auto [marker, severity] : markers) {
      llvm::StringRef rest = line;
      for (size_t at; (at = rest.find(marker)) != llvm::StringRef::npos;) {
        rest = rest.drop_front(at + marker.size());
        int offset = 0;
        llvm::StringRef after = rest;
        if (after.consume_front("@")) {
          after.consume_front("+");
          if (after.consumeInteger(10, offset))
            continue;
        }
        after = after.ltrim();
        if (!after.consume_front("{{"))
          continue;
        expectations.push_back({severity, number + offset, after.split("}}").first.str()});
      }
    }
  }
  return expectations;
}

/// Prints what was reported without being expected, and what was expected without being reported.
bool checkExpectations(std::vector<Expectation> expectations, const DiagnosticEngine &diags, const SourceBuffer &buffer,
                       llvm::raw_ostream &err) {
  bool asExpected = true;
  auto match = [&](const Diagnostic &diagnostic) {
    unsigned line = diagnostic.range.isValid() ? diagnostic.range.lineColumn().line : 0;
    for (Expectation &expected : expectations)
      if (!expected.met && expected.severity == diagnostic.severity && (line == 0 || expected.line == line) &&
          llvm::StringRef(diagnostic.message).contains(expected.text)) {
        expected.met = true;
        return;
      }
    if (diagnostic.severity == Severity::Note)
      return; // a note may go unmentioned
    err << "unexpected diagnostic:\n" << diagnostic.str();
    asExpected = false;
  };
  for (const Diagnostic &diagnostic : diags.all()) {
    match(diagnostic);
    llvm::for_each(diagnostic.notes, match);
  }
  for (const Expectation &expected : expectations)
    if (!expected.met) {
      err << buffer.name() << ":" << expected.line << ": expected diagnostic was not reported: " << expected.text
          << "\n";
      asExpected = false;
    }
  return asExpected;
}

class Driver {
public:
  Driver(const OptDriverOptions &options, const PassRegistry &registry, const OptDriverHost &host,
         llvm::raw_ostream &out, llvm::raw_ostream &err)
      : options(options), host(host), passes(registry, options.instrumentation, &err), out(out), err(err) {}

  int run(const SourceBuffer &input) {
    if (Status status = passes.parsePipeline(options.passes); !status.ok()) {
      err << "error: " << messageOf(status) << "\n";
      return 2;
    }
    int result = 0;
    if (options.splitInputFile) {
      bool isFirst = true;
      forEachInputPart(input.text(), [&](std::string part) {
        if (!std::exchange(isFirst, false))
          out << "# -----\n";
        result = std::max(result, runOne(SourceBuffer(input.name().str(), std::move(part))));
      });
    } else {
      result = runOne(input);
    }
    if (options.instrumentation.timePasses) {
      passes.printTimes(err);
      err << "  Around the passes:\n"
          << llvm::format("  %10.6f s  parse and verify\n", parseSeconds)
          << llvm::format("  %10.6f s  print\n", printSeconds);
    }
    return result;
  }

private:
  int runOne(const SourceBuffer &buffer) {
    Context context;
    DiagnosticEngine diags;
    numMethodsPrinted = 0;
    int result = process(context, buffer, diags);
    if (options.verifyDiagnostics) {
      if (!checkExpectations(readExpectations(buffer), diags, buffer, err))
        return 1;
      return diags.hasErrors() ? 0 : result; // what failed was expected, unless no diagnostic told of it
    }
    for (const Diagnostic &diagnostic : diags.all())
      diagnostic.print(err);
    return result;
  }

  auto parse(Context &context, const SourceBuffer &buffer, DiagnosticEngine &diags) {
    Stopwatch stopwatch(parseSeconds);
    return parseGraphs(context, buffer, diags);
  }

  int process(Context &context, const SourceBuffer &buffer, DiagnosticEngine &diags) {
    auto graphs = parse(context, buffer, diags);
    if (failed(graphs))
      return 2;
    std::unique_ptr<ConstantEvaluator> evaluator = host.makeEvaluator ? host.makeEvaluator(context) : nullptr;
    std::unique_ptr<GraphValidator> validator;
    if (options.validationRuns && host.makeValidator)
      validator = host.makeValidator(context, options.validationRuns);
    std::optional<CrashReproducer> reproducer;
    if (!options.reproducer.empty())
      reproducer.emplace(options.reproducer,
                         ReproducerOptions{options.passes, options.instrumentation.verifyEach, options.validationRuns},
                         buffer.text());
    PassHost passHost{evaluator.get(), validator.get(), &diags, reproducer ? &*reproducer : nullptr};
    int result = 0;
    for (auto &graph : *graphs) {
      if (options.fillConstants || validator)
        fillUnprintedTensors(*graph);
      if (Status status = passes.run(*graph, passHost); !status.ok()) {
        err << "error: " << messageOf(status) << "\n";
        if (reproducer && result == 0 && reproducer->write())
          err << "repeat it with: tsc-opt -run-reproducer " << reproducer->path() << "\n";
        result = 1;
        continue;
      }
      if (Status status = print(*graph); !status.ok()) {
        err << "error: " << messageOf(status) << "\n";
        result = 1;
      }
    }
    if (host.view)
      host.view(*graphs);
    return result;
  }

  /// Prints a graph, and behind it the methods that passes made of parts of it.
  Status print(Graph &graph) {
    Stopwatch stopwatch(printSeconds);
    TSC_RETURN_IF_ERROR(printOne(graph));
    llvm::ArrayRef<Function *> methods = graph.context().extension<TracedMethods>().unit.functions();
    for (; numMethodsPrinted != methods.size(); ++numMethodsPrinted) {
      Graph &body = *methods[numMethodsPrinted]->graph();
      body.setName(methods[numMethodsPrinted]->qualifiedName());
      Status printed = printOne(body);
      body.setName("");
      TSC_RETURN_IF_ERROR(printed);
    }
    return okStatus();
  }
  Status printOne(const Graph &graph) {
    if (host.print)
      return host.print(out, graph, options.printRanges);
    graph.print(out, options.printRanges);
    return okStatus();
  }

  const OptDriverOptions &options;
  const OptDriverHost &host;
  PassManager passes;
  llvm::raw_ostream &out, &err;
  double parseSeconds = 0, printSeconds = 0;
  size_t numMethodsPrinted = 0; ///< Of the methods that passes made for the input file, or part of one.
};

} // namespace

int tsc::runOptDriver(const SourceBuffer &input, const OptDriverOptions &options, const PassRegistry &registry,
                      const OptDriverHost &host, llvm::raw_ostream &out, llvm::raw_ostream &err) {
  return Driver(options, registry, host, out, err).run(input);
}
