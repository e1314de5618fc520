//===- DiagnosticKindsTest.cpp - Every kind of diagnostic is provoked -----===//
//
// Compiles, or parses and verifies, the programs of the lit tests part by part and
// collects the kinds of what is reported. A kind that none of them provokes may as
// well say anything. (That its text is right is for the lit tests to see.)
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Evaluator/Construction.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/Frontend/Session.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Transforms/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <catch2/catch.hpp>
#include <pthread.h>

using namespace tsc;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

struct KindName {
  StringRef library, name;
};

const KindName allKinds[] = {
#define DIAG(severity, Name, format) {"IR", #Name},
#include "tsc/IR/Diagnostics.def"
#define DIAG(severity, Name, format) {"Frontend", #Name},
#include "tsc/Frontend/Diagnostics.def"
#define DIAG(severity, Name, format) {"Transforms", #Name},
#include "tsc/Transforms/Diagnostics.def"
};

/// There is no interpreter here: whatever has to run while a program is loaded fails.
class NoHost final : public ConstructionHost {
public:
  StatusOr<IValue> run(Function &, std::vector<IValue>, std::vector<std::pair<std::string, IValue>>) override {
    return unimplemented("nothing runs here");
  }
  bool setGradMode(bool) override { return true; }
  Status saveModule(const IValue &, const std::string &) override { return unimplemented("nothing is written here"); }
  void print(StringRef) override {}
};

class Provoked {
public:
  void note(const DiagnosticEngine &diags) {
    for (const Diagnostic &diagnostic : diags.all())
      note(diagnostic);
  }
  bool has(StringRef kind) const { return names.contains(kind); }

  void compile(StringRef text, bool listsAllOverloads = false) {
    SourceBuffer source("program.py", text.str());
    Context context;
    DiagnosticEngine diags;
    diags.listAllOverloads(listsAllOverloads);
    CompilationUnit unit(context);
    NoHost host;
    Compiler compiler(unit, diags, prelude());
    setConstructionHost(compiler, host);
    SourceBuffer beside("beside.py", "");
    compiler.setFindFile(
        [&](StringRef path) { return path == "beside" ? Compiler::FoundFile{&beside, false} : Compiler::FoundFile(); });
    (void)compiler.addSource(source);
    for (const std::string &name : compiler.moduleNames())
      if (auto module = compiler.makeModule(name); succeeded(module) && *module)
        (void)compiler.findMethod(*(*module)->type, "forward");
    (void)compiler.defineAll();
    note(diags);
  }
  void parse(StringRef text) {
    SourceBuffer source("graph.ir", text.str());
    Context context;
    DiagnosticEngine diags;
    auto graphs = parseGraphs(context, source, diags);
    if (succeeded(graphs))
      for (const auto &graph : *graphs)
        (void)verify(*graph, diags);
    note(diags);
  }

private:
  void note(const Diagnostic &diagnostic) {
    names.insert(diagnostic.kind->name);
    for (const Diagnostic &inner : diagnostic.notes)
      note(inner);
  }
  llvm::StringSet<> names;
};

std::string repeated(size_t count, llvm::function_ref<std::string(size_t)> text) {
  std::string all;
  for (size_t i = 1; i <= count; ++i)
    all += text(i);
  return all;
}

/// A graph with so many subgraphs, of which each is named by two nodes of the one before.
std::string doubledSubgraphs(size_t depth) {
  const char *const use = "  %{0} : Tensor = prim::FusionGroup_{1}(%x)\n";
  std::string text = "graph(%x : Tensor):\n";
  for (size_t i = 0; i != depth; ++i)
    text += llvm::formatv(use, 1, i).str() + llvm::formatv(use, 2, i).str() +
            llvm::formatv("  return (%x)\nwith prim::FusionGroup_{0} = graph(%x : Tensor):\n", i).str();
  return text + "  return (%x)\n";
}

/// Wrong imports; the lit test of these has files of its own.
void compileImports(Provoked &provoked) {
  provoked.compile("from beside import nothing\n");
  provoked.compile("from .nowhere import x\n");
  provoked.compile("from nowhere import x\ndef f():\n    return x\n");
}

/// What is too much for the frontend; the lit tests write these programs when they run.
void compileTooMuch(Provoked &provoked) {
  std::string doubled = repeated(60, [](size_t i) { return llvm::formatv("A{0} = (A{1}, A{1})\n", i, i - 1).str(); });
  provoked.compile("A0 = 1\n" + doubled + "def f():\n    return A60");
  std::string tuples =
      repeated(60, [](size_t i) { return llvm::formatv("    a{0} = (a{1}, a{1})\n", i, i - 1).str(); });
  provoked.compile("def f(a0: int):\n" + tuples + "    return a60");
  std::string loops =
      repeated(12, [](size_t i) { return std::string(4 * i, ' ') + llvm::formatv("for a{0} in t:\n", i).str(); });
  provoked.compile("def f(s: int):\n    t = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)\n" + loops + std::string(52, ' ') +
                   "s += 1\n    return s");
  provoked.compile("def f(x: int):\n    return " + std::string(5000, '(') + "x" + std::string(5000, ')'));
  provoked.compile(std::string((64 << 20) + 1, '\n'));
}

