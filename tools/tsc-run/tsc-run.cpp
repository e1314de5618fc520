//===- tsc-run.cpp - Runs TorchScript programs ----------------------------===//
#include "About.h"
#include "Calls.h"
#include "Doctor.h"
#include "Explain.h"
#include "Gradients.h"
#include "Host.h"
#include "Interactive.h"
#include "Options.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Runtime/Dispatch/Collectives.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/TraceCheck.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Serialization/ValueFile.h"
#include "tsc/Serialization/Zip.h"
#include "tsc/Support/MappedFile.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Support/ReplaceFile.h"
#include "tsc/Support/SimdLevel.h"
#include "tsc/Support/SplitInput.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Generator.h"
#include "tsc/Tensor/PrintDigits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

using namespace tsc;
using namespace tsc::run;

namespace {
enum ExitCode { Done = 0, Failed = 1, BadInput = 2 };
using Clock = std::chrono::steady_clock;

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

llvm::StringRef optionOf(QuotaKind quota) {
  switch (quota) {
  case QuotaKind::Steps: return "max-steps";
  case QuotaKind::Depth: return "max-depth";
  case QuotaKind::Memory: return "max-memory";
  case QuotaKind::Output: return "max-output";
  }
  return "";
}

/// The error first; then the TorchScript call stack, when there is one.
int report(ErrorWriter &errors, const Status &status, ExitCode code) {
  if (wasDiagnosed(status)) // and printed
    return code;
  llvm::StringRef message = messageOf(status).rtrim();
  std::string error = errorOf(status);
  bool hasStack = error != messageOf(status);
  std::string text = (hasStack ? llvm::StringRef(error).split('\n').first : message).str();
  if (std::optional<QuotaKind> quota = exceededQuota(status))
    text += (" (--" + optionOf(*quota) + ")").str();
  errors.failure(text, hasStack ? message : "");
  return code;
}

/// Lets the other ranks of a failed call say why, and ends them and this process. Does nothing for a program without
/// ranks.
void endRanks(const Program &program, const Status &failure) {
  std::shared_ptr<Collectives> ranks = collectivesOf(program.context());
  if (!ranks)
    return;
  const std::vector<int64_t> all = ranks->ranksOf("0");
  llvm::outs().flush();
  llvm::errs() << "tsc-run: rank " << all.front() << " of " << all.size() - 1 << " failed, and ends the others\n";
  (void)ranks->end(errorOf(failure) + "\n" + messageOf(failure).str());
}

/// Prints a result as Python's print does.
void printResult(const IValue &result) {
  if (result.isString())
    llvm::outs() << result.toString();
  else
    reprValue(llvm::outs(), result);
  llvm::outs() << '\n';
}

double processorMicroseconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto micros = [](const timeval &time) {
    return 1e6 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec);
  };
  return micros(usage.ru_utime) + micros(usage.ru_stime);
}

struct Timings {
  double load = 0, first = 0, second = 0;
  double processor = 0; ///< What all threads of the process took of the processors, for a call on average.
  std::vector<double> calls;
};

void printTimings(Timings &timings) {
  std::sort(timings.calls.begin(), timings.calls.end());
  auto at = [&](double fraction) {
    return timings.calls[std::min(timings.calls.size() - 1,
                                  static_cast<size_t>(fraction * static_cast<double>(timings.calls.size())))];
  };
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  llvm::outs() << llvm::format("{\"load_us\": %.1f, \"first_us\": %.1f, \"second_us\": %.1f, \"median_us\": %.3f, "
                               "\"p90_us\": %.3f, \"min_us\": %.3f, \"processor_us\": %.3f, "
                               "\"peak_rss_kb\": %ld}\n",
                               timings.load, timings.first, timings.second, at(0.5), at(0.9), timings.calls.front(),
                               timings.processor, usage.ru_maxrss);
}

StatusOr<IValue> makeCall(const Program &program, CallContext &context, const Call &call) {
  return program.run(context, call.entry, call.args, call.kwargs);
}

