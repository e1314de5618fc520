//===- Containers.td - Operators on lists and dicts -------------*- tablegen -*-===//
//
// Kernels: tsc/Runtime/Dispatch/Ops/Containers.h. They take every representation of a list.
//
//===----------------------------------------------------------------------===//

class ContainerOp<string schema, string function, string summary_> : Op<schema> {
  let boxedKernel = "ops::" # function;
  let summary = summary_;
}
// A write that fails for what the container holds: the failure is an effect, also where nobody reads what was written.
class FailingWrite<string schema, string function, string summary_> : ContainerOp<schema, function, summary_> {
  let traits = [SideEffects];
}

def List_len      : ContainerOp<"aten::len.t(t[] a) -> int", "listLength", "len(a)"> { let containerQuery = "Length"; let traits = [Answers]; let partial = "length"; }
def List_len_any  : ContainerOp<"aten::len.any(Any[] a) -> int", "listLength", "len(a)"> { let containerQuery = "Length"; let traits = [Answers]; let partial = "length"; }
def List_getitem  : ContainerOp<"aten::__getitem__.t(t[](a) list, int idx) -> t(*)", "listGet", "list[idx]"> { let containerQuery = "Element"; let partial = "element"; }
def List_select   : ContainerOp<"aten::select.t(t[](a) list, int idx) -> t(*)", "listGet", "list[idx]"> { let containerQuery = "Element"; let partial = "element"; }
def List_setitem  : FailingWrite<"aten::_set_item.t(t[](a!) l, int idx, t(b -> *) el) -> t[](a!)", "listSet", "l[idx] = el"> { let listEdit = "Set"; }
def List_delete   : FailingWrite<"aten::Delete.t(t[](a!) self, int idx) -> ()", "listDelete", "del self[idx]"> { let listEdit = "Pop"; }
def List_append   : ContainerOp<"aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!)", "listAppend", "list.append"> { let listEdit = "Append"; }
def List_extend   : ContainerOp<"aten::extend.t(t[](a!) self, t[] other) -> ()", "listExtend", "list.extend"> { let listEdit = "Extend"; }
def List_insert   : ContainerOp<"aten::insert.t(t[](a!) self, int idx, t(b -> *) el) -> ()", "listInsert", "list.insert"> { let listEdit = "Insert"; }
def List_pop      : FailingWrite<"aten::pop.t(t[](a!) self, int idx=-1) -> t(*)", "listPop", "list.pop"> { let listEdit = "Pop"; }
def List_clear    : ContainerOp<"aten::clear.t(t[](a!) self) -> ()", "listClear", "list.clear"> { let listEdit = "Clear"; }
def List_reverse  : ContainerOp<"aten::reverse.t(t[](a!) self) -> ()", "listReverse", "list.reverse"> { let listEdit = "Reverse"; }
def List_copy     : ContainerOp<"aten::copy.t(t[](a) self) -> t[]", "listCopy", "list.copy"> { let containerQuery = "Copy"; let partial = "copy"; }
def List_list     : ContainerOp<"aten::list.t(t[] l) -> t[]", "listCopy", "list(l)"> { let containerQuery = "Copy"; let partial = "copy"; }
def List_slice    : ContainerOp<"aten::slice.t(t[] l, int? start=None, int? end=None, int step=1) -> t[]", "listSlice", "l[start:end:step]"> { let containerQuery = "Slice"; let partial = "slice"; }
def List_add      : ContainerOp<"aten::add.t(t[] a, t[] b) -> t[]", "listConcat", "a + b"> { let containerQuery = "Concatenation"; let partial = "concatenate"; }
def List_add_     : ContainerOp<"aten::add_.t(t[](a!) self, t[] b) -> t[](a!)", "listExtendInPlace", "self += b"> { let listEdit = "Extend"; }
def List_mul_left : ContainerOp<"aten::mul.left_t(t[] l, int n) -> t[]", "listRepeat", "l * n"> { let partial = "repeat"; }
def List_mul_right : ContainerOp<"aten::mul.right_(int n, t[] l) -> t[]", "listRepeatRight", "n * l"> { let partial = "repeat"; }
def List_mul_     : ContainerOp<"aten::mul_.t(t[](a!) l, int n) -> t[](a!)", "listRepeatInPlace", "l *= n">;
foreach t = ["int", "float", "bool", "str"] in {
  def List_remove_ # t : FailingWrite<"aten::remove." # t # "(" # t # "[](a!) self, " # t # " el) -> ()", "listRemove", "list.remove">;
  def List_index_ # t  : ContainerOp<"aten::index.list_" # t # "(" # t # "[] self, " # t # " el) -> int", "listIndex", "list.index">;
  def List_count_ # t  : ContainerOp<"aten::count." # t # "(" # t # "[] self, " # t # " el) -> int", "listCount", "list.count">;
  def List_sort_ # t   : ContainerOp<"aten::sort." # t # "(" # t # "[](a!) self, bool reverse=False) -> ()", "listSort", "list.sort">;
  def List_sorted_ # t : ContainerOp<"aten::sorted." # t # "(" # t # "[](a) input) -> " # t # "[]", "listSorted", "sorted(input)">;
  // NaN differs from itself.
  let partial = "isEqual", laws = !if(!eq(t, "float"), Laws<>, Laws<same="True">) in
  def List_eq_ # t     : ContainerOp<"aten::eq." # t # "_list(" # t # "[] a, " # t # "[] b) -> bool", "listEquals", "a == b">;
  let partial = "differs", laws = !if(!eq(t, "float"), Laws<>, Laws<same="False">) in
  def List_ne_ # t     : ContainerOp<"aten::ne." # t # "_list(" # t # "[] a, " # t # "[] b) -> bool", "listDiffers", "a != b">;
}
def List_remove_Tensor : FailingWrite<"aten::remove.Tensor(Tensor[](a!) self, Tensor el) -> ()", "listRemove", "list.remove">;
def List_index_Tensor  : ContainerOp<"aten::index.list_Tensor(Tensor[] self, Tensor el) -> int", "listIndex", "list.index"> { let quantized = "keeps"; }
def List_count_Tensor  : ContainerOp<"aten::count.Tensor(Tensor[] self, Tensor el) -> int", "listCount", "list.count">;
def List_sort_Tensor   : ContainerOp<"aten::sort.Tensor(Tensor[](a!) self, bool reverse=False) -> ()", "listSort", "list.sort"> { let quantized = "keeps"; }
// PyTorch writes `Tensor[](a) input`, which says nothing of the tensors in it: they are in the result too.
def List_sorted_Tensor : ContainerOp<"aten::sorted.Tensor(Tensor(a)[] input) -> Tensor(a)[]", "listSorted", "sorted(input)"> { let quantized = "keeps"; }
def List_sort_any      : ContainerOp<"aten::sort.any(t[](a!) self, bool reverse=False) -> ()", "listSort", "list.sort: tuples, and objects with __lt__"> { let method = "__lt__"; }
def List_sorted_any    : ContainerOp<"aten::sorted.any(t[](a) self) -> t[]", "listSorted", "sorted(self): tuples, and objects with __lt__"> { let method = "__lt__"; }
def Tuple_index        : ContainerOp<"prim::TupleIndex(Any tup, int i) -> Any", "tupleIndex", "tup[i] with an index known only when it runs"> { let partial = "element"; }
foreach t = ["int", "float", "str"] in
  let partial = "contains" in
  def List_contains_ # t : ContainerOp<"aten::__contains__." # t # "_list(" # t # "[] l, " # t # " item) -> bool", "listContains", "item in l"> { let containerQuery = "Contains"; }
