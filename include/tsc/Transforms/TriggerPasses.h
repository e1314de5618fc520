//===- TriggerPasses.h - Passes that fail on purpose ------------*- C++ -*-===//
//
// What tests of -verify-each, -validate, crash reproducers and tsc-reduce run:
// tsc-opt knows them, and neither -help nor docs/Passes.md lists them.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TRANSFORMS_TRIGGERPASSES_H
#define TSC_TRANSFORMS_TRIGGERPASSES_H

namespace tsc {

class PassRegistry;

/// Registers the passes that fail on purpose. trigger-crash aborts, trigger-verifier-error leaves a graph that does not
/// verify, trigger-miscompile negates the first tensor that the graph returns, and trigger-silent-change does the same
/// and says that it changed nothing. Each acts on graphs that hold an operator named by its option `on` ("aten::relu"),
/// or on every graph without that option.
void registerTriggerPasses(PassRegistry &registry);

} // namespace tsc

#endif