/// Warm-up until 10 calls or 0.3 s, then the timed calls.
Status measure(const Program &program, CallContext &context, const Call &call, unsigned count, Timings &timings) {
  Clock::time_point start = Clock::now();
  TSC_RETURN_IF_ERROR(makeCall(program, context, copyContainers(call)).status());
  timings.first = microsecondsSince(start);
  Clock::time_point second = Clock::now();
  TSC_RETURN_IF_ERROR(makeCall(program, context, copyContainers(call)).status());
  timings.second = microsecondsSince(second);
  for (unsigned i = 0; i != 9 && microsecondsSince(start) < 3e5; ++i)
    TSC_RETURN_IF_ERROR(makeCall(program, context, copyContainers(call)).status());
  for (int i = 0; i != 4; ++i) { // a plan, the groups that a tape takes, their graphs, and the kernels of these
    program.finishCompiling();
    TSC_RETURN_IF_ERROR(makeCall(program, context, copyContainers(call)).status());
  }
  timings.calls.reserve(count);
  // A call is done when its device is; what calls one after the other cost is the longer of both.
  auto finish = [&] {
    const EngineOptions &engine = program.options();
    return engine.device ? engine.accelerator->synchronize(*engine.device) : okStatus();
  };
  TSC_RETURN_IF_ERROR(finish());
  double processor = processorMicroseconds();
  for (unsigned i = 0; i != count; ++i) {
    Call fresh = copyContainers(call);
    Clock::time_point begin = Clock::now();
    StatusOr<IValue> result = makeCall(program, context, fresh);
    TSC_RETURN_IF_ERROR(finish());
    timings.calls.push_back(microsecondsSince(begin));
    TSC_RETURN_IF_ERROR(result.status());
  }
  timings.processor = (processorMicroseconds() - processor) / count;
  return okStatus();
}

/// Writes the result of the one call, or the tuple of them all.
int saveResults(ErrorWriter &errors, const Options &options, std::vector<IValue> results) {
  Status status = saveValue(results.size() == 1 ? results.front() : makeTuple(std::move(results)), options.output);
  return status.ok() ? Done : report(errors, status, BadInput);
}

/// Writes a line that is no error to stderr. In the formats for programs, stderr holds errors and nothing else.
void tell(const Options &options, const llvm::Twine &text) {
  if (options.errorFormat == ErrorFormat::Text)
    llvm::errs() << "tsc-run: " << text << '\n';
}

int runCalls(ErrorWriter &errors, const Program &program, const Host &host, const Options &options,
             CallContext &context, std::vector<Call> &calls) {
  std::vector<IValue> results;
  size_t numChecked = 0;
  for (size_t i = 0; i != calls.size(); ++i) {
    StatusOr<IValue> result = makeCall(program, context, calls[i]);
    if (!result.ok()) {
      int code =
          report(errors, withHint(result.status(), calls[i], options), host.hasReportedErrors() ? BadInput : Failed);
      endRanks(program, result.status());
      return code;
    }
    if (options.check) {
      if (!calls[i].expected) {
        if (calls.size() > 1)
          tell(options,
               "'" + llvm::Twine(options.inputs) + "' holds no 'result' to check call " + llvm::Twine(i) + " against");
        continue;
      }
      if (auto difference = findMismatch(*result, *calls[i].expected, options.tolerance)) {
        errors.failure("call " + std::to_string(i) + ": " + *difference);
        return Failed;
      }
      ++numChecked;
      continue;
    }
    if (calls[i].entry.isMainBlock())
      continue;
    if (options.output.empty())
      printResult(*result);
    else
      results.push_back(deepCopy(*result)); // a later call may write to it
  }
  if (options.check && numChecked == 0)
    return report(errors,
                  dataLoss("'" + llvm::Twine(options.inputs) + "' holds no 'result' to check; " + howToSaveCalls),
                  BadInput);
  if (options.check)
    tell(options, llvm::Twine(numChecked) + (numChecked == 1 ? " call agrees" : " calls agree") + " with '" +
                      options.inputs + "'");
  return results.empty() ? Done : saveResults(errors, options, std::move(results));
}

/// Makes all calls, also after one that failed, and writes of each a tuple: the result, or the error's text, and the
/// arguments as the call left them. They are copied together, so that what shares memory is seen to share it. Plans and
/// kernels that a call asks for are there at the next one: what is observed does not depend on time.
int observeCalls(ErrorWriter &errors, const Program &program, const Host &host, const Options &options,
                 CallContext &context, std::vector<Call> &calls) {
  std::vector<IValue> observed;
  int code = Done;
  for (size_t i = 0; i != calls.size(); ++i) {
    llvm::outs() << "call " << i << ": " << calls[i].method << '\n'; // above what it prints
    StatusOr<IValue> result = makeCall(program, context, calls[i]);
    if (host.hasReportedErrors()) // no program
      return result.ok() ? BadInput : report(errors, result.status(), BadInput);
    if (!result.ok())
      code = Failed;
    IValue told = result.ok() ? *result : IValue(messageOf(result.status()).str());
    observed.push_back(deepCopy(makeTuple({std::move(told), makeTuple(calls[i].args)})));
    program.finishCompiling();
  }
  Status status = saveValue(makeTuple(std::move(observed)), options.observe);
  return status.ok() ? code : report(errors, status, BadInput);
}

