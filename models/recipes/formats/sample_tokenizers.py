"""Tokenizers of the kinds that the models use, trained on a few sentences."""

import json
import math
import string
import tempfile
from collections import Counter
from pathlib import Path

import transformers as hf
from tokenizers import ByteLevelBPETokenizer, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

COLOURS = ['red', 'green', 'blue', 'grey', 'yellow', 'white']
THINGS = ['square', 'circle', 'stripe', 'house', 'dog', 'boat', 'tree']
SENTENCES = [
    f'{start} {colour} {thing} {place}'
    for start in ['a photo of a', 'two', 'A picture of the']
    for colour in COLOURS
    for thing in THINGS
    for place in ['on the left', 'at night', 'in the rain', 'in front of a wall']
]


def clip_tokenizer(longest):
    """Like CLIP's: lower case, words end in </w>, and the last two numbers are the start and the end of a text."""
    end = '</w>'
    trained = Tokenizer(models.BPE(end_of_word_suffix=end))
    pattern = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
    trained.normalizer = normalizers.Lowercase()
    trained.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(pattern), 'removed', invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=400, end_of_word_suffix=end, show_progress=False, initial_alphabet=letters)
    trained.train_from_iterator(SENTENCES, trainer)
    merges = [tuple(merge) for merge in json.loads(trained.to_str())['model']['merges']]
    tokens = [*letters, *(letter + end for letter in letters), *dict.fromkeys(left + right for left, right in merges)]
    tokens += ['<|startoftext|>', '<|endoftext|>']
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, 'vocab.json').write_text(json.dumps({token: at for at, token in enumerate(tokens)}))
        Path(folder, 'merges.txt').write_text('\n'.join(['#version: 0.2', *(' '.join(merge) for merge in merges)]))
        return hf.CLIPTokenizerFast(f'{folder}/vocab.json', f'{folder}/merges.txt', model_max_length=longest)


def bpe_tokenizer(longest):
    """Like GPT-2's."""
    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(SENTENCES, vocab_size=420, special_tokens=['<|endoftext|>'], show_progress=False)
    with tempfile.TemporaryDirectory() as folder:
        trained.save_model(folder)
        return hf.GPT2TokenizerFast(f'{folder}/vocab.json', f'{folder}/merges.txt', model_max_length=longest, pad_token='<|endoftext|>')


def bert_tokenizer(longest):
    """Like BERT's: lower case, known words, and letters of all others. Has no settings besides those in tokenizer.json."""
    words = sorted({word for sentence in SENTENCES for word in sentence.lower().split()})
    letters = sorted(set(string.ascii_lowercase + string.digits + string.punctuation))
    special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']
    vocabulary = [*special, *dict.fromkeys([*letters, *words]), *(f'##{letter}' for letter in string.ascii_lowercase)]
    backend = Tokenizer(models.WordPiece({token: at for at, token in enumerate(vocabulary)}, unk_token='[UNK]'))
    backend.add_special_tokens(special)
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.WordPiece()
    backend.post_processor = processors.TemplateProcessing(
        '[CLS] $A [SEP]', '[CLS] $A [SEP] $B:1 [SEP]:1', [(token, vocabulary.index(token)) for token in ('[CLS]', '[SEP]')]
    )
    backend.enable_truncation(longest)
    return backend


def siglip_tokenizer(longest):
    """Word pieces of a unigram model, like SentencePiece; texts are lower-cased and punctuation is removed."""
    backend = Tokenizer(models.Unigram(_pieces(), unk_id=0))
    backend.normalizer = normalizers.Sequence(
        [normalizers.Lowercase(), normalizers.Replace(Regex(r'[!-/:-@\[-`{-~]'), ''), normalizers.Replace(Regex(r'\s+'), ' '), normalizers.Strip()]
    )
    backend.pre_tokenizer = pre_tokenizers.Metaspace()
    backend.decoder = decoders.Metaspace()
    backend.post_processor = processors.TemplateProcessing('$A </s>', special_tokens=[('</s>', 1)])
    return hf.PreTrainedTokenizerFast(
        tokenizer_object=backend, unk_token='<unk>', eos_token='</s>', pad_token='</s>', model_max_length=longest,
        model_input_names=['input_ids'],
    )


def _pieces():
    """Scores are counts, because the trainer's scores differ on each run."""
    counts = Counter()
    for word in ' '.join(SENTENCES).lower().split():
        for length in (1, 2, 3, 4, len(word) + 1):
            counts.update(('▁' + word)[at : at + length] for at in range(len(word) + 2 - length))
    chosen = sorted(counts.items(), key=lambda each: (-each[1] * len(each[0]), each[0]))[:190]
    letters = sorted({letter for piece in counts for letter in piece} - {piece for piece, _ in chosen})
    total = sum(counts.values())
    scored = [(piece, math.log(count / total)) for piece, count in chosen] + [(letter, -15.0) for letter in letters]
    return [('<unk>', 0.0), ('</s>', 0.0), *scored]
