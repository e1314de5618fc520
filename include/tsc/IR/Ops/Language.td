//===- Language.td - What the language has beyond TorchScript ---*- tablegen -*-===//
//
// Operators by which the frontend compiles what TorchScript does not have
// (docs/Language.md). Kernels: tsc/Runtime/Dispatch/Ops/Language.h, and those of dicts.
//
//===----------------------------------------------------------------------===//

class LanguageOp<string schema, string function, string summary_> : Op<schema> {
  let boxedKernel = "ops::" # function;
  let summary = summary_;
}

let traits = [Nondeterministic] in
def Language_failure : LanguageOp<"tsc::failure(Future(t) self) -> (bool, str, str)", "failureOf",
                                  "Whether a fork failed, and the class and the message of its exception: `try` asks so">;
let traits = [SideEffects] in
def Language_write   : LanguageOp<"tsc::write(str text) -> ()", "writeOutput", "print(text, end=…): what does not end with the end of a line">;

// A generator's state changes with each number that is drawn, and no operand's annotation shows that.
let traits = [Nondeterministic] in {
  let devices = "any" in { // the kernel itself says which devices have generators
  def Language_Generator        : LanguageOp<"aten::Generator(*, Device? device=None, int? seed=None) -> Generator", "makeGenerator", "torch.Generator()">;
  def Language_Generator_device : LanguageOp<"aten::Generator.device(Device device, int? seed=None) -> Generator", "makeGenerator", "torch.Generator(device)">;
  }
  def Language_initial_seed     : LanguageOp<"aten::initial_seed(Generator self) -> int", "initialSeed", "generator.initial_seed()">;
  def Language_seed             : LanguageOp<"aten::seed(Generator(a!) self) -> int", "seedAnew", "generator.seed()">;
}
def Language_manual_seed        : LanguageOp<"aten::manual_seed.generator(Generator(a!) self, int seed) -> Generator(a!)", "seedGenerator", "generator.manual_seed(seed)">;

// Dicts whose keys no operator of PyTorch takes: tuples, and members of enumerations. The names are those of PyTorch's operators
// after `dict_`.
class GenericDictOp<string operation, string signature, string function, string summary>
    : LanguageOp<"tsc::dict_" # operation # signature, function, summary # ": keys are tuples or members of enumerations">;
let traits = [Answers] in
def Language_dict_len      : GenericDictOp<"len", "(Dict(k, t) self) -> int", "dictLength", "len(self)">;
def Language_dict_keys     : GenericDictOp<"keys", "(Dict(k, t) self) -> k[](*)", "dictKeys", "dict.keys">;
def Language_dict_values   : GenericDictOp<"values", "(Dict(k, t) self) -> t[](*)", "dictValues", "dict.values">;
def Language_dict_items    : GenericDictOp<"items", "(Dict(k, t) self) -> ((k, t)[])", "dictItems", "dict.items">;
def Language_dict_getitem  : GenericDictOp<"__getitem__", "(Dict(k, t) self, k key) -> t(*)", "dictGet", "self[key]">;
def Language_dict_get      : GenericDictOp<"get", "(Dict(k, t) self, k key) -> t(*)?", "dictGetOrNone", "dict.get">;
def Language_dict_getd     : GenericDictOp<"get", ".default(Dict(k, t) self, k key, t default_value) -> t(*)", "dictGetOrDefault", "dict.get">;
def Language_dict_setd     : GenericDictOp<"setdefault", "(Dict(k, t)(a!) self, k(b -> *) key, t(c -> *) default_value) -> t(*)", "dictSetDefault", "dict.setdefault">;
def Language_dict_setitem  : GenericDictOp<"_set_item", "(Dict(k, t)(a!) l, k(b -> *) idx, t(c -> *) v) -> ()", "dictSet", "l[idx] = v">;
// The failure is an effect, also where nobody reads what was written.
let traits = [SideEffects] in {
def Language_dict_delete   : GenericDictOp<"Delete", "(Dict(k, t)(a!) self, k key) -> ()", "dictDelete", "del self[key]">;
def Language_dict_pop      : GenericDictOp<"pop", "(Dict(k, t)(a!) self, k key) -> t(*)", "dictPop", "dict.pop">;
// As Python has it: programs with such dicts are source.
def Language_dict_popitem  : GenericDictOp<"popitem", "(Dict(k, t)(a!) self) -> ((k, t))", "pythonPopItem", "dict.popitem">;
}
def Language_dict_popd     : GenericDictOp<"pop", ".default(Dict(k, t)(a!) self, k key, t default_value) -> t(*)", "dictPopOrDefault", "dict.pop">;
def Language_dict_clear    : GenericDictOp<"clear", "(Dict(k, t)(a!) self) -> ()", "dictClear", "dict.clear">;
def Language_dict_update   : GenericDictOp<"update", "(Dict(k, t)(a!) self, Dict(k, t)(a!) to_add) -> ()", "dictUpdate", "dict.update">;
def Language_dict_copy     : GenericDictOp<"copy", "(Dict(k, t)(a) self) -> Dict(k, t)", "dictCopy", "dict.copy">;
def Language_dict_dict     : GenericDictOp<"dict", "(Dict(k, t)(a) self) -> Dict(k, t)", "dictCopy", "dict(self)">;
def Language_dict_contains : GenericDictOp<"__contains__", "(Dict(k, t) dict, k key) -> bool", "dictContains", "key in dict">;