/// Prints what --check-trace found.
int tellOfCheck(ErrorWriter &errors, const Options &options, const StatusOr<TraceCheckReport> &found) {
  if (!found.ok())
    return report(errors, found.status(), Failed);
  for (const std::string &note : found->notes)
    tell(options, "note: " + note);
  for (const std::string &difference : found->differences)
    errors.failure("the trace differs from the program " + difference);
  return found->differences.empty() ? Done : Failed;
}

/// Traces the one call, and writes the archive of the trace. Where it differs from the program, it is written, too.
int traceCall(ErrorWriter &errors, Program &program, const Host &host, const Options &options, CallContext &context,
              llvm::ArrayRef<Call> calls) {
  if (calls.size() != 1)
    return report(errors, invalidArgument("--trace-to traces one call, and there are " + llvm::Twine(calls.size())),
                  BadInput);
  const Call &call = calls.front();
  const IValue kept = deepCopy(makeTuple(call.args)); // the call may write to its arguments
  KeywordArguments keptByName = call.kwargs;
  for (auto &[name, value] : keptByName)
    value = deepCopy(value);
  TraceOptions how;
  how.warnsOnly = options.traceAnyway;
  StatusOr<TracedGraph> traced = program.trace(context, call.entry, call.args, call.kwargs, how);
  if (!traced.ok())
    return report(errors, traced.status(), host.hasReportedErrors() ? BadInput : Failed);
  for (const TraceRemark &remark : traced->remarks)
    tell(options, llvm::Twine(remark.kind == TraceRemark::Kind::Warning ? "warning: " : "note: ") + remark.str());
  int code = Done;
  if (options.checkTrace)
    code = tellOfCheck(errors, options,
                       program.checkTrace(context, call.entry, *traced, kept.toTuple().elements, keptByName, {}));
  if (options.output.empty())
    printResult(traced->result);
  else
    code = std::max(code, saveResults(errors, options, {traced->result}));
  StatusOr<IValue> module = program.tracedModule(call.entry, *std::move(traced));
  if (!module.ok())
    return report(errors, module.status(), BadInput);
  SaveOptions save;
  save.folder = llvm::sys::path::stem(options.traceTo).str();
  StatusOr<std::string> bytes = program.save(*module, std::move(save));
  if (!bytes.ok())
    return report(errors, bytes.status(), BadInput);
  Status written = replaceFile(options.traceTo, *bytes);
  return written.ok() ? code : report(errors, written, BadInput);
}

int checkGradientsOf(ErrorWriter &errors, const Program &program, const Host &host, const Options &options,
                     CallContext &context, const std::vector<Call> &calls) {
  if (calls.empty())
    return report(errors, dataLoss("there is no call to differentiate"), BadInput);
  GradientCheck check = checkGradients(program, context, calls.front(), options);
  if (!check.status.ok())
    return report(errors, check.status, BadInput);
  if (check.difference.empty())
    return Done;
  errors.failure(check.difference);
  return Failed;
}

/// Compiles all of a program.
int checkProgram(ErrorWriter &errors, StatusOr<Program> program) {
  if (Status status = program.ok() ? program->compileAll() : program.status(); !status.ok())
    return report(errors, status, BadInput);
  return Done;
}

int checkParts(ErrorWriter &errors, const Options &options) {
  StatusOr<Ref<MappedFile>> file = MappedFile::open(options.program);
  if (!file.ok())
    return report(errors, file.status(), BadInput);
  int code = Done;
  forEachInputPart((*file)->bytes(), [&](const std::string &part) {
    Host host(options, errors, nullptr);
    if (Status status = host.loadLibraries(); !status.ok()) {
      code = report(errors, status, BadInput);
      return;
    }
    StatusOr<EngineOptions> engine = host.engineOptions();
    code = std::max(
        code, engine.ok() ? checkProgram(errors, Program::load(Bytes{part, {}}, options.program, *std::move(engine)))
                          : report(errors, engine.status(), BadInput));
  });
  return code;
}

