import torch
import torch.nn as nn
import torch.nn.functional as F


class LanguageModel(nn.Module):
    def __init__(self, vocabulary, width, hidden, layers=2, dropout=0.2, tie_weights=False):
        super(LanguageModel, self).__init__()
        self.dropout = nn.Dropout(dropout)
        self.encoder = nn.Embedding(vocabulary, width)
        self.rnn = nn.LSTM(width, hidden, layers, dropout=dropout)
        self.decoder = nn.Linear(hidden, vocabulary)
        if tie_weights:
            if hidden != width:
                raise ValueError("tied weights need a hidden size of the embedding's width")
            self.decoder.weight = self.encoder.weight
        self.vocabulary = vocabulary
        self.init_weights()

    def init_weights(self):
        bound = 0.1
        nn.init.uniform_(self.encoder.weight, -bound, bound)
        nn.init.zeros_(self.decoder.bias)
        nn.init.uniform_(self.decoder.weight, -bound, bound)

    def forward(self, tokens):
        embedded = self.dropout(self.encoder(tokens))
        output, (hidden, cell) = self.rnn(embedded)
        decoded = self.decoder(self.dropout(output)).view(-1, self.vocabulary)
        return F.log_softmax(decoded, dim=1)


if __name__ == "__main__":
    torch.manual_seed(0)
    model = LanguageModel(50, 16, 16, tie_weights=True)
    model.eval()
    tokens = torch.randint(0, 50, (7, 3))
    scores = model(tokens)
    print(scores.shape, scores[:2, :4])
    print([name for name, parameter in model.named_parameters()])
