//===- Strings.td - Operators on str ----------------------------*- tablegen -*-===//
//
// Text is bytes, as in TorchScript. Kernels: tsc/Runtime/Dispatch/Ops/Strings.h.
//
//===----------------------------------------------------------------------===//

class StringOp<string schema, string function, string summary_> : Op<schema> {
  let kernel = "ops::" # function;
  let summary = summary_;
}
class BoxedStringOp<string schema, string function, string summary_> : Op<schema> {
  let boxedKernel = "ops::" # function;
  let summary = summary_;
}

foreach f = ["isupper", "islower", "isalpha", "isdigit", "isdecimal", "isnumeric", "isspace", "isalnum", "isidentifier",
             "isprintable", "istitle"] in
  def Str_ # f : StringOp<"aten::" # f # "(str self) -> bool", "str_" # f, "str." # f>;
foreach f = ["upper", "lower", "capitalize", "title", "swapcase"] in
  def Str_ # f : StringOp<"aten::" # f # "(str self) -> str", "str_" # f, "str." # f>;
foreach f = ["strip", "lstrip", "rstrip"] in
  def Str_ # f : StringOp<"aten::" # f # "(str self, str chars=\" \\n\\t\\f\\v\") -> str", "str_" # f, "str." # f>;
foreach f = ["ljust", "rjust", "center"] in
  def Str_ # f : StringOp<"aten::" # f # "(str self, int width, str fillchar=\" \") -> str", "str_" # f, "str." # f>;
foreach f = ["find", "rfind", "index", "rindex", "count"] in
  def Str_ # f : StringOp<"aten::" # f # !if(!eq(f, "index"), ".str", "") # "(str self, str substr, int start=0, int end=-1) -> int", "str_" # f, "str." # f>;
foreach f = ["startswith", "endswith"] in
  def Str_ # f : StringOp<"aten::" # f # "(str self, str substr, int start=0, int end=-1) -> bool", "str_" # f, "str." # f>;
def Str_add        : StringOp<"aten::add.str(str a, str b) -> str", "str_concat", "a + b"> {
  let laws = Laws<right="\"\"", left="\"\"">;
}
def Str_len        : StringOp<"aten::len.str(str s) -> int", "str_len", "len(s)"> { let traits = [Answers]; }
def Str_getitem    : StringOp<"aten::__getitem__.str(str s, int index) -> str", "str_at", "s[index]">;
def Str_StringIndex: StringOp<"prim::StringIndex(str string, int index) -> str", "str_at", "string[index]">;
def Str_slice      : StringOp<"aten::slice.str(str string, int? start=None, int? end=None, int step=1) -> str", "str_slice", "string[start:end:step]">;
def Str_replace    : StringOp<"aten::replace(str self, str old, str new, int max=-1) -> str", "str_replace", "str.replace">;
def Str_zfill      : StringOp<"aten::zfill(str self, int width) -> str", "str_zfill", "str.zfill">;
def Str_expandtabs : StringOp<"aten::expandtabs(str self, int tabsize=8) -> str", "str_expandtabs", "str.expandtabs">;
def Str_ord        : StringOp<"aten::ord(str string) -> int", "str_ord", "ord(string)">;
def Str_chr        : StringOp<"aten::chr(int i) -> str", "str_chr", "chr(i)">;
def Str_hex        : StringOp<"aten::hex(int i) -> str", "str_hex", "hex(i)">;
def Str_oct        : StringOp<"aten::oct(int i) -> str", "str_oct", "oct(i)">;
def Str_bin        : StringOp<"aten::bin(int i) -> str", "str_bin", "bin(i)">;
def Str_split      : BoxedStringOp<"aten::split.str(str self, str? separator=None, int max=-1) -> str[]", "strSplit", "str.split">;
def Str_rsplit     : BoxedStringOp<"aten::rsplit(str self, str separator=\" \", int max=-1) -> str[]", "strRightSplit", "str.rsplit">;
def Str_splitlines : BoxedStringOp<"aten::splitlines(str self, bool keepends=False) -> str[]", "strSplitLines", "str.splitlines">;
def Str_partition  : BoxedStringOp<"aten::partition(str self, str separator) -> (str, str, str)", "strPartition", "str.partition">;
def Str_rpartition : BoxedStringOp<"aten::rpartition(str self, str separator) -> (str, str, str)", "strRightPartition", "str.rpartition">;
def Str_join       : BoxedStringOp<"aten::join(str self, str[] values) -> str", "strJoin", "str.join">;
def Str_list       : BoxedStringOp<"aten::list(str t) -> str[]", "strToList", "list(t)">;
let traits = [ShowsValues, Converts] in
def Str_str        : BoxedStringOp<"aten::str(t elem) -> str", "toStr", "str(elem)">;
let traits = [ShowsValues] in {
def Str_format     : BoxedStringOp<"aten::format(str self, ...) -> str", "strFormat", "str.format with plain {} fields">;
def Str_percent    : BoxedStringOp<"aten::percentFormat(str self, ...) -> str", "strPercentFormat", "self % values">;
}
