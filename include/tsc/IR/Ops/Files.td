//===- Files.td - Operators on files ----------------------------*- tablegen -*-===//
//
// For programs whose host lends them its files (CallContext::files): source
// programs under tsc-run, and never archives. Kernels: lib/Runtime/Dispatch/Ops/Files.cpp.
//
//===----------------------------------------------------------------------===//

class FileOp<string schema, string function, string summary_> : Op<schema> {
  let boxedKernel = "ops::" # function;
  let summary = summary_;
  let traits = [SideEffects, Detached];
}

def File_save       : FileOp<"tsc::save(Dict(str, Tensor) obj, str f) -> ()", "saveTensors", "torch.save of a dict of tensors">;
def File_load       : FileOp<"tsc::load(str f) -> Dict(str, Tensor)", "loadTensors", "torch.load of a dict of tensors">;
def File_write_text : FileOp<"tsc::write_text(str path, str data) -> int", "writeText", "pathlib.Path(path).write_text(data)">;
def File_read_text  : FileOp<"tsc::read_text(str path) -> str", "readText", "pathlib.Path(path).read_text()">;
def File_exists     : FileOp<"tsc::exists(str path) -> bool", "fileExists", "pathlib.Path(path).exists()">;
