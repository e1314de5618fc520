# Ten steps of every optimizer, each option once, and what they leave, which PyTorch gave: the program runs there too.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry wrong 2>&1 | FileCheck %s --check-prefix=WRONG
import torch
import torch.nn.functional as F
from typing import Dict, List
from torch import Tensor

def start() -> List[Tensor]:
    w = torch.linspace(-1., 1., 6).view(3, 2)
    unused = torch.ones(1)
    return [w.requires_grad_(), torch.tensor([0.5, -0.25]).requires_grad_(), unused.requires_grad_()]

def backward(params: List[Tensor]) -> None:
    x = torch.linspace(-2., 2., 12).view(4, 3)
    y = torch.linspace(-1., 0.8, 8).view(4, 2)
    ((x.sin().mm(params[0]) + params[1]).tanh() - y).square().sum().backward()

def sgd(optimizer: torch.optim.SGD, params: List[Tensor]) -> List[Tensor]:
    for i in range(10):
        optimizer.zero_grad()
        backward(params)
        optimizer.step()
    return params

def adam(optimizer: torch.optim.Adam, params: List[Tensor]) -> List[Tensor]:
    for i in range(10):
        optimizer.zero_grad()
        backward(params)
        optimizer.step()
    return params

def adamw(optimizer: torch.optim.AdamW, params: List[Tensor]) -> List[Tensor]:
    for i in range(10):
        optimizer.zero_grad(set_to_none=False)
        backward(params)
        optimizer.step()
    return params

def rmsprop(optimizer: torch.optim.RMSprop, params: List[Tensor]) -> List[Tensor]:
    for i in range(10):
        optimizer.zero_grad()
        backward(params)
        optimizer.step()
    return params

def adagrad(optimizer: torch.optim.Adagrad, params: List[Tensor]) -> List[Tensor]:
    for i in range(10):
        optimizer.zero_grad()
        backward(params)
        optimizer.step()
    return params

def check(name: str, params: List[Tensor], recorded: List[float]) -> None:
    found = torch.cat([params[0].flatten(), params[1]]).detach()
    assert torch.allclose(found, torch.tensor(recorded), rtol=2e-6, atol=1e-7), name + ": " + str(found)
    assert float(params[2].detach()) == 1.0, name + " changes a parameter without a gradient"
    print(name)

def optimizers():
    p = start()
    check("SGD", sgd(torch.optim.SGD(p, lr=0.05), p),
          [-0.310684979, -0.408457279, 0.316458285, 0.325815797, 0.876058817, 1.0436343, -0.417128146, -0.230383128])
    p = start()
    check("momentum", sgd(torch.optim.SGD(p, lr=0.05, momentum=0.9), p),
          [1.25340152, -0.28867352, 1.51768732, 0.293208331, 1.5573324, 0.862900198, -2.67421198, -0.203316569])
    p = start()
    check("dampening", sgd(torch.optim.SGD(p, lr=0.05, momentum=0.9, dampening=0.3), p),
          [0.997917235, -0.25263235, 1.36434019, 0.376502693, 1.526178, 0.982554555, -2.09901905, -0.201558158])
    p = start()
    check("nesterov", sgd(torch.optim.SGD(p, lr=0.05, momentum=0.8, nesterov=True), p),
          [0.234531164, -0.297763497, 0.732187212, 0.306585371, 1.1079309, 0.896995068, -1.34999931, -0.197535723])
    p = start()
    check("weight_decay", sgd(torch.optim.SGD(p, lr=0.05, weight_decay=0.1), p),
          [-0.283862859, -0.379439503, 0.310313165, 0.317818284, 0.839028895, 0.998388886, -0.405869275,
           -0.216564268])
    p = start()
    check("maximize", sgd(torch.optim.SGD(p, lr=0.01, maximize=True), p),
          [-1.25150216, -0.783499122, -0.427603751, 0.0287525207, 0.426060706, 0.863400102, 0.560751379,
           -0.301183373])
    p = start()
    check("Adam", adam(torch.optim.Adam(p, lr=0.05), p),
          [-0.508675814, -0.330901057, 0.286408007, 0.39461261, 1.07779014, 1.07518065, -0.000622022897,
           -0.303399891])
    p = start()
    check("betas", adam(torch.optim.Adam(p, lr=0.05, betas=(0.8, 0.95), eps=1e-3), p),
          [-0.513889015, -0.361165911, 0.278804481, 0.358296633, 1.06623363, 1.03294218, -0.0070361197, -0.269310355])
    p = start()
    check("Adam weight_decay", adam(torch.optim.Adam(p, lr=0.05, weight_decay=0.1), p),
          [-0.508660436, -0.297382385, 0.286018312, 0.384015799, 1.0758431, 0.981475294, -0.000794973224,
           -0.266788036])
    p = start()
    check("amsgrad", adam(torch.optim.Adam(p, lr=0.1, betas=(0.9, 0.5), amsgrad=True), p),
          [-0.240396112, -0.338379771, 0.514541864, 0.343648165, 1.24940085, 0.956478894, -0.310373187, -0.264424622])
    p = start()
    check("AdamW", adamw(torch.optim.AdamW(p, lr=0.05, weight_decay=0.1), p),
          [-0.471444309, -0.304580361, 0.284372777, 0.383833498, 1.03635192, 1.02736998, -0.0135630183, -0.285728812])
    p = start()
    check("RMSprop", rmsprop(torch.optim.RMSprop(p), p),
          [-0.550719023, -0.379044771, 0.225303486, 0.336094409, 0.986383498, 0.992414713, -0.0406184532,
           -0.216353759])
    p = start()
    check("alpha", rmsprop(torch.optim.RMSprop(p, lr=0.02, alpha=0.9, eps=1e-4, weight_decay=0.1), p),
          [-0.656542063, -0.384570807, 0.137235418, 0.340916395, 0.926904202, 0.953019977, 0.110226557, -0.200627938])
    p = start()
    check("RMSprop momentum", rmsprop(torch.optim.RMSprop(p, momentum=0.5), p),
          [-0.380087227, -0.312202454, 0.344851285, 0.330975115, 1.03000569, 0.905597687, -0.369107515, -0.184388369])
    p = start()
    check("centered", rmsprop(torch.optim.RMSprop(p, centered=True), p),
          [-0.544838488, -0.37784645, 0.229507804, 0.33577311, 0.987917721, 0.991719544, -0.049610272, -0.21610032])
    p = start()
    check("Adagrad", adagrad(torch.optim.Adagrad(p, lr=0.1), p),
          [-0.55333811, -0.381006241, 0.223222807, 0.335945904, 0.985331953, 0.995316744, -0.0376155004,
           -0.217295498])
    p = start()
    check("Adagrad options", adagrad(torch.optim.Adagrad(p, lr=0.1, lr_decay=0.1, weight_decay=0.1,
                                                         initial_accumulator_value=0.1), p),
          [-0.62386179, -0.38338691, 0.165700838, 0.333439171, 0.947470069, 0.969813585, 0.0689020008, -0.206874669])

