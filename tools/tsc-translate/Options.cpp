//===- Options.cpp - The command line of tsc-translate --------------------===//
#include "Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using namespace tsc::translate;
using llvm::StringRef;

namespace {
struct OptionInfo {
  const char *name;
  const char *value; ///< What to call the value in the help; null for a switch.
  const char *help;
  /// Stores the value. False when it is not one.
  bool (*store)(Options &, StringRef);
  bool isValueOptional = false;
};

const OptionInfo table[] = {
    {"to", "pt|py|ir", "form of the output: archive, TorchScript source or graphs; default: by the ending of OUTPUT",
     [](Options &o, StringRef v) {
       o.form = llvm::StringSwitch<std::optional<Form>>(v)
                    .Case("pt", Form::Archive)
                    .Case("py", Form::Python)
                    .Case("ir", Form::IR)
                    .Default(std::nullopt);
       return o.form.has_value();
     }},
    {"list", nullptr, "list what INPUT holds: modules, parameters, methods, operators",
     [](Options &o, StringRef) { return (o.form = Form::Listing).has_value(); }},
    {"json", nullptr, "print what --list prints, as JSON",
     [](Options &o, StringRef) { return (o.form = Form::Json).has_value(); }},
    {"entry", "NAME", "the function, module or class of modules of a source file to translate",
     [](Options &o, StringRef v) {
       o.entry = v.str();
       return !v.empty();
     }},
    {"freeze", "KEEP,...", "make the archive's parameters and attributes constants of its code, except those named",
     [](Options &o, StringRef v) {
       llvm::SmallVector<StringRef> paths;
       v.split(paths, ',', -1, /*KeepEmpty=*/false);
       o.keep.assign(paths.begin(), paths.end());
       return o.freeze = true;
     },
     /*isValueOptional=*/true},
    {"dtype", "float32|float64|float16|bfloat16", "convert floating-point parameters and buffers to this dtype",
     [](Options &o, StringRef v) {
       o.dtype = llvm::StringSwitch<std::optional<DType>>(v)
                     .Cases("float", "float32", DType::Float)
                     .Cases("double", "float64", DType::Double)
                     .Cases("half", "float16", DType::Half)
                     .Case("bfloat16", DType::BFloat16)
                     .Default(std::nullopt);
       return o.dtype.has_value();
     }},
    {"device", "cpu|cuda|cuda:N", "move tensors to this device, also those that the code puts on a device",
     [](Options &o, StringRef v) {
       o.device = Device::parse(v);
       return o.device && o.device->kind != DeviceKind::Meta;
     }},
    {"optimize", "O1|O2", "O1: fold constants and remove unused code in each function; O2: also across calls",
     [](Options &o, StringRef v) {
       o.optimization = v == "O1" ? 1 : v == "O2" ? 2 : 0;
       return o.optimization != 0;
     }},
    {"progress", nullptr, "show the progress on stderr, even if it is not a terminal",
     [](Options &o, StringRef) { return o.progress = true; }},
    {"set-metadata", "NAME=TEXT",
     "put TEXT into the archive as the file extra/NAME, and replace an older file of that name",
     [](Options &o, StringRef v) {
       auto [name, text] = v.split('=');
       o.extraFiles.emplace_back(name.str(), text.str());
       return v.contains('=') && !name.empty() && !name.contains("..") && !name.starts_with("/");
     }},
    {"allow-setstate", nullptr, "let __setstate__ and __getstate__ methods run",
     [](Options &o, StringRef) { return o.allowSetState = true; }},
    {"help", nullptr, "print this help", [](Options &o, StringRef) { return o.help = true; }},
    {"version", nullptr, "print the version", [](Options &o, StringRef) { return o.version = true; }},
};
} // namespace

