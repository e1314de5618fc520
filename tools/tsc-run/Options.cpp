//===- Options.cpp - The command line of tsc-run --------------------------===//
//
// A table and not llvm::cl: this tool starts in about a millisecond, and cl's
// registrations cost more than that.
//
//===----------------------------------------------------------------------===//
#include "Options.h"
#include "tsc/Support/MappedFile.h"
#include "tsc/Support/NearestName.h"
#include "tsc/Tensor/PrintDigits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using namespace tsc::run;
using llvm::StringRef;

namespace {
/// How an option takes its value: not at all, as `--name value` or `--name=value`.
struct OptionInfo {
  const char *name;
  const char *value; ///< What to call the value in the help; null for a switch.
  const char *help;
  /// Stores the value. False when it is not one.
  bool (*store)(Options &, StringRef);
  bool isAboutRuns = false;     ///< Says nothing where nothing runs.
  bool isValueOptional = false; ///< The value must be attached then: `--name=value`.
  bool mayRepeat = false;       ///< Whether each value counts. Of other options only one may be given.
};

template <typename T> bool parseNumber(StringRef text, T &number) { return !text.getAsInteger(10, number); }
bool parseTolerance(StringRef text, std::optional<double> &number) {
  double value;
  if (text.getAsDouble(value) || !(value >= 0))
    return false;
  number = value;
  return true;
}

bool storePattern(StringRef text, std::string &pattern) {
  pattern = text.str();
  return !text.empty() && llvm::Regex(text).isValid();
}

/// Bytes: a number, or one with K, M, G or T for powers of 1024.
bool parseSize(StringRef text, uint64_t &bytes) {
  const size_t unit = StringRef("KMGT").find(text.empty() ? '?' : llvm::toUpper(text.back()));
  if (unit != StringRef::npos)
    text = text.drop_back();
  const unsigned shift = unit == StringRef::npos ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
  uint64_t count;
  if (!parseNumber(text, count) || count == 0 || (count << shift) >> shift != count)
    return false;
  bytes = count << shift;
  return true;
}

const OptionInfo callsOptions[] = {
    {"entry", "NAME",
     "function or method to call, without hooks, as in encode or encoder.forward; default: forward with its hooks, "
     "else "
     "main, else the only function",
     [](Options &o, StringRef v) {
       o.entry = v.str();
       return !v.empty();
     }},
    {"args", "'E1, E2'",
     "arguments, as TorchScript expressions, also by name, as in 'x, n=3'; a tuple that is the only argument ends in a "
     "comma: '(a, b),'",
     [](Options &o, StringRef v) {
       o.args = v.str();
       return o.hasArgs = true;
     }},
    {"inputs", "F.pt", "read arguments, and results to compare with, from a file of torch.save",
     [](Options &o, StringRef v) {
       o.inputs = v.str();
       return !v.empty();
     },
     /*isAboutRuns=*/true},
    {"interactive", nullptr,
     "read statements from the terminal or a pipe and run them, with the names of PROGRAM if it is given; type "
     ":help for commands",
     [](Options &o, StringRef) { return o.interactive = true; }},
    {"grad", "LIST",
     "in place of the results, give the gradients of their sum by these arguments, as in 0,2; with --bench, time "
     "forward and backward",
     [](Options &o, StringRef v) {
       llvm::SmallVector<StringRef> numbers;
       v.split(numbers, ',');
       return llvm::all_of(numbers,
                           [&](StringRef number) { return parseNumber(number.trim(), o.gradients.emplace_back()); });
     },
     /*isAboutRuns=*/true},
    {"no-grad", nullptr,
     "run as under torch.no_grad(), for an archive that changes its parameters; a source file says so itself",
     [](Options &o, StringRef) { return o.noGrad = true; },
     /*isAboutRuns=*/true},
    {"load-library", "FILE.so",
     "load a shared library of operators, written with tsc-c/tsc.h; may be given more than once",
     [](Options &o, StringRef v) {
       o.libraries.push_back(v.str());
       return !v.empty();
     },
     /*isAboutRuns=*/false, /*isValueOptional=*/false, /*mayRepeat=*/true},
};

const OptionInfo resultsOptions[] = {
    {"output", "F.pt", "write the result to a file that torch.load reads; of several calls, a tuple of results",
     [](Options &o, StringRef v) {
       o.output = v.str();
       return !v.empty();
     },
     /*isAboutRuns=*/true},
    {"print-digits", "N", "digits behind the point that tensors are printed with, up to 17; default 4",
     [](Options &o, StringRef v) { return parseNumber(v, o.printDigits) && o.printDigits <= maxPrintDigits; }},
    {"check", nullptr, "compare the results with those in the file of --inputs, and say on stderr how many calls agree",
     [](Options &o, StringRef) { return o.check = true; },
     /*isAboutRuns=*/true},
    {"check-grad", "F.pt",
     "compare the gradients of the first call, of first and second order, with those in this file; implies -O0",
     [](Options &o, StringRef v) {
       o.checkGrad = v.str();
       o.optimization = 0;
       return !v.empty();
     },
     /*isAboutRuns=*/true},
    {"rtol", "X", "relative tolerance of --check and --check-grad; the default depends on the dtype",
     [](Options &o, StringRef v) { return parseTolerance(v, o.tolerance.relative); }},
    {"atol", "X", "absolute tolerance of --check and --check-grad; the default depends on the dtype",
     [](Options &o, StringRef v) { return parseTolerance(v, o.tolerance.absolute); }},
    {"observe", "F.pt",
     "make all calls, even if some fail, and write for each its result or error, and its arguments after the call",
     [](Options &o, StringRef v) {
       o.observe = v.str();
       return !v.empty();
     },
     /*isAboutRuns=*/true},
};

const OptionInfo runningOptions[] = {
    {"device", "cpu|cuda|cuda:N",
     "run on this device: modules, arguments, constants, and tensors made without naming a device are there; an "
     "archive saved on another device can be used",
     [](Options &o, StringRef v) {
       std::optional<Device> device = Device::parse(v);
       o.device = device.value_or(Device());
       return device && (device->kind == DeviceKind::CPU || device->kind == DeviceKind::CUDA);
     }},
    {"threads", "N", "threads that one operator may use; default 1",
     [](Options &o, StringRef v) { return parseNumber(v, o.threads) && o.threads > 0 && o.threads <= 1024; }},
    {"seed", "N", "call torch.manual_seed(N) first",
     [](Options &o, StringRef v) {
       int64_t n = 0;
       uint64_t u = 0;
       if (!v.getAsInteger(10, n))
         o.seed = static_cast<uint64_t>(n);
       else if (!v.getAsInteger(10, u))
         o.seed = u;
       return o.seed.has_value();
     }},
    {"freeze", "KEEP,...", "make the archive's parameters and attributes constants of its code, except those named",
     [](Options &o, StringRef v) {
       llvm::SmallVector<StringRef> paths;
       v.split(paths, ',', -1, /*KeepEmpty=*/false);
       o.keep.assign(paths.begin(), paths.end());
       return o.freeze = true;
     },
     /*isAboutRuns=*/true, /*isValueOptional=*/true},
    {"verbose", nullptr, "with --freeze: say on stderr what was frozen, and what was not and why",
     [](Options &o, StringRef) { return o.verbose = true; }},
    {"executor", "interp|specialize|profiling",
     "interp: one code for all calls; specialize: from -O2 on, also plans (code for the dtypes and ranks of a call), "
     "the default; profiling: from -O2 on, code that relies on what an observed call saw, and guards it",
     [](Options &o, StringRef v) {
       o.profiles = v == "profiling";
       o.specializes = o.profiles || v == "specialize" || v == "specializing";
       return o.specializes || v == "interp";
     }},
    {"force-bailout", "N",
     "with --executor=profiling: make each call once before, with copies of its arguments and unseen, and let guard N "
     "(from 0) of its code fail then",
     [](Options &o, StringRef v) { return parseNumber(v, o.forceBailout.emplace()); },
     /*isAboutRuns=*/true},
    {"compile", "eager|background|off",
     "eager: make plans and kernels in the first call; background: in another thread, the default; off: make plans, "
     "but no kernels",
     [](Options &o, StringRef v) {
       o.compile = v == "eager" ? CompileMode::Eager : v == "off" ? CompileMode::Off : CompileMode::Background;
       return v == "eager" || v == "background" || v == "off";
     }},
    {"compile-budget", "MS", "the most milliseconds of one core to spend on compiling kernels; default: no limit",
     [](Options &o, StringRef v) { return parseNumber(v, o.compileBudget.emplace()); }},
    {"simd", "v2|v3|v4|neon",
     "use vector instructions up to this level only, for kernels and fused operators; default: TSC_SIMD, or else all "
     "that the machine has",
     [](Options &o, StringRef v) {
       o.simd = v.str();
       return !v.empty();
     }},
    {"tune", "PROCESSOR",
     "tune kernels for another processor, by LLVM's name for it, as in znver4; the results are the same",
     [](Options &o, StringRef v) {
       o.tuneFor = v.str();
       return !v.empty();
     }},
    {"cuda-driver", "F.so", "use this library in place of the system's CUDA driver, NVRTC, cuBLASLt and cuDNN",
     [](Options &o, StringRef v) {
       o.cudaDriver = v.str();
       return !v.empty();
     }},
};

const OptionInfo timesOptions[] = {
    {"bench", "N", "make N timed calls after a warm-up, and print one line of JSON on stdout",
     [](Options &o, StringRef v) { return parseNumber(v, o.bench) && o.bench > 0; },
     /*isAboutRuns=*/true},
    {"explain", nullptr,
     "say on stderr what each group of fused operators is, how near it came to the speed of memory, and what "
     "gradients keep",
     [](Options &o, StringRef) { return o.explain = true; },
     /*isAboutRuns=*/true},
    {"trace", "F.json", "write a timeline of plans, passes, kernels, operators and groups, for ui.perfetto.dev",
     [](Options &o, StringRef v) {
       o.trace = v.str();
       return !v.empty();
     },
     /*isAboutRuns=*/true},
    {"perf-map", nullptr, "list the addresses of kernels in /tmp/perf-PID.map, for Linux perf",
     [](Options &o, StringRef) { return o.perfMap = true; },
     /*isAboutRuns=*/true},
};

const OptionInfo limitsOptions[] = {
    {"allow-setstate", nullptr, "let __setstate__ methods of the archive run while it is loaded",
     [](Options &o, StringRef) { return o.allowSetState = true; }},
    {"allow-operators", "FILE|LIST",
     "the only operators that the program may use, as in aten::add,aten::mul.Tensor,aten::_*, or a file that lists "
     "them",
     [](Options &o, StringRef v) {
       o.allowOperators = v.str();
       return !v.empty();
     }},
    {"deny-operators", "FILE|LIST", "operators that the program may not use, or a file that lists them",
     [](Options &o, StringRef v) {
       o.denyOperators = v.str();
       return !v.empty();
     }},
    {"max-memory", "BYTES",
     "the most bytes that tensors, lists, dicts, strings and objects may take, as in 512M or 2G; default: no limit",
     [](Options &o, StringRef v) { return parseSize(v, o.quotas.memory); }},
    {"max-steps", "N",
     "the most steps that the program may make: iterations, calls, and work of operators; default: no limit",
     [](Options &o, StringRef v) { return parseNumber(v, o.quotas.steps) && o.quotas.steps > 0; }},
    {"max-depth", "N", "the most nested calls; default 10000",
     [](Options &o, StringRef v) { return parseNumber(v, o.quotas.depth) && o.quotas.depth > 0; }},
    {"max-output", "BYTES", "the most bytes that print and warnings may write; default: no limit",
     [](Options &o, StringRef v) { return parseSize(v, o.quotas.output); }},
};

const OptionInfo errorsOptions[] = {
    {"check-only", nullptr, "compile everything, and run nothing",
     [](Options &o, StringRef) { return o.checkOnly = true; }},
    {"split-input-file", nullptr,
     "with --check-only: take the parts of the file between lines '# -----' for separate programs",
     [](Options &o, StringRef) { return o.splitInput = true; }},
    {"all-overloads", nullptr,
     "if a call fits no overload of an operator, list all overloads, and why each does not fit",
     [](Options &o, StringRef) { return o.allOverloads = true; }},
    {"error-format", "text|json|sarif",
     "print errors on stderr as text, as one JSON object a line, or as one SARIF 2.1 document",
     [](Options &o, StringRef v) {
       o.errorFormat = v == "json" ? ErrorFormat::Json : v == "sarif" ? ErrorFormat::Sarif : ErrorFormat::Text;
       return v == "text" || v == "json" || v == "sarif";
     }},
};

const OptionInfo tracesOptions[] = {
    {"trace-to", "F.pt",
     "write an archive of the call as a trace: without loops and branches, which are refused where other inputs may "
     "change them; calls of other functions stay",
     [](Options &o, StringRef v) {
       o.traceTo = v.str();
       return !v.empty();
     },
     /*isAboutRuns=*/true},
    {"trace-anyway", nullptr, "let --trace-to warn of what a trace cannot hold, and write what the call did",
     [](Options &o, StringRef) { return o.traceAnyway = true; },
     /*isAboutRuns=*/true},
    {"check-trace", nullptr,
     "compare the trace of --trace-to with the program: on the same inputs, with another seed and with one row more",
     [](Options &o, StringRef) { return o.checkTrace = true; },
     /*isAboutRuns=*/true},
};

const OptionInfo compilerOptions[] = {
    {"print-ir", "frontend|optimized|all",
     "print graphs to stderr: before optimization, after it, or both, and after each pass that changed one",
     [](Options &o, StringRef v) {
       o.printIR = v == "frontend" ? PrintIR::Frontend : v == "optimized" ? PrintIR::Optimized : PrintIR::All;
       return v == "frontend" || v == "optimized" || v == "all";
     },
     /*isAboutRuns=*/true},
    {"print-code", nullptr, "print the interpreter's instructions to stderr",
     [](Options &o, StringRef) { return o.printCode = true; },
     /*isAboutRuns=*/true},
    {"print-kernels", "loops|llvm|asm|cuda|ptx|nvrtc",
     "print the compiled kernels to stdout (loops, llvm, asm), or those for a GPU, without needing one (cuda, ptx, "
     "and nvrtc: all that NVRTC is given)",
     [](Options &o, StringRef v) {
       if (v == "cuda" || v == "ptx" || v == "nvrtc") {
         o.cudaListing = v == "cuda" ? CudaListing::Source : v == "ptx" ? CudaListing::Ptx : CudaListing::Program;
         return true;
       }
       o.printKernels = v == "loops" ? PrintKernels::Loops : v == "llvm" ? PrintKernels::LLVM : PrintKernels::Asm;
       return v == "loops" || v == "llvm" || v == "asm";
     },
     /*isAboutRuns=*/true},
    {"pass-remarks", "REGEX", "say on stderr what the passes whose names match have done, and where",
     [](Options &o, StringRef v) { return storePattern(v, o.remarks); },
     /*isAboutRuns=*/true},
    {"pass-remarks-missed", "REGEX", "say on stderr what the passes whose names match have not done, where, and why",
     [](Options &o, StringRef v) { return storePattern(v, o.missedRemarks); },
     /*isAboutRuns=*/true},
    {"validate", "N", "run each function before and after each pass on N random inputs, and compare the results",
     [](Options &o, StringRef v) { return parseNumber(v, o.validate); },
     /*isAboutRuns=*/true},
    {"check-aliases", nullptr, "fail if alias analysis predicts wrongly which values share memory or are written; slow",
     [](Options &o, StringRef) { return o.checkAliases = true; },
     /*isAboutRuns=*/true},
};

const OptionInfo aboutOptions[] = {
    {"help", nullptr, "print this help", [](Options &o, StringRef) { return o.help = true; }},
    {"version", nullptr, "print the version, and what the program was built from",
     [](Options &o, StringRef) { return o.version = true; }},
    {"licenses", nullptr, "print the license, and the licenses of what the program contains",
     [](Options &o, StringRef) { return o.licenses = true; }},
    {"doctor", nullptr, "print what this machine offers, and what is wrong with it; exit code 1 if anything is wrong",
     [](Options &o, StringRef) { return o.doctor = true; }},
};

/// The options that stand under one heading of the help.
struct OptionGroup {
  const char *title;
  llvm::ArrayRef<OptionInfo> options;
};

const OptionGroup groups[] = {
    {"Calls", callsOptions},
    {"Results", resultsOptions},
    {"How a program runs", runningOptions},
    {"Times", timesOptions},
    {"Limits, for files of strangers", limitsOptions},
    {"Errors in programs", errorsOptions},
    {"Traces as archives", tracesOptions},
    {"What the compiler does", compilerOptions},
    {"About tsc-run", aboutOptions},
};

/// Second names: one letter behind one dash.
struct Letter {
  char letter;
  const char *option;
};
constexpr Letter letters[] = {{'h', "help"}, {'i', "interactive"}, {'v', "version"}};
} // namespace

