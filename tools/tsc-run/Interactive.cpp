//===- Interactive.cpp - tsc-run -i ---------------------------------------===//
#include "Interactive.h"
#include "ErrorWriter.h"
#include "LineEditor.h"
#include "tsc/Engine/Prompt.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/LanguageServer/Queries.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <csignal>

using namespace tsc;
using namespace tsc::run;
using llvm::StringRef;

static constexpr char help[] =
    ":graph f     the graph of a function or method, before optimization\n"
    ":time e      how long an expression takes: the fastest of several times\n"
    ":type e      the type of an expression, which is not run\n"
    ":help        this\n"
    ":quit        ends, as the end of the input does\n"
    "All else is TorchScript. A block ends with an empty line, in a script with a line at the margin; "
    "_ is the last value.\n";

static CallContext *runningCall;

extern "C" void interruptTscPrompt(int) {
  interruptLine();
  if (runningCall)
    runningCall->cancel();
}

/// Whether a line of a script stands behind the block that `text` is.
static bool endsBefore(StringRef text, StringRef line) {
  static constexpr StringRef goingOn[] = {"else", "elif", "except", "finally"};
  if (text.empty() || line.trim().empty() || line[0] == ' ' || line[0] == '\t' || Prompt::goesOn((text + "\n").str()))
    return false;
  StringRef last = text.rtrim();
  last = last.drop_front(last.rfind('\n') + 1);
  return !last.ends_with(":") && !last.starts_with("@") &&
         llvm::none_of(goingOn, [&](StringRef word) { return line.starts_with(word); });
}

/// Prints a method as Python declares it, under the name that it is called by and without `self`.
static void printSignature(llvm::raw_ostream &os, const llvm::Twine &name, const FunctionSchema &schema) {
  os << "  " << name << '(';
  bool isFirst = true;
  for (const Argument &argument : schema.arguments().drop_front(schema.arguments().empty() ? 0 : 1)) {
    os << (isFirst ? "" : ", ") << argument.name << ": " << argument.type->annotation();
    isFirst = false;
    if (!argument.defaultValue)
      continue;
    os << " = ";
    reprValue(os, *argument.defaultValue);
  }
  os << ')';
  if (!schema.returns().empty())
    os << " -> " << schema.returns().front().type->annotation();
  os << '\n';
}

namespace {
class Talk {
public:
  Talk(ErrorWriter &errors, Program &program, CallContext &call)
      : errors(errors), program(program), call(call), prompt(program, call),
        editor([this](StringRef line, size_t &begin) { return complete(line, begin); }) {}

  int run() {
    struct sigaction action = {}, before;
    action.sa_handler = interruptTscPrompt; // without SA_RESTART: a line that is being read ends
    sigaction(SIGINT, &action, &before);
    if (editor.isInteractive())
      greet();
    bool hasFailed = false;
    std::string text;
    while (true) {
      bool wasInterrupted;
      std::optional<std::string> line = editor.read(text.empty() ? ">>> " : "... ", wasInterrupted);
      if (wasInterrupted) {
        text.clear();
        continue;
      }
      if (line) {
        StringRef typed = StringRef(*line).rtrim("\r");
        if (!editor.isInteractive() && endsBefore(text, typed)) {
          hasFailed |= !evaluate(text);
          text.clear();
        }
        if (text.empty() && typed.trim().starts_with(":")) {
          if (typed.trim() == ":quit" || typed.trim() == ":q")
            break;
          hasFailed |= !command(typed.trim());
          continue;
        }
        if (text.empty() && isOtherPromptsCommand(typed.trim())) {
          hasFailed = true;
          continue;
        }
        text += (text.empty() ? "" : "\n") + typed.str();
        // A script's block ends where a line goes back to the margin, so that it may have empty lines.
        if (Prompt::goesOn(editor.isInteractive() ? StringRef(text) : StringRef(text).rtrim("\n ")))
          continue;
      }
      if (!StringRef(text).trim().empty())
        hasFailed |= !evaluate(text);
      text.clear();
      if (!line)
        break;
    }
    if (editor.isInteractive())
      llvm::outs() << '\n';
    sigaction(SIGINT, &before, nullptr);
    return !editor.isInteractive() && hasFailed ? 1 : 0;
  }

private:
  /// Says what there is to type.
  void greet() {
    llvm::outs() << "tsc " TSC_VERSION "; :help lists commands, :quit ends\n";
    const Module *module = program.module();
    if (!module)
      return;
    llvm::outs() << "The archive is model:\n";
    if (const Function *forward = module->findMethod("forward"))
      printSignature(llvm::outs(), "model", forward->schema());
    for (const Function *method : module->type().methods())
      if (method->name() != "forward" && !method->name().starts_with("_"))
        printSignature(llvm::outs(), "model." + method->name(), method->schema());
  }

  /// Reports a line that is a command of other prompts and no name here, and says what the command is called.
  bool isOtherPromptsCommand(StringRef line) {
    const StringRef word = line.ends_with("()") ? line.drop_back(2) : line;
    const bool isHelp = word == "help" || word == "?";
    if (!isHelp && word != "quit" && word != "exit")
      return false;
    if (word != "?" && (prompt.variables().count(word) != 0 || prompt.graphOf(word).ok()))
      return false;
    llvm::outs().flush();
    errors.failure(isHelp ? "type :help for the commands" : "type :quit to end");
    return true;
  }