/// A use list that no text gives: of a node that was never inserted.
void breakUseList(Provoked &provoked) {
  Context context;
  Graph graph(context);
  Value *x = graph.addInput("x");
  graph.addOutput(x);
  Node *forgotten = graph.create(context.symbol("aten::relu"), {x});
  DiagnosticEngine diags;
  (void)verify(graph, diags);
  provoked.note(diags);
  forgotten->erase();
}

void remarkOnNode(Provoked &provoked) {
  Context context;
  Graph graph(context);
  DiagnosticEngine diags;
  Remarks remarks;
  REQUIRE(remarks.enable("dce", "dce").ok());
  remarks.setEngine(&diags);
  remarks.setPass("dce");
  remarks.done(graph.block().returnNode(), "is done");
  remarks.missed(graph.block().returnNode(), "is missed");
  provoked.note(diags);
}

void parseWrongSchema(Provoked &provoked) {
  Context context;
  SourceBuffer text("schema", "aten::f(");
  DiagnosticEngine diags;
  CHECK(failed(parseSchema(context, text, diags)));
  provoked.note(diags);
}

/// What only a prompt says.
void askAtPrompt(Provoked &provoked) {
  Context context;
  DiagnosticEngine diags;
  CompilationUnit unit(context);
  Compiler compiler(unit, diags, prelude());
  Session session(compiler);
  SourceBuffer statement("statement", "if True:\n    return 3"), expression("expression", "x = 1");
  CHECK(failed(session.run(
      statement, [](Function &, std::vector<IValue>) { return StatusOr<IValue>(IValue()); },
      [](const IValue &, StringRef) {})));
  CHECK(failed(session.typeOf(expression)));
  provoked.note(diags);
}

/// Calls `use` with the parts between lines `# -----` of each file with this extension in these folders, but for
/// `Inputs`.
void forEachPart(llvm::ArrayRef<StringRef> folders, StringRef extension, llvm::function_ref<void(StringRef)> use) {
  for (StringRef folder : folders) {
    std::error_code error;
    for (fs::recursive_directory_iterator file(llvm::Twine(TSC_SOURCE_DIR "/test/") + folder, error), end;
         file != end && !error; file.increment(error)) {
      if (llvm::sys::path::filename(file->path()) == "Inputs")
        file.no_push();
      if (llvm::sys::path::extension(file->path()) != extension)
        continue;
      auto text = llvm::MemoryBuffer::getFile(file->path());
      REQUIRE(text);
      llvm::SmallVector<StringRef> parts;
      (*text)->getBuffer().split(parts, "\n# -----");
      for (StringRef part : parts)
        use(part);
    }
    INFO(folder.str());
    REQUIRE(!error);
  }
}

} // namespace

/// In a thread whose stack ends before the parser's limit does.
void compileInSmallStack(Provoked &provoked) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, size_t{160} << 10) == 0);
  auto run = [](void *provoked) -> void * {
    static_cast<Provoked *>(provoked)->compile("def f(x: int):\n    return " + std::string(900, '(') + "x" +
                                               std::string(900, ')') + "\n");
    return nullptr;
  };
  pthread_t thread;
  REQUIRE(pthread_create(&thread, &attributes, run, &provoked) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  pthread_attr_destroy(&attributes);
}

TEST_CASE("every kind of diagnostic is provoked") {
  Provoked provoked;
  forEachPart({"Analysis", "Autodiff", "Engine", "Frontend", "Fusion", "Kernels", "Language", "Runtime",
               "Serialization", "Transforms", "tsc-run"},
              ".py", [&](StringRef part) { provoked.compile(part); });
  forEachPart({"IR", "tsc-opt"}, ".ir", [&](StringRef part) { provoked.parse(part); });
  provoked.parse(doubledSubgraphs(24));
  provoked.parse("graph():\n  %1 : int = prim::Constant[value=" + std::string(5000, '[') + "]()\n  return (%1)");
  compileImports(provoked);
  compileTooMuch(provoked);
  breakUseList(provoked);
  remarkOnNode(provoked);
  parseWrongSchema(provoked);
  askAtPrompt(provoked);
  compileInSmallStack(provoked);
  provoked.compile("import torch\nfrom torch import Tensor\ndef f(x: Tensor):\n    return torch.ops.tsc.reused(x)\n");

  provoked.compile("def f(x: int) -> int:\n    return callee(x)\ndef callee(x: int) -> int:\n    return x.a\n",
                   /*listsAllOverloads=*/true);

  std::vector<std::string> missing;
  for (const KindName &kind : allKinds)
    if (!provoked.has(kind.name))
      missing.push_back((kind.library + "/" + kind.name).str());
  CHECK(llvm::join(missing, " ") == "");
}