/// Freezes the archive's module for these calls, and says what it did when the command line asks.
Status freezeFor(Program &program, const Options &options, llvm::ArrayRef<Call> calls) {
  std::vector<std::string> methods;
  for (const Call &call : calls)
    if (llvm::StringRef(options.entry.empty() ? call.method : options.entry).contains('.'))
      return invalidArgument("--freeze keeps methods of the archive's module: it excludes those of modules in it");
  for (const Call &call : calls)
    if (!llvm::is_contained(methods, call.entry.name()))
      methods.push_back(call.entry.name().str());
  std::vector<AttributeFate> fates;
  TSC_RETURN_IF_ERROR(program.freeze(methods, options.keep, &fates));
  for (const AttributeFate &fate : fates)
    if (options.verbose)
      llvm::errs() << (fate.keptBecause.empty() ? "froze '" : "kept '") << fate.path << '\''
                   << (fate.keptBecause.empty() ? "" : ": ") << fate.keptBecause << '\n';
  return okStatus();
}

/// Lets calls give gradients in place of results.
Status differentiateCalls(Program &program, const Options &options, std::vector<Call> &calls) {
  std::map<std::string, Program::Entry> made;
  for (Call &call : calls) {
    const std::string &name = call.method;
    auto known = made.find(name);
    if (known == made.end()) {
      TSC_ASSIGN_OR_RETURN(Program::Entry entry, program.differentiate(call.entry, options.gradients));
      known = made.emplace(name, entry).first;
    }
    call.entry = known->second;
  }
  return okStatus();
}

/// What --trace and --explain ask for.
int tellOfRun(ErrorWriter &errors, const Program &program, const Host &host, const Options &options,
              const TraceRecorder &trace) {
  const Fuser *fuser = program.options().fusers.find(options.device.kind);
  if (options.explain)
    explain(llvm::errs(), trace, fuser ? &fuser->counters() : nullptr);
  if (options.explain && options.profiles)
    explainProfiling(llvm::errs(), host.profilingCounters());
  if (options.trace.empty())
    return Done;
  Status status = writeTrace(trace, options.trace);
  return status.ok() ? Done : report(errors, status, BadInput);
}

/// Puts the arguments where the program runs.
Status placeArguments(const Program &program, llvm::ArrayRef<Call> calls) {
  if (!program.options().device)
    return okStatus();
  TSC_ASSIGN_OR_RETURN(const DeviceMemory *memory, program.options().accelerator->memory(*program.options().device));
  std::vector<IValue> arguments;
  for (const Call &call : calls) {
    arguments.insert(arguments.end(), call.args.begin(), call.args.end());
    for (const auto &[name, value] : call.kwargs)
      arguments.push_back(value);
  }
  return placeTensors(makeTuple(std::move(arguments)), *memory);
}

/// Makes each call once, unseen and with arguments of its own, so that the next one runs guarded code.
void makeGuards(const Program &program, CallContext &context, llvm::ArrayRef<Call> calls) {
  Generator generator = context.generator();
  CallContext unseen(program.context());
  unseen.setGenerator(generator);
  unseen.setWarningHandler({});
  unseen.quotas = context.quotas;
  unseen.gradMode = context.gradMode;
  auto succeeds = [&](const Call &call) {
    Call copy = call;
    for (IValue &value : copy.args)
      value = deepCopy(value);
    for (auto &[name, value] : copy.kwargs)
      value = deepCopy(value);
    return makeCall(program, unseen, copy).ok();
  };
  for (const Call &call : calls)
    if (!succeeds(call))
      (void)succeeds(call); // the executor makes nothing of the first failure; the one that is seen comes later
}