  /// Runs `action` so that Ctrl-C ends it.
  Status guarded(llvm::function_ref<Status()> action) {
    runningCall = &call;
    if (isInterrupted()) // after the line was read
      call.cancel();
    Status status = action();
    runningCall = nullptr;
    call.resume();
    return status;
  }

  bool report(const Status &status) {
    if (status.ok())
      return true;
    llvm::outs().flush();
    if (status.code() == StatusCode::Cancelled) {
      errors.failure("interrupted");
      return false;
    }
    if (wasDiagnosed(status)) // and printed
      return false;
    StringRef message = messageOf(status).rtrim();
    std::string error = errorOf(status);
    const bool hasStack = error != messageOf(status);
    errors.failure(hasStack ? StringRef(error).split('\n').first : message, hasStack ? message : "");
    return false;
  }

  bool evaluate(const std::string &text) {
    Status status = guarded([&] {
      return prompt.run(text, [](const IValue &value, StringRef description) {
        if (!description.empty())
          llvm::outs() << description << '\n';
        else if (!value.isNone()) {
          reprValue(llvm::outs(), value);
          llvm::outs() << '\n';
        }
      });
    });
    noteDefinitions(text);
    return report(status);
  }

  bool command(StringRef line) {
    auto [name, argument] = line.split(' ');
    argument = argument.trim();
    if (name == ":help" || name == ":h") {
      llvm::outs() << help;
      return true;
    }
    if (name == ":graph" && !argument.empty()) {
      StatusOr<const Graph *> graph = prompt.graphOf(argument);
      if (graph.ok())
        (*graph)->print(llvm::outs());
      return report(graph.status());
    }
    if (name == ":type" && !argument.empty()) {
      StatusOr<std::string> type = prompt.typeOf(argument.str());
      if (type.ok())
        llvm::outs() << (type->empty() ? "no value" : *type) << '\n';
      return report(type.status());
    }
    if (name == ":time" && !argument.empty())
      return time(argument.str());
    llvm::outs().flush();
    if (llvm::is_contained({":graph", ":time", ":type"}, name))
      errors.failure(name.str() + " needs " + (name == ":graph" ? "the name of a function" : "an expression"));
    else
      errors.failure("there is no command '" + line.str() + "'; :help lists those there are");
    return false;
  }

  /// Until half a second has gone, at least three times.
  bool time(const std::string &text) {
    using Clock = std::chrono::steady_clock;
    double fastest = 0;
    unsigned count = 0;
    const Clock::time_point start = Clock::now();
    Status status = guarded([&] {
      do {
        const Clock::time_point begin = Clock::now();
        TSC_RETURN_IF_ERROR(prompt.run(text, [](const IValue &, StringRef) {}));
        const double micros = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
        fastest = count++ == 0 ? micros : std::min(fastest, micros);
      } while (count < 3 || (Clock::now() - start < std::chrono::milliseconds(500) && count < 1000));
      return okStatus();
    });
    if (status.ok())
      llvm::outs() << llvm::format("%.1f us, the fastest of %u times", fastest, count) << '\n';
    return report(status);
  }

  //===-- Completion, which the language server does ------------------------===//

  /// Keeps the text of definitions and imports, whose names are completed.
  void noteDefinitions(StringRef text) {
    if (text.starts_with("def ") || text.starts_with("class ") || text.starts_with("@") ||
        text.starts_with("import ") || text.starts_with("from "))
      definitions += text.str() + "\n";
  }

  std::vector<std::string> complete(StringRef line, size_t &begin) {
    if (line.starts_with(":"))
      if (size_t space = line.find(' '); space == StringRef::npos) {
        begin = 0;
        std::vector<std::string> commands;
        for (StringRef known : {":graph", ":help", ":quit", ":time", ":type"})
          if (known.starts_with(line))
            commands.push_back(known.str());
        return commands;
      }
    std::string text = Session::importText().str() + definitions;
    for (const auto &entry : prompt.variables())
      text += entry.first + " = 0\n";
    const size_t start = text.size();
    text += line;
    if (!library)
      library = std::make_unique<lsp::LibraryIndex>();
    lsp::Queries queries(std::make_shared<lsp::FileOutline>("<prompt>", text), *library);
    queries.setTypeOfName([&](StringRef name) -> const Type * {
      auto found = prompt.variables().find(name);
      return found == prompt.variables().end() ? nullptr : found->second.type;
    });
    lsp::Span replaced;
    std::vector<std::string> labels;
    for (lsp::Completion &item : queries.complete(text.size(), replaced))
      labels.push_back(std::move(item.label));
    begin = replaced.begin >= start ? replaced.begin - start : 0;
    return labels;
  }

  ErrorWriter &errors;
  const Program &program;
  CallContext &call;
  Prompt prompt;
  LineEditor editor;
  std::string definitions;
  std::unique_ptr<lsp::LibraryIndex> library;
};
} // namespace

int run::talk(ErrorWriter &errors, Program &program, CallContext &call) { return Talk(errors, program, call).run(); }