static const OptionInfo *findOption(StringRef name) {
  for (const OptionGroup &group : groups)
    for (const OptionInfo &option : group.options)
      if (name == option.name)
        return &option;
  return nullptr;
}

static void printOption(llvm::raw_ostream &os, const OptionInfo &option) {
  std::string left = std::string("  --") + option.name;
  if (option.value)
    left += option.isValueOptional ? "[=" + std::string(option.value) + "]" : " " + std::string(option.value);
  os << llvm::left_justify(left + " ", 37);
  for (const Letter &second : letters)
    if (StringRef(second.option) == option.name)
      os << '-' << second.letter << ": ";
  os << option.help << '\n';
}

void run::printHelp(llvm::raw_ostream &os) {
  os << "usage: tsc-run PROGRAM [options]\n       tsc-run -i [PROGRAM] [options]\n\n"
        "Runs TorchScript: PROGRAM is source (.py), an archive (.pt) or a graph (.ir).\n\n"
        "Examples:\n"
        "  tsc-run model.pt --args 'torch.ones([1, 4]), n=3'   call an archive, and print the result\n"
        "  tsc-run model.pt --inputs recorded.pt --check       compare results with those that PyTorch gave\n"
        "  tsc-run -i model.pt                                 type statements, with the archive as model\n\n"
        "PyTorch writes a file for --inputs with torch.save({'args': (x,), 'result': y}, 'F.pt').\n\n";
  for (const OptionGroup &group : groups) {
    os << group.title << ":\n";
    for (const OptionInfo &option : group.options)
      printOption(os, option);
    if (group.options.data() == runningOptions)
      os << llvm::left_justify("  -O0 ... -O3", 37) << "level of optimization; default -O2\n";
    os << '\n';
  }
  os << "Exit codes: 0 done; 1 the program failed, or --check found a difference; 2 bad usage,\n"
        "an unreadable file, or text that does not parse or verify.\n";
}