int runProgram(ErrorWriter &errors, const Options &options) {
  Clock::time_point start = Clock::now();
  ThreadPool pool(options.threads);
  ExecutorScope scope(options.threads > 1 ? &pool : nullptr);
  if (options.splitInput)
    return checkParts(errors, options);
  TraceRecorder trace;
  bool isTraced = !options.trace.empty() || options.explain;
  Host host(options, errors, isTraced ? &trace : nullptr);
  if (Status status = host.loadLibraries(); !status.ok())
    return report(errors, status, BadInput);
  StatusOr<EngineOptions> engine = host.engineOptions();
  if (!engine.ok())
    return report(errors, engine.status(), BadInput);
  if (options.program.empty()) // what is typed imports files from here
    engine->sourceFolder = ".";
  StatusOr<Program> program = options.program.empty() ? Program::load(Bytes{"", {}}, "<prompt>.py", *std::move(engine))
                                                      : Program::load(options.program, *std::move(engine));
  if (options.checkOnly)
    return checkProgram(errors, std::move(program));
  if (!program.ok())
    return report(errors, program.status(), BadInput);
  CallContext context(program->context());
  context.setOut(llvm::outs());
  context.quotas = options.quotas;
  context.gradMode = !options.noGrad;
  if (Generator *going = program->generator())
    context.setGenerator(*going); // where making its modules left it
  else if (options.seed)
    context.generator().setSeed(*options.seed);
  if (options.seed && !program->generator() && program->options().accelerator)
    program->options().accelerator->seed(*options.seed);
  if (options.interactive)
    return talk(errors, *program, context);
  StatusOr<std::vector<Call>> calls = makeCalls(*program, options, context);
  if (!calls.ok())
    return report(errors, calls.status(), BadInput);
  if (Status status = placeArguments(*program, *calls); !status.ok())
    return report(errors, status, BadInput);
  if (options.freeze)
    if (Status status = freezeFor(*program, options, *calls); !status.ok())
      return report(errors, status, BadInput);
  if (!options.gradients.empty())
    if (Status status = differentiateCalls(*program, options, *calls); !status.ok())
      return report(errors, status, BadInput);
  if (options.forceBailout) {
    makeGuards(*program, context, *calls);
    context.forcedBailout = options.forceBailout;
  }
  if (isTraced)
    context.trace = &trace;
  if (!options.checkGrad.empty())
    return checkGradientsOf(errors, *program, host, options, context, *calls);
  if (!options.traceTo.empty())
    return std::max(traceCall(errors, *program, host, options, context, *calls),
                    tellOfRun(errors, *program, host, options, trace));
  if (options.bench == 0) {
    int code = options.observe.empty() ? runCalls(errors, *program, host, options, context, *calls)
                                       : observeCalls(errors, *program, host, options, context, *calls);
    return std::max(code, tellOfRun(errors, *program, host, options, trace));
  }

  Timings timings;
  timings.load = microsecondsSince(start);
  if (calls->empty())
    return report(errors, invalidArgument("there is no call to time"), BadInput);
  int code = Done;
  if (Status status = measure(*program, context, calls->front(), options.bench, timings); !status.ok())
    code = report(errors, withHint(status, calls->front(), options), host.hasReportedErrors() ? BadInput : Failed);
  else
    printTimings(timings);
  return std::max(code, tellOfRun(errors, *program, host, options, trace));
}

int runMain(int argc, char **argv) {
  StatusOr<Options> options = parseOptions(argc, argv);
  if (!options.ok()) {
    llvm::errs() << "tsc-run: error: " << messageOf(options.status()) << "\n(tsc-run --help lists the options)\n";
    return BadInput;
  }
  if (options->help) {
    printHelp(llvm::outs());
    return Done;
  }
  if (options->version) {
    printVersion(llvm::outs());
    return Done;
  }
  if (options->licenses) {
    printLicenses(llvm::outs());
    return Done;
  }
  if (options->doctor)
    return printDoctor(llvm::outs(), *options) == 0 ? Done : Failed;
  setPrintDigits(options->printDigits);
  std::signal(SIGXFSZ, SIG_IGN); // a file that grows too large is an error of the write
  std::unique_ptr<ErrorWriter> errors = makeErrorWriter(options->errorFormat, llvm::errs());
  if (Status status = chooseSimdLevel(options->simd); !status.ok()) {
    report(*errors, status, BadInput);
    errors->finish();
    return BadInput;
  }
  // Where a run used up the memory that it may have, its objects are gone by the time that the error is written.
  int code = runTool("tsc-run", Failed, [&] { return runProgram(*errors, *options); });
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    errors->failure("cannot write the result: " + llvm::outs().error().message());
    llvm::outs().clear_error();
    code = BadInput;
  }
  errors->finish();
  return code;
}
} // namespace

int main(int argc, char **argv) {
  return runTool("tsc-run", Failed, [&] { return runMain(argc, argv); });
}