foreach t = ["int", "float", "bool"] in {
  def List_any_ # t : ContainerOp<"aten::any." # t # "(" # t # "[] self) -> bool", "listAny", "any(self)">;
  def List_all_ # t : ContainerOp<"aten::all." # t # "(" # t # "[] self) -> bool", "listAll", "all(self)">;
  foreach m = ["min", "max"] in {
    let partial = m # "imum" in
    def List_ # m # _self_ # t : ContainerOp<"prim::" # m # ".self_" # t # "(" # t # "[] self) -> " # t, "list" # !if(!eq(m, "min"), "Min", "Max"), m # "(self)">;
    def List_ # m # _list_ # t : ContainerOp<"prim::" # m # "." # t # "_list(" # t # "[](a) l, " # t # "[](a) r) -> " # t # "[](a)", !if(!eq(m, "min"), "lesserList", "greaterList"), m # "(l, r)">;
  }
}
def List_any_str    : ContainerOp<"aten::any.str(str[] self) -> bool", "listAny", "any(self)">;
def List_sum_int    : ContainerOp<"aten::sum.int(int[] self) -> int", "listSum", "sum(self)">;
def List_sum_bool   : ContainerOp<"aten::sum.bool(bool[] self) -> int", "listSum", "sum(self)">;
def List_sum_float  : ContainerOp<"aten::sum.float(float[] self) -> float", "listSum", "sum(self)">;
def List_sum_complex: ContainerOp<"aten::sum.complex(complex[] self) -> complex", "listSum", "sum(self)">;
def List_rangelist  : ContainerOp<"prim::rangelist(int n) -> int[]", "rangeList", "list(range(n))">;
def List_Size       : ContainerOp<"aten::Size(int[] sizes) -> int[]", "listCopy", "torch.Size(sizes)"> { let containerQuery = "Copy"; }