static Status apply(Options &options, const OptionInfo &option, StringRef value) {
  if (option.store(options, value))
    return okStatus();
  return invalidArgument("option '--" + llvm::Twine(option.name) + "' takes " + option.value + ", not '" + value + "'");
}

/// The operators that an option names: a list of them, or a file that holds one.
static Status readOperators(const char *option, const std::string &value, std::vector<std::string> &patterns) {
  if (value.empty())
    return okStatus();
  std::string text = value;
  if (!StringRef(value).contains("::")) {
    StatusOr<Ref<MappedFile>> file = MappedFile::open(value);
    if (!file.ok())
      return withContext(file.status(), "option '--" + llvm::Twine(option) + "' takes a list of operators or a file: ");
    text = (*file)->bytes().str();
  }
  StatusOr<std::vector<std::string>> parsed = parseOperatorPatterns(text);
  if (!parsed.ok())
    return withContext(parsed.status(), "option '--" + llvm::Twine(option) + "': ");
  if (parsed->empty())
    return invalidArgument("option '--" + llvm::Twine(option) + "' names no operator");
  patterns = *std::move(parsed);
  return okStatus();
}

/// Refuses a name that says the file is of another kind than it will be.
static Status checkOutputName(StringRef path) {
  const StringRef ending = llvm::sys::path::extension(path);
  if (!llvm::is_contained({".csv", ".tsv", ".txt", ".json", ".npy", ".npz", ".safetensors", ".onnx", ".h5"}, ending))
    return okStatus();
  return invalidArgument("--output writes a file of torch.save, which '" + path +
                         "' does not say: end its name in .pt, " +
                         "or print the result, as a program does with print(x.tolist())");
}