# Gradients add up until they are cleared.
def clearing():
    p = start()
    optimizer = torch.optim.SGD(p, lr=0.05)
    for i in range(10):
        backward(p)
        optimizer.step()
    check("without zero_grad", p,
          [2.39934134, -0.167539254, 2.45910811, 0.35693121, 2.17111468, 0.86087811, -3.88054204, -0.142072544])

def clipping():
    p = start()
    optimizer = torch.optim.SGD(p, lr=0.1)
    norms: List[float] = []
    for i in range(10):
        optimizer.zero_grad()
        backward(p)
        norms.append(float(torch.nn.utils.clip_grad_norm_(p, 1.0)))
        optimizer.step()
    assert torch.allclose(torch.tensor(norms), torch.tensor(
        [5.06751108, 5.48798704, 6.01745892, 6.46099567, 6.6104722, 6.34510708, 5.69733381, 4.82621145, 3.91348934,
           3.07643986])), str(norms)
    check("clip_grad_norm_", p,
          [-0.469050169, -0.472136199, 0.250225157, 0.299112141, 0.910619855, 1.05739856, -0.0885241479,
           -0.231974617])
    p = start()
    optimizer = torch.optim.SGD(p, lr=0.1)
    for i in range(10):
        optimizer.zero_grad()
        backward(p)
        torch.nn.utils.clip_grad_value_(p, 0.5)
        optimizer.step()
    check("clip_grad_value_", p,
          [-0.499999881, -0.375668526, 0.300000012, 0.329277813, 1.05802643, 1.00971663, -3.7252903e-08,
           -0.224973246])

# A run that goes on from what was kept ends where the run in one piece does.
def resuming():
    p = start()
    optimizer = torch.optim.Adam(p, lr=0.05, amsgrad=True)
    adam(optimizer, p)
    q: List[Tensor] = []
    for tensor in p:
        q.append(tensor.detach().clone().requires_grad_())
    again = torch.optim.Adam(q, lr=0.05, amsgrad=True)
    again.load_state_dict(optimizer.state_dict())
    adam(optimizer, p)
    adam(again, q)
    for a, b in zip(p, q):
        assert torch.equal(a, b)
    print("resumed")

def main():
    # CHECK: SGD
    # CHECK: Adagrad options
    optimizers()
    # CHECK-NEXT: without zero_grad
    clearing()
    # CHECK-NEXT: clip_grad_norm_
    # CHECK-NEXT: clip_grad_value_
    clipping()
    # CHECK-NEXT: resumed
    if torch.jit.is_scripting(): # PyTorch's state_dict shares what it holds
        resuming()

def wrong():
    # WRONG: error: {{.*}}ValueError: Invalid learning rate: -1.
    torch.optim.SGD([torch.ones(1)], lr=-1.)
