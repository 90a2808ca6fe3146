"""The stock models that `python3 -m pothole_record --demo NAME` records.

Each makes a step() of one model, forward, backward and optimizer, with weights and inputs drawn at random. Gradients are
None at its beginning and its end, so that what a step starts from are its parameters and inputs.
"""

import torch


def training_step(model, inputs, loss_of):
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(model(*inputs))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss.detach()

    return step


def classify(labels):
    return lambda scores: torch.nn.functional.cross_entropy(scores, labels)


def vision(name, side=224, classes=1000, **options):
    def make(batch):
        import torchvision

        model = getattr(torchvision.models, name)(weights=None, **options)
        of_scores = classify(torch.randint(classes, (batch,)))

        def loss_of(result):  # inception has a second classifier on the way
            main, *others = result if isinstance(result, tuple) else (result,)
            return sum((0.4 * of_scores(other) for other in others), of_scores(main))

        return training_step(model, [torch.randn(batch, 3, side, side)], loss_of)

    return make


class UNet(torch.nn.Module):
    """Down and up again, with what was seen on the way down joined in on the way up."""

    def __init__(self, width=16, depth=4):
        super().__init__()
        widths = [width << level for level in range(depth + 1)]
        self.down = torch.nn.ModuleList(map(self.block, [3, *widths[:-1]], widths))
        self.shrink = torch.nn.MaxPool2d(2)
        self.grow = torch.nn.ModuleList(torch.nn.ConvTranspose2d(2 * w, w, 2, stride=2) for w in reversed(widths[:-1]))
        self.up = torch.nn.ModuleList(self.block(2 * w, w) for w in reversed(widths[:-1]))
        self.last = torch.nn.Conv2d(width, 1, 1)

    @staticmethod
    def block(inside, outside):
        layers = []
        for channels in (inside, outside):
            layers += [torch.nn.Conv2d(channels, outside, 3, padding=1), torch.nn.BatchNorm2d(outside), torch.nn.ReLU()]
        return torch.nn.Sequential(*layers)

    def forward(self, image):
        seen = []
        for block in self.down:
            image = block(self.shrink(image) if seen else image)
            seen.append(image)
        seen.pop()
        for grow, block in zip(self.grow, self.up):
            image = block(torch.cat([seen.pop(), grow(image)], 1))
        return self.last(image)


def unet(batch):
    mask = torch.rand(batch, 1, 128, 128)
    return training_step(UNet(), [torch.randn(batch, 3, 128, 128)],
                         lambda scores: torch.nn.functional.binary_cross_entropy_with_logits(scores, mask))


def transformer(batch, width=256, words=1000, length=64):
    layer = torch.nn.TransformerEncoderLayer(width, 8, 4 * width, dropout=0.1, batch_first=True)
    model = torch.nn.Sequential(torch.nn.Embedding(words, width), torch.nn.TransformerEncoder(layer, 6),
                                torch.nn.Linear(width, words))
    text, labels = torch.randint(words, (2, batch, length))
    return training_step(model, [text], lambda scores: classify(labels.flatten())(scores.flatten(0, 1)))


class LSTM(torch.nn.Module):
    def __init__(self, width=128, classes=10):
        super().__init__()
        self.recurrent = torch.nn.LSTM(width, width, num_layers=2, batch_first=True)
        self.last = torch.nn.Linear(width, classes)

    def forward(self, sequence):
        return self.last(self.recurrent(sequence)[0][:, -1])


def lstm(batch, length=64):
    return training_step(LSTM(), [torch.randn(batch, length, 128)], classify(torch.randint(10, (batch,))))


class TreeLSTM(torch.nn.Module):
    """A cell joins two subtrees; the trees of a batch have one shape, which is drawn at random."""

    def __init__(self, width=128, leaves=48, classes=5):
        super().__init__()
        self.leaf = torch.nn.Linear(width, 2 * width)
        self.cell = torch.nn.Linear(2 * width, 5 * width)
        self.last = torch.nn.Linear(width, classes)
        chosen = torch.rand(leaves)
        self.joins = [int(chosen[size - 1] * (size - 1)) for size in range(leaves, 1, -1)]

    def join(self, left, right):
        into, out, keep_left, keep_right, new = self.cell(torch.cat([left[0], right[0]], 1)).chunk(5, 1)
        cell = keep_left.sigmoid() * left[1] + keep_right.sigmoid() * right[1] + into.sigmoid() * new.tanh()
        return out.sigmoid() * cell.tanh(), cell

    def forward(self, leaves):
        subtrees = [self.leaf(leaf).chunk(2, 1) for leaf in leaves]
        for place in self.joins:
            subtrees[place:place + 2] = [self.join(*subtrees[place:place + 2])]
        return self.last(subtrees[0][0])


def treelstm(batch):
    model = TreeLSTM()
    return training_step(model, [torch.randn(len(model.joins) + 1, batch, 128)], classify(torch.randint(5, (batch,))))


def gan(batch, width=256, noise=64, unrolled=2, rate=0.05):
    """The generator learns against a discriminator that has learned `unrolled` steps further, and through those steps."""
    linear = torch.nn.Linear
    generator = torch.nn.Sequential(linear(noise, width), torch.nn.Tanh(), linear(width, width), torch.nn.Tanh(), linear(width, 128))
    discriminator = [torch.randn(128, width) / 11, torch.zeros(width), torch.randn(width, 1) / 16, torch.zeros(1)]
    for weight in discriminator:
        weight.requires_grad_()
    optimizer = torch.optim.SGD(generator.parameters(), lr=rate)
    real = torch.randn(batch, 128)
    seeds = torch.randn(batch, noise)

    def loss_of(weights, data, label):
        hidden = torch.tanh(torch.addmm(weights[1], data, weights[0]))
        scores = torch.addmm(weights[3], hidden, weights[2])
        return torch.nn.functional.binary_cross_entropy_with_logits(scores, torch.full_like(scores, label))

    def step():
        optimizer.zero_grad(set_to_none=True)
        fake = generator(seeds)
        weights = discriminator
        for _ in range(unrolled):
            loss = loss_of(weights, real, 1.0) + loss_of(weights, fake, 0.0)
            slopes = torch.autograd.grad(loss, weights, create_graph=True)
            weights = [weight - rate * slope for weight, slope in zip(weights, slopes)]
        loss = loss_of(weights, fake, 1.0)
        loss.backward(inputs=list(generator.parameters()))
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss.detach()

    return step


# Name -> (maker of the step, batch if none is asked for).
DEMOS = {
    "resnet18": (vision("resnet18"), 8),
    "resnet50": (vision("resnet50"), 4),
    "densenet121": (vision("densenet121"), 2),
    "inception": (vision("inception_v3", side=299, init_weights=False), 2),
    "unet": (unet, 8),
    "transformer": (transformer, 8),
    "lstm": (lstm, 16),
    "treelstm": (treelstm, 16),
    "gan": (gan, 256),
}
