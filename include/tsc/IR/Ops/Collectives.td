//===- Collectives.td - Operators of several ranks --------------*- tablegen -*-===//
//
// Each rank of a group calls them in the same order. They are effects: no pass moves
// them past one another, merges two of them, or erases one. PyTorch starts the
// functional ones and lets wait_tensor wait for the result; here they return when the
// result is there. Kernels: lib/Runtime/Dispatch/Ops/Collectives.cpp.
//
//===----------------------------------------------------------------------===//

class CollectiveOp<string schema, string function, string summary_> : Op<schema> {
  let boxedKernel = "ops::" # function;
  let summary = summary_;
  let traits = [SideEffects, TakesAnyDevice];
}
class FunctionalCollective<string signature, string function, string summary>
    : CollectiveOp<"_c10d_functional::" # signature, function, summary>;

def C10d_all_reduce : FunctionalCollective<"all_reduce(Tensor input, str reduce_op, str group_name) -> Tensor", "allReduce", "Combines the tensors of all ranks, element by element"> {
  let derivative = [{ input = backward.all_reduced(grad, reduce_op, group_name) }];
}
def C10d_all_reduce_ : FunctionalCollective<"all_reduce_(Tensor(a!) input, str reduce_op, str group_name) -> Tensor(a!)", "allReduceInPlace", "all_reduce into its operand">;
def C10d_all_gather_into_tensor : FunctionalCollective<"all_gather_into_tensor(Tensor input, int group_size, str group_name) -> Tensor", "allGather", "The tensors of all ranks, one behind the other along dimension 0"> {
  let derivative = [{ input = backward.all_gathered(grad, group_size, group_name) }];
}
def C10d_all_gather_into_tensor_out : FunctionalCollective<"all_gather_into_tensor_out(Tensor input, int group_size, str group_name, *, Tensor(a!) out) -> Tensor(a!)", "allGatherOut", "all_gather_into_tensor into `out`">;
def C10d_reduce_scatter_tensor : FunctionalCollective<"reduce_scatter_tensor(Tensor input, str reduce_op, int group_size, str group_name) -> Tensor", "reduceScatter", "The rank's part, along dimension 0, of what all_reduce gives"> {
  let derivative = [{ input = backward.reduce_scattered(grad, reduce_op, group_size, group_name) }];
}
def C10d_all_to_all_single : FunctionalCollective<"all_to_all_single(Tensor input, int[] output_split_sizes, int[] input_split_sizes, str group_name) -> Tensor", "allToAll", "Sends a part of dimension 0 to each rank, and gives what they sent"> {
  let derivative = [{ input = backward.sent_to_all(grad, output_split_sizes, input_split_sizes, group_name) }];
}
def C10d_broadcast : FunctionalCollective<"broadcast(Tensor input, int src, str group_name) -> Tensor", "broadcastRanks", "The tensor of rank `src` of the group"> {
  let derivative = [{ input = backward.broadcasted(grad, src, group_name) }];
}
def C10d_broadcast_ : FunctionalCollective<"broadcast_(Tensor(a!) input, int src, str group_name) -> Tensor(a!)", "broadcastRanksInPlace", "broadcast into its operand">;
def C10d_wait_tensor : FunctionalCollective<"wait_tensor(Tensor(a) tensor) -> Tensor(a)", "waitTensor", "tensor"> {
  let derivative = [{ tensor = grad }];
}

class CoalescedCollective<string single, string signature, string parameters, string arguments>
    : Op<"_c10d_functional::" # single # "_coalesced(Tensor[] inputs, " # signature # ") -> Tensor[]"> {
  let summary = single # " of each tensor of a list";
  let traits = [SideEffects, TakesAnyDevice];
  let decomposition = "def " # single # "_coalesced(inputs: List[Tensor], " # parameters # ") -> List[Tensor]:\n"
                    # "    return [torch.ops._c10d_functional." # single # "(x, " # arguments # ") for x in inputs]\n";
}
def C10d_all_reduce_coalesced : CoalescedCollective<"all_reduce", "str reduce_op, str group_name", "reduce_op: str, group_name: str", "reduce_op, group_name">;
def C10d_all_gather_into_tensor_coalesced : CoalescedCollective<"all_gather_into_tensor", "int group_size, str group_name", "group_size: int, group_name: str", "group_size, group_name">;
def C10d_reduce_scatter_tensor_coalesced : CoalescedCollective<"reduce_scatter_tensor", "str reduce_op, int group_size, str group_name", "reduce_op: str, group_size: int, group_name: str", "reduce_op, group_size, group_name">;

// What torch.distributed of the prelude is made of (lib/Frontend/Prelude/distributed.py).
def Ranks_init    : CollectiveOp<"tsc::init_ranks(str backend, str? init_method, float timeout, bool checked) -> ()", "initRanks", "torch.distributed.init_process_group">;
def Ranks_end     : CollectiveOp<"tsc::end_ranks() -> ()", "endRanks", "torch.distributed.destroy_process_group">;
def Ranks_new     : CollectiveOp<"tsc::new_ranks(int[] ranks) -> str", "newRanks", "torch.distributed.new_group: its name">;
def Ranks_start   : CollectiveOp<"tsc::start_collective(str name, Tensor(a!) output, Tensor[] inputs, int peer, int tag, str reduce_op, int[] splits, str group_name) -> int", "startCollective", "Starts an exchange, which goes on while the program does: its number. all_reduce_gradients begins when backward() has completed the gradients of its inputs">;
def Ranks_finish  : CollectiveOp<"tsc::finish_collective(int work, Tensor(a!) output) -> int", "finishCollective", "Waits for an exchange: the rank that sent what was received, or -1">;
let traits = [Nondeterministic] in {
def Ranks_of      : CollectiveOp<"tsc::ranks_of(str group_name) -> int[]", "ranksOf", "The rank in a group, and which ranks of all are in it; nothing before there are ranks">;
def Ranks_is_done : CollectiveOp<"tsc::is_finished(int work) -> bool", "isFinished", "Whether an exchange is over">;
}
