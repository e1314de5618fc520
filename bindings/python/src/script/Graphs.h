//===- Graphs.h - Graphs as Python reads them -------------------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_SCRIPT_GRAPHS_H
#define TSC_BINDINGS_PYTHON_SCRIPT_GRAPHS_H

#include "../LoadedProgram.h"

namespace tsc {
class Graph;
}

namespace tsc::bindings {

/// Makes a Graph of Python's of a copy of a graph, which does not change any more.
nb::object makeGraph(const Graph &graph, const ProgramRef &program);

/// Adds the classes Graph, Block, Node, Value, Use and Type to the extension's module.
void bindGraphs(nb::module_ &module);

} // namespace tsc::bindings

#endif
