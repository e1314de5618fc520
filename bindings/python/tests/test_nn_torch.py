"""tsc.nn beside torch.nn: the same parameters, numbers, gradients, names and texts."""

import unittest

import nn_cases
import tsc
from support import TestCase

try:
    import torch
except ImportError:
    torch = None


# Modules whose texts are others in torch 1.13: tsc.nn writes them as current versions do.
TEXTS_CHANGED = ("Norm", "EmbeddingBag", "Softplus", "Upsampl")


@unittest.skipIf(torch is None, "needs torch")
class Every(TestCase):
    def outcome(self, library, case):
        name, args, kwargs, inputs = case
        library.manual_seed(3)
        module = getattr(library.nn, name)(*args, **kwargs)
        given = inputs(nn_cases.Numbers(library))
        library.manual_seed(4)
        result = nn_cases.tensors_in(module(*given))
        floats = [one for one in result if one.requires_grad]
        if floats:
            sum(one.square().sum() for one in floats).backward()
        gradients = [None if one.grad is None else one.grad.tolist() for one in module.parameters()]
        return (repr(module), [(key, value.tolist()) for key, value in module.state_dict().items()],
                [one.tolist() for one in result], gradients)

    def test_every_case(self):
        import warnings
        has_old_texts = "bias" not in repr(torch.nn.BatchNorm1d(1))
        for case in nn_cases.CASES:
            with self.subTest(nn_cases.text_of(case)), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                text, state, result, gradients = self.outcome(tsc, case)
                text_there, state_there, result_there, gradients_there = self.outcome(torch, case)
                if not has_old_texts or not any(name in text for name in TEXTS_CHANGED):
                    self.assertEqual(text, text_there)
                self.assertEqual([key for key, _ in state], [key for key, _ in state_there])
                for (key, mine), (_, other) in zip(state, state_there):
                    self.assertFalse(nn_cases.differ(mine, other, 1e-5), key)
                self.assertFalse(nn_cases.differ(result, result_there, 1e-4), (result, result_there))
                self.assertFalse(nn_cases.differ(gradients, gradients_there, 1e-3), (gradients, gradients_there))

    def test_optimizers(self):
        def losses(library, make):
            library.manual_seed(1)
            net = library.nn.Linear(3, 1)
            x, y = nn_cases.Numbers(library).normal(8, 3), nn_cases.Numbers(library).unit(8, 1)
            optimizer, found = make(library.optim, net.parameters()), []
            for _ in range(5):
                optimizer.zero_grad()
                loss = library.nn.functional.mse_loss(net(x), y)
                loss.backward()
                optimizer.step()
                found.append(loss.item())
            return found

        for make in (lambda optim, p: optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.1),
                     lambda optim, p: optim.Adam(p, lr=0.05, amsgrad=True), lambda optim, p: optim.AdamW(p, lr=0.05),
                     lambda optim, p: optim.RMSprop(p, lr=0.02, momentum=0.5), lambda optim, p: optim.Adagrad(p, lr=0.1)):
            self.assertFalse(nn_cases.differ(losses(tsc, make), losses(torch, make), 1e-4))

    def test_modules_of_both_are_compiled_side_by_side(self):
        theirs, ours = torch.nn.Linear(2, 3), tsc.nn.Linear(2, 3)
        ours.load_state_dict({name: value.detach().numpy() for name, value in theirs.state_dict().items()})
        compiled, other = tsc.jit.script(theirs), tsc.jit.script(ours)
        self.assertIsInstance(compiled(torch.ones(1, 2)), torch.Tensor)
        self.assertIsInstance(other(tsc.ones(1, 2)), tsc.Tensor)
        self.assertFalse(nn_cases.differ(compiled(torch.ones(1, 2)).tolist(), other(tsc.ones(1, 2)).tolist(), 1e-6))


if __name__ == "__main__":
    unittest.main()