/// `aboutRuns`: the name of an option that is given and about what runs; null without one.
static Status checkTogether(const Options &o, const char *aboutRuns) {
  if (o.help || o.version || o.licenses || o.doctor)
    return okStatus();
  if (o.interactive && aboutRuns)
    return invalidArgument("--interactive runs what is typed, and --" + llvm::Twine(aboutRuns) + " is about calls");
  if (o.interactive && (o.checkOnly || o.hasArgs || !o.entry.empty()))
    return invalidArgument("--interactive runs what is typed: it excludes --" + llvm::Twine(o.checkOnly ? "check-only"
                                                                                            : o.hasArgs ? "args"
                                                                                                        : "entry"));
  if (o.interactive && StringRef(o.program).ends_with(".ir"))
    return invalidArgument("--interactive needs source or an archive, which '" + llvm::Twine(o.program) + "' is not");
  if (o.program.empty() && !o.interactive)
    return invalidArgument("no program given");
  if (o.check && o.inputs.empty())
    return invalidArgument("--check needs --inputs, whose file holds the expected results");
  if (!o.check && o.checkGrad.empty() && (o.tolerance.relative || o.tolerance.absolute))
    return invalidArgument("--rtol and --atol need --check or --check-grad");
  if (o.verbose && !o.freeze)
    return invalidArgument("--verbose needs --freeze");
  if (o.splitInput && !o.checkOnly)
    return invalidArgument("--split-input-file needs --check-only");
  bool isText = StringRef(o.program).ends_with(".py") || StringRef(o.program).ends_with(".ir");
  if (o.splitInput && !isText)
    return invalidArgument("--split-input-file needs source or IR, which '" + llvm::Twine(o.program) + "' is not");
  if (o.checkOnly && aboutRuns)
    return invalidArgument("--check-only runs nothing that --" + llvm::Twine(aboutRuns) + " could be about");
  if (!o.trace.empty() && o.trace == o.output)
    return invalidArgument("--trace and --output name one file, '" + llvm::Twine(o.output) + "'");
  if (o.freeze && isText)
    return invalidArgument("--freeze needs an archive: '" + llvm::Twine(o.program) + "' has no parameters to freeze");
  if (!o.checkGrad.empty() && (o.bench || !o.output.empty() || !o.observe.empty()))
    return invalidArgument("--check-grad makes one call and compares: it excludes --" + llvm::Twine(o.bench ? "bench"
                                                                                                    : o.output.empty()
                                                                                                        ? "observe"
                                                                                                        : "output"));
  if (o.noGrad && (!o.gradients.empty() || !o.checkGrad.empty()))
    return invalidArgument("--no-grad leaves no gradients: it excludes --" +
                           llvm::Twine(o.checkGrad.empty() ? "grad" : "check-grad"));
  if (!o.gradients.empty() && (o.check || !o.checkGrad.empty()))
    return invalidArgument("--grad gives gradients in place of results: it excludes --" +
                           llvm::Twine(o.check ? "check" : "check-grad"));
  if (!o.observe.empty() && (o.check || !o.output.empty() || o.bench))
    return invalidArgument("--observe tells of all that calls do: it excludes --" + llvm::Twine(o.check   ? "check"
                                                                                                : o.bench ? "bench"
                                                                                                          : "output"));
  if (!o.observe.empty() && o.observe == o.trace)
    return invalidArgument("--trace and --observe name one file, '" + llvm::Twine(o.observe) + "'");
  if (o.forceBailout && (!o.profiles || o.optimization < 2))
    return invalidArgument("--force-bailout needs --executor=profiling and -O2, which make guards");
  if ((o.traceAnyway || o.checkTrace) && o.traceTo.empty())
    return invalidArgument(llvm::Twine(o.checkTrace ? "--check-trace" : "--trace-anyway") +
                           " needs --trace-to, which makes a trace");
  if (!o.traceTo.empty())
    for (auto [isGiven, name] :
         {std::pair(o.check, "check"), std::pair(o.bench != 0, "bench"), std::pair(!o.observe.empty(), "observe"),
          std::pair(!o.checkGrad.empty(), "check-grad"), std::pair(!o.gradients.empty(), "grad"),
          std::pair(o.freeze, "freeze")})
      if (isGiven)
        return invalidArgument("--trace-to makes one call, of the program as it is written: it excludes --" +
                               llvm::Twine(name));
  if (!o.traceTo.empty() && (o.traceTo == o.output || o.traceTo == o.trace || o.traceTo == o.program))
    return invalidArgument("--trace-to and another option name one file, '" + llvm::Twine(o.traceTo) + "'");
  if (o.hasArgs && !o.inputs.empty())
    return invalidArgument("--args and --inputs exclude each other");
  TSC_RETURN_IF_ERROR(checkOutputName(o.output));
  if (o.bench && (o.check || !o.output.empty()))
    return invalidArgument("--bench gives times and no results: without it, --" +
                           llvm::Twine(o.check ? "check" : "output") + " sees them");
  return okStatus();
}

