"""Tokenizers for texts and for captions, trained on the texts of the scenes."""

import json
import tempfile
from pathlib import Path

import transformers as hf
from tokenizers import ByteLevelBPETokenizer, Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from world_model import LONGEST_CAPTION, LONGEST_TEXT

SCENE, OBJECT, END = '<|scene|>', '<|object|>', '<|endoftext|>'


def text_tokenizer(texts):
    """Like CLIP's: lower case, words end in </w>, and the last two numbers are the start and the end of a text."""
    end = '</w>'
    trained = Tokenizer(models.BPE(end_of_word_suffix=end))
    pattern = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
    trained.normalizer = normalizers.Lowercase()
    trained.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(pattern), 'removed', invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=1500, end_of_word_suffix=end, show_progress=False, initial_alphabet=letters)
    trained.train_from_iterator(texts, trainer)
    merges = [tuple(merge) for merge in json.loads(trained.to_str())['model']['merges']]
    tokens = [*letters, *(letter + end for letter in letters), *dict.fromkeys(left + right for left, right in merges)]
    tokens += ['<|startoftext|>', END]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, 'vocab.json').write_text(json.dumps({token: at for at, token in enumerate(tokens)}))
        Path(folder, 'merges.txt').write_text('\n'.join(['#version: 0.2', *(' '.join(merge) for merge in merges)]))
        return hf.CLIPTokenizerFast(f'{folder}/vocab.json', f'{folder}/merges.txt', model_max_length=LONGEST_TEXT)


def caption_tokenizer(captions):
    """Like GPT-2's. The caption of a scene and that of an object start with different tokens."""
    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(captions, vocab_size=1000, special_tokens=[END, SCENE, OBJECT], show_progress=False)
    with tempfile.TemporaryDirectory() as folder:
        trained.save_model(folder)
        return hf.GPT2TokenizerFast(
            f'{folder}/vocab.json', f'{folder}/merges.txt', model_max_length=LONGEST_CAPTION, pad_token=END,
            additional_special_tokens=[SCENE, OBJECT],
        )