void translate::printHelp(llvm::raw_ostream &os) {
  os << "usage: tsc-translate INPUT [-o OUTPUT] [options]\n"
        "       tsc-translate --diff A.pt B.pt\n\n"
        "Writes a TorchScript program in another form: INPUT is source (.py), an archive (.pt) or\n"
        "graphs (.ir); OUTPUT is an archive, source or graphs. Without -o, text goes to stdout.\n\n";
  os << llvm::left_justify("  -o OUTPUT", 42) << "the file to write\n";
  for (const OptionInfo &option : table) {
    std::string left = std::string("--") + option.name;
    if (option.value)
      left += option.isValueOptional ? "[=" + std::string(option.value) + "]" : " " + std::string(option.value);
    os << llvm::left_justify("  " + left + " ", 42) << option.help << '\n';
  }
  os << llvm::left_justify("  --diff A B", 42) << "compare two programs: structure, weights, code\n"
     << "\nExit codes: 0 done; 1 --diff found a difference; 2 bad usage, an unreadable file, or a program\n"
        "that cannot be written in the form asked for.\n";
}

static std::optional<Form> formOfEnding(StringRef path) {
  return path.ends_with(".py")   ? std::optional(Form::Python)
         : path.ends_with(".ir") ? std::optional(Form::IR)
         : path.empty()          ? std::nullopt
                                 : std::optional(Form::Archive);
}

static Status checkTogether(Options &o) {
  if (o.help || o.version || o.diff)
    return okStatus();
  if (o.input.empty())
    return invalidArgument("no program given");
  if (!o.form)
    o.form = formOfEnding(o.output);
  if (!o.form)
    return invalidArgument("what is to be made of it? -o FILE, --to py, --to ir or --list");
  if (*o.form == Form::Archive && o.output.empty())
    return invalidArgument("an archive needs a file to go to: -o FILE");
  if (!o.extraFiles.empty() && *o.form != Form::Archive)
    return invalidArgument("--set-metadata is about archives");
  if (o.device && (StringRef(o.input).ends_with(".py") || StringRef(o.input).ends_with(".ir")))
    return invalidArgument("--device needs an archive, which '" + llvm::Twine(o.input) + "' is not");
  if (o.freeze && (StringRef(o.input).ends_with(".py") || StringRef(o.input).ends_with(".ir")))
    return invalidArgument("--freeze needs an archive, which '" + llvm::Twine(o.input) + "' is not");
  return okStatus();
}

StatusOr<Options> translate::parseOptions(int argc, const char *const *argv) {
  Options options;
  std::vector<std::string> inputs;
  bool isDiff = false;
  for (int i = 1; i < argc; ++i) {
    StringRef text = argv[i];
    if (text == "-o" || text == "--output" || text == "--diff") {
      isDiff |= text == "--diff";
      if (text == "--diff")
        continue;
      if (++i == argc)
        return invalidArgument("option '-o' needs a file");
      options.output = argv[i];
      continue;
    }
    if (!text.starts_with("-") || text == "-") {
      inputs.push_back(text.str());
      continue;
    }
    auto [name, value] = text.ltrim('-').split('=');
    const bool attached = text.contains('=');
    const OptionInfo *option = llvm::find_if(table, [&](const OptionInfo &o) { return name == o.name; });
    if (option == std::end(table))
      return invalidArgument("unknown option '" + text + "'");
    if (!option->value && attached)
      return invalidArgument("option '--" + name + "' takes no value");
    if (option->value && !attached && !option->isValueOptional) {
      if (++i == argc)
        return invalidArgument("option '--" + name + "' needs a value: " + option->value);
      value = argv[i];
    }
    if (!option->store(options, value))
      return invalidArgument("option '--" + name + "' takes " + option->value + ", not '" + value + "'");
  }
  if (isDiff && inputs.size() != 2)
    return invalidArgument("--diff compares two programs, not " + llvm::Twine(inputs.size()));
  if (!isDiff && inputs.size() > 1)
    return invalidArgument("two programs given: '" + llvm::Twine(inputs[0]) + "' and '" + inputs[1] + "'");
  if (isDiff)
    options.diff.emplace(inputs[0], inputs[1]);
  else if (!inputs.empty())
    options.input = inputs[0];
  TSC_RETURN_IF_ERROR(checkTogether(options));
  return options;
}