static Status unknownOption(StringRef text) {
  const StringRef name = text.ltrim('-').split('=').first;
  NearestName nearest(name);
  for (const OptionGroup &group : groups)
    for (const OptionInfo &option : group.options)
      nearest.consider(option.name);
  return invalidArgument("unknown option '" + text + "'" +
                         (nearest.name().empty() ? "" : "; did you mean --" + nearest.name() + "?"));
}

StatusOr<Options> run::parseOptions(int argc, const char *const *argv) {
  Options options;
  const char *aboutRuns = nullptr;
  llvm::StringSet<> given; // options with a value
  for (int i = 1; i < argc; ++i) {
    StringRef text = argv[i];
    if (text.size() == 3 && text.starts_with("-O") && text[2] >= '0' && text[2] <= '3') {
      options.optimization = text[2] - '0';
      continue;
    }
    if (!text.starts_with("-") || text == "-") {
      if (!options.program.empty())
        return invalidArgument("two programs given: '" + llvm::Twine(options.program) + "' and '" + text + "'");
      options.program = text.str();
      continue;
    }
    for (const Letter &second : letters)
      if (text.size() == 2 && text[1] == second.letter)
        text = second.option;
    auto [name, value] = text.ltrim('-').split('=');
    bool attached = text.contains('=');
    const OptionInfo *option = findOption(name);
    if (!option)
      return unknownOption(argv[i]);
    if (!option->value && attached)
      return invalidArgument("option '--" + name + "' takes no value");
    if (option->value && !attached && !option->isValueOptional) {
      if (++i == argc)
        return invalidArgument("option '--" + name + "' needs a value: " + option->value);
      value = argv[i];
    }
    if (option->value && !option->mayRepeat && !given.insert(option->name).second)
      return invalidArgument("--" + name + " is given twice" + (name == "args" ? "; write --args 'A, B'" : ""));
    TSC_RETURN_IF_ERROR(apply(options, *option, value));
    aboutRuns = option->isAboutRuns ? option->name : aboutRuns;
  }
  TSC_RETURN_IF_ERROR(checkTogether(options, aboutRuns));
  TSC_RETURN_IF_ERROR(readOperators("allow-operators", options.allowOperators, options.operators.allowed));
  TSC_RETURN_IF_ERROR(readOperators("deny-operators", options.denyOperators, options.operators.denied));
  return options;
}
