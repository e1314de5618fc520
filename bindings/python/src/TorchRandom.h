//===- TorchRandom.h - The state of torch's random numbers ------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_TORCHRANDOM_H
#define TSC_BINDINGS_PYTHON_TORCHRANDOM_H

#include "Python.h"

namespace tsc::bindings {

/// Lets the calling thread's generator draw what torch's would draw, whose state is in the buffer: that of the tensor
/// which torch.get_rng_state() gives. Raises ValueError for a buffer of another size, or a state that is none.
void takeTorchRandom(nb::handle state);
/// Writes the state of the calling thread's generator into such a buffer, for torch.set_rng_state().
void giveTorchRandom(nb::handle state);

} // namespace tsc::bindings

#endif