foreach k = ["str", "int", "bool", "float", "complex", "Tensor"] in {
  let traits = [Answers] in
  def Dict_len_ # k      : ContainerOp<"aten::len.Dict_" # k # "(Dict(" # k # ", t) self) -> int", "dictLength", "len(self)"> { let containerQuery = "Length"; }
  def Dict_keys_ # k     : ContainerOp<"aten::keys." # k # "(Dict(" # k # ", t) self) -> " # k # "[](*)", "dictKeys", "dict.keys"> { let containerQuery = "Keys"; }
  def Dict_values_ # k   : ContainerOp<"aten::values." # k # "(Dict(" # k # ", t) self) -> t[](*)", "dictValues", "dict.values"> { let containerQuery = "Values"; }
  def Dict_items_ # k    : ContainerOp<"aten::items." # k # "(Dict(" # k # ", t) self) -> ((" # k # ", t)[])", "dictItems", "dict.items"> { let containerQuery = "Items"; }
  def Dict_getitem_ # k  : ContainerOp<"aten::__getitem__.Dict_" # k # "(Dict(" # k # ", t) self, " # k # " key) -> t(*)", "dictGet", "self[key]"> { let containerQuery = "Element"; }
  def Dict_get_ # k      : ContainerOp<"aten::get." # k # "(Dict(" # k # ", t) self, " # k # " key) -> t(*)?", "dictGetOrNone", "dict.get"> { let containerQuery = "Lookup"; }
  def Dict_getd_ # k     : ContainerOp<"aten::get.default_" # k # "(Dict(" # k # ", t) self, " # k # " key, t default_value) -> t(*)", "dictGetOrDefault", "dict.get"> { let containerQuery = "Lookup"; }
  def Dict_setd_ # k     : ContainerOp<"aten::setdefault." # k # "(Dict(" # k # ", t)(a!) self, " # k # "(b -> *) key, t(c -> *) default_value) -> t(*)", "dictSetDefault", "dict.setdefault">;
  def Dict_setitem_ # k  : ContainerOp<"aten::_set_item." # k # "(Dict(" # k # ", t)(a!) l, " # k # "(b -> *) idx, t(c -> *) v) -> ()", "dictSet", "l[idx] = v">;
  def Dict_delete_ # k   : FailingWrite<"aten::Delete.Dict_" # k # "(Dict(" # k # ", t)(a!) self, " # k # " key) -> ()", "dictDelete", "del self[key]">;
  def Dict_pop_ # k      : FailingWrite<"aten::pop.Dict_" # k # "(Dict(" # k # ", t)(a!) self, " # k # " key) -> t(*)", "dictPop", "dict.pop">;
  def Dict_popd_ # k     : ContainerOp<"aten::pop.Dict_default_" # k # "(Dict(" # k # ", t)(a!) self, " # k # " key, t default_value) -> t(*)", "dictPopOrDefault", "dict.pop">;
  def Dict_popitem_ # k  : FailingWrite<"aten::popitem." # k # "(Dict(" # k # ", t)(a!) self) -> ((" # k # ", t))", "dictPopItem", "dict.popitem">;
  def Dict_clear_ # k    : ContainerOp<"aten::clear." # k # "(Dict(" # k # ", t)(a!) self) -> ()", "dictClear", "dict.clear">;
  def Dict_update_ # k   : ContainerOp<"aten::update." # k # "(Dict(" # k # ", t)(a!) self, Dict(" # k # ", t)(a!) to_add) -> ()", "dictUpdate", "dict.update">;
  def Dict_copy_ # k     : ContainerOp<"aten::copy.Dict_" # k # "(Dict(" # k # ", t)(a) self) -> Dict(" # k # ", t)", "dictCopy", "dict.copy"> { let containerQuery = "Copy"; }
  def Dict_dict_ # k     : ContainerOp<"aten::dict.Dict_" # k # "(Dict(" # k # ", t)(a) self) -> Dict(" # k # ", t)", "dictCopy", "dict(self)"> { let containerQuery = "Copy"; }
  def Dict_pairs_ # k    : ContainerOp<"aten::dict." # k # "((" # k # ", tVal)[] inputs) -> Dict(" # k # ", tVal)", "dictFromPairs", "dict(inputs)">;
  def Dict_contains_ # k : ContainerOp<"aten::__contains__." # k # "(Dict(" # k # ", t) dict, " # k # " key) -> bool", "dictContains", "key in dict"> { let containerQuery = "Contains"; }
}
