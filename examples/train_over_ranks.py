# Trains the models of convnet.py and lstm_language_model.py with several processes, which share each batch.
#   mpirun -n 4 tsc-run examples/train_over_ranks.py
#   mpirun -n 2 tsc-run --args '"language", 50, 4, "/tmp/language.pt"' examples/train_over_ranks.py
# A batch is cut into four shards, whoever computes them: one, two and four ranks print the same losses, bit for bit.
import torch
import torch.distributed as dist
import torch.nn.functional as F
from convnet import Network, draw
from lstm_language_model import LanguageModel, encode, learning_rate, make_text
from torch.nn.parallel import DistributedDataParallel
from typing import Dict, List
from torch import Tensor


# Checkpoints are written once, and read by any number of ranks.
def save(parameters: List[Tensor], path: str) -> None:
    if path != "" and dist.get_rank() == 0:
        torch.save({str(i): parameter.detach() for i, parameter in enumerate(parameters)}, path)


def train_convnet(steps: int, shards: int, path: str) -> List[float]:
    torch.manual_seed(0)
    network = Network()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4, nesterov=True)
    ranks = DistributedDataParallel(network.parameters(), shards=shards)
    losses: List[float] = []
    for step in range(steps):
        images, labels = draw(32, step)
        optimizer.zero_grad()
        parts: List[Tensor] = []
        for shard in ranks.shards():
            loss = F.cross_entropy(network.forward(ranks.part(images, shard)), ranks.part(labels, shard))
            loss.backward()
            ranks.collect()
            parts.append(loss.detach())
        ranks.reduce()
        optimizer.step()
        losses.append(float(ranks.mean(torch.stack(parts))))
    save(network.parameters(), path)
    return losses


def train_language_model(steps: int, shards: int, path: str) -> List[float]:
    length, batch = 32, 16
    text = encode(make_text(1000))
    torch.manual_seed(0)
    model = LanguageModel(16, 48)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    ranks = DistributedDataParallel(model.parameters(), shards=shards)
    losses: List[float] = []
    for step in range(steps):
        torch.manual_seed(step)
        begins = torch.randint(0, text.size(0) - length - 1, [batch])
        letters = text[begins + torch.arange(length + 1).unsqueeze(1)]
        optimizer.lr = learning_rate(step)
        optimizer.zero_grad()
        parts: List[Tensor] = []
        for shard in ranks.shards():
            here = ranks.part(letters, shard, 1)
            loss = F.cross_entropy(model.forward(here[:-1]).flatten(0, 1), here[1:].flatten())
            loss.backward()
            ranks.collect()
            parts.append(loss.detach())
        ranks.reduce()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(float(ranks.mean(torch.stack(parts))))
    save(model.parameters(), path)
    return losses


def main(model: str = "convnet", steps: int = 200, shards: int = 4, path: str = "", every: int = 20):
    dist.init_process_group("mpi")
    losses = train_language_model(steps, shards, path) if model == "language" else train_convnet(steps, shards, path)
    if dist.get_rank() == 0:
        for step in range(0, steps, every):
            print("step", step, "loss", losses[step])
        print("last loss", losses[-1], "with", dist.get_world_size(), "ranks")
    dist.destroy_process_group()
