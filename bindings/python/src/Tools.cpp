//===- Tools.cpp - The tools, within the extension ------------------------===//
//
// tsc-run, tsc-opt, tsc-translate and tsc-lsp are made of the libraries that the extension has anyway. So they are
// linked into it, instead of standing beside it with the libraries once more.
//
//===----------------------------------------------------------------------===//
#include "Tools.h"
#include "Gil.h"
#include "Python.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/GraphView.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/Source.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <nanobind/stl/string.h>
#include <string>
#include <vector>

using namespace tsc;
using namespace tsc::bindings;

#if TSC_PYTHON_HAS_TOOLS
// The build gives `main` of each tool one of these names.
int tscRunMain(int argc, char **argv);
int tscOptMain(int argc, char **argv);
int tscTranslateMain(int argc, char **argv);
int tscLspMain(int argc, char **argv);

/// Runs a tool with the arguments of its command line, a list of bytes, and returns its exit status. The tool reads and
/// writes the standard files of the process, and takes over its signals: the process should have nothing else to do.
static int runTool(const std::string &name, const nb::list &arguments) {
  int (*run)(int, char **) = name == "run"         ? tscRunMain
                             : name == "opt"       ? tscOptMain
                             : name == "translate" ? tscTranslateMain
                             : name == "lsp"       ? tscLspMain
                                                   : nullptr;
  if (!run)
    raise(PyExc_ValueError, "there is no tool '" + name + "'");
  std::vector<std::string> words = {"tsc-" + name};
  for (nb::handle argument : arguments) {
    const nb::bytes bytes = nb::cast<nb::bytes>(argument);
    words.emplace_back(bytes.c_str(), bytes.size());
  }
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  WithoutGil release;
  const int status = run(static_cast<int>(words.size()), argv.data());
  llvm::outs().flush();
  return status;
}
#endif

/// Draws graphs, which are given as text, as one picture in SVG.
static std::string svgOfGraphs(const std::string &text) {
  Context context;
  DiagnosticEngine diags;
  SourceBuffer buffer("<graph>", text);
  llvm::FailureOr<std::vector<std::unique_ptr<Graph>>> graphs = parseGraphs(context, buffer, diags);
  if (failed(graphs))
    raise(PyExc_ValueError, "the text of the graph cannot be read");
  std::string picture;
  llvm::raw_string_ostream os(picture);
  writeSvg(os, *graphs);
  return picture;
}

void bindings::bindTools(nb::module_ &module) {
  module.def("_svg_of_graphs", svgOfGraphs, nb::arg("text"));
#if TSC_PYTHON_HAS_TOOLS
  module.def("_run_tool", runTool, nb::arg("name"), nb::arg("arguments"));
#endif
}
