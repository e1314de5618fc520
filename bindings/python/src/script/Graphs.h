//===- Graphs.h - Graphs as Python reads them -------------------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_SCRIPT_GRAPHS_H
#define TSC_BINDINGS_PYTHON_SCRIPT_GRAPHS_H

#include "../LoadedProgram.h"

namespace tsc {
class Function;
class Graph;
} // namespace tsc

namespace tsc::bindings {

/// Makes a Graph of Python's of a copy of a graph, which does not change meanwhile.
nb::object makeGraph(const Graph &graph, const ProgramRef &program);
/// Brings the graph of a function to the form in which PyTorch shows it: what immutable constants decide is decided,
/// what nobody uses is gone, constants stand at the head, once each, and outputs are in the order of their uses. `is`
/// of bools is `eq`, and rsub is sub. In a trace, constants stand before their uses, and nothing is decided.
void bringToShownForm(Graph &graph, bool isTraced = false);

/// Changes the graph that a function shows to what PyTorch makes of it: forked calls hold the bodies of what they call,
/// and, but for traces, values have PyTorch's names.
void showAsPyTorch(Graph &graph, bool isTraced);
/// Returns (text, [constants]): the function as TorchScript's text, of its graph in the form that is shown, and the
/// values that the text calls CONSTANTS.c0, …
nb::object codeOf(Function &function, const Graph &graph, const ProgramRef &program);
/// Returns a copy of a Graph of Python's as the body of a function of `program`, with at most one result: several are
/// packed into a tuple. Raises TypeError for another object, ValueError for a graph of another program, RuntimeError
/// for one that is not well-formed.
std::unique_ptr<Graph> bodyOf(nb::handle graph, const LoadedProgram &program);

/// Adds the classes Graph, Block, Node, Value, Use and Type, and passes, to the extension's module.
void bindGraphs(nb::module_ &module);

} // namespace tsc::bindings

#endif
