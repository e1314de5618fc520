# REQUIRES: fake-cuda-driver
# RUN: tsc-run %s --cuda-driver %fake_cuda_driver --compile eager > %t 2>&1
# RUN: FileCheck %s --input-file %t
import torch
from torch import Tensor
from typing import List
from Inputs.nearness import close, g

# Recurrent layers are cuDNN's, and are what it gives. (The fake library checks descriptors, memory and lengths.)
# CHECK-NOT: has no kernel
# CHECK: 56 networks
# CHECK-NOT: has no kernel
def there(tensors: List[Tensor]):
    return [g(t) for t in tensors]

def weights(gates: int, size: int, width: int, out: int, layers: int, directions: int, biases: bool, dtype: int):
    made: List[Tensor] = []
    for layer in range(layers):
        for _ in range(directions):
            made.append(torch.randn([gates * width, size if layer == 0 else out * directions]).to(dtype) / 4)
            made.append(torch.randn([gates * width, out]).to(dtype) / 4)
            if biases:
                made.append(torch.randn([gates * width]).to(dtype) / 4)
                made.append(torch.randn([gates * width]).to(dtype) / 4)
            if out != width:
                made.append(torch.randn([out, width]).to(dtype) / 4)
    return made

def main():
    torch.manual_seed(6)
    count = 0
    for dtype in [torch.float, torch.double, torch.half, torch.bfloat16]:
        for directions in [1, 2]:
            both, biases, out = directions == 2, directions == 1, 5 if directions == 1 else 3
            x = torch.randn([4, 3, 6]).to(dtype)
            h, c = torch.randn([2 * directions, 3, out]).to(dtype), torch.randn([2 * directions, 3, 5]).to(dtype)
            w = weights(4, 6, 5, out, 2, directions, biases, dtype)
            one = torch.lstm(x, [h, c], w, biases, 2, 0.5, False, both, False)
            two = torch.lstm(g(x), [g(h), g(c)], there(w), biases, 2, 0.5, False, both, False)
            close(one[0], two[0], 'lstm')
            close(one[1], two[1], 'its state')
            close(one[2], two[2], 'its cells')
            t = x.transpose(0, 1).contiguous()
            close(torch.lstm(t, [h, c], w, biases, 2, 0., False, both, True)[0],
                  torch.lstm(g(t), [g(h), g(c)], there(w), biases, 2, 0., False, both, True)[0], 'batch first')
            n = torch.tensor([3, 2, 2, 1])
            d = x.view([12, 6])[:8]
            close(torch.lstm(d, n, [h, c], w, biases, 2, 0., False, both)[0],
                  torch.lstm(g(d), n, [g(h), g(c)], there(w), biases, 2, 0., False, both)[0], 'packed')
            h = torch.randn([2 * directions, 3, 5]).to(dtype)
            w = weights(3, 6, 5, 5, 2, directions, biases, dtype)
            unit = torch.gru(x, h, w, biases, 2, 0., False, both, False)
            other = torch.gru(g(x), g(h), there(w), biases, 2, 0., False, both, False)
            close(unit[0], other[0], 'gru')
            close(unit[1], other[1], 'its state')
            close(torch.gru(d, n, h, w, biases, 2, 0., False, both)[1],
                  torch.gru(g(d), n, g(h), there(w), biases, 2, 0., False, both)[1], 'packed')
            w = weights(1, 6, 5, 5, 2, directions, biases, dtype)
            close(torch.rnn_tanh(x, h, w, biases, 2, 0., False, both, False)[0],
                  torch.rnn_tanh(g(x), g(h), there(w), biases, 2, 0., False, both, False)[0], 'tanh')
            close(torch.rnn_relu(x, h, w, biases, 2, 0., False, both, False)[0],
                  torch.rnn_relu(g(x), g(h), there(w), biases, 2, 0., False, both, False)[0], 'relu')
            count += 7
    print(count, 'networks')
