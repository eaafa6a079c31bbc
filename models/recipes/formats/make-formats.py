"""Builds model folders in Hugging Face's layout, with random weights of fixed seeds, and reference outputs computed in Python.

    python make-formats.py OUT                  tiny models with their references, for the tests (test/fixtures/models)
    python make-formats.py OUT --full           CLIP ViT-B/32 and SigLIP base, for benches, and for tests with FORMATS
    python make-formats.py OUT --only clip      one of them

Each folder is what `optimum-cli export onnx` writes. Nothing is downloaded.
"""

import argparse
import json
import os
import shutil
import tempfile
from pathlib import Path

os.environ['HF_HUB_OFFLINE'] = '1'
os.environ['TRANSFORMERS_OFFLINE'] = '1'

import numpy
import onnx.utils
import torch
import transformers as hf
from optimum.exporters.onnx import main_export
from PIL import Image, ImageOps

from sample_pictures import make_pictures, make_resampling
from sample_tokenizers import bert_tokenizer, bpe_tokenizer, clip_tokenizer, siglip_tokenizer

LABELS = ['red square', 'green circle', 'blue stripe']
TEXTS = [
    'a photo of a red square',
    'two green circles',
    'nothing',
    'A Photo of a BLUE stripe, at night!',
    'a house, a dog, a boat and a tree in front of a wall in the rain at night, ' * 3,
]


def randomise(model, seed):
    """Weights large enough that different pictures have clearly different outputs; with the usual initialisation
    they are nearly equal."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            if 'norm' in name.lower() or 'layrnorm' in name or '.ln_' in name:
                parameter.add_(noise * 0.05)
            elif name in ('logit_scale', 'logit_bias'):
                parameter.fill_(2.5 if name == 'logit_scale' else -1.0)
            elif 'query_position' in name:
                parameter.copy_(noise)
            elif parameter.dim() < 2 or 'embed' in name and 'patch' not in name:
                parameter.copy_(noise * 0.1) if parameter.dim() > 0 else None
            else:
                fan_in = parameter[0].numel()
                parameter.copy_(noise * 1.2 / fan_in**0.5)
    return model.eval()


def fixed_tensor(shape):
    """Computed from a formula that other languages can repeat, so that the numbers need not be stored."""
    return torch.from_numpy(numpy.sin(numpy.arange(numpy.prod(shape)) * 0.7).reshape(shape).astype('float32') * 1.5)


def upright_rgb(path):
    """Decodes a picture as the service does: rotated according to EXIF, transparent pixels on white."""
    picture = ImageOps.exif_transpose(Image.open(path))
    if 'A' in picture.getbands():
        white = Image.new('RGBA', picture.size, 'white')
        return Image.alpha_composite(white, picture.convert('RGBA')).convert('RGB')
    return picture.convert('RGB')


def rounded(tensor):
    return json.loads(json.dumps(tensor.tolist()), parse_float=lambda text: float(f'{float(text):.6g}'))


def unit(tensor):
    return tensor / tensor.norm(dim=-1, keepdim=True)


def over_pictures(pictures, processor, compute):
    found = {}
    for path in pictures:
        with torch.no_grad():
            found[path.name] = compute(processor(images=upright_rgb(path), return_tensors='pt'))
    return found


def text_and_image(model, tokenizer, processor, pictures, side, padding):
    with torch.no_grad():
        tensor = fixed_tensor((2, 3, side, side))
        tokens = tokenizer(TEXTS, **padding, truncation=True, return_tensors='pt')
        labels = tokenizer([f'a photo of a {label}' for label in LABELS], **padding, return_tensors='pt')
        of_logits = torch.sigmoid if model.config.model_type == 'siglip' else lambda logits: logits.softmax(-1)
        return {
            'tensor': {'shape': list(tensor.shape), 'embeddings': rounded(unit(model.get_image_features(tensor)))},
            'texts': TEXTS,
            'token_ids': tokens['input_ids'].tolist(),
            'text_embeddings': rounded(unit(model.get_text_features(**tokens))),
            'pictures': over_pictures(
                pictures, processor, lambda inputs: rounded(unit(model.get_image_features(**inputs))[0])
            ),
            'labels': LABELS,
            'confidences': over_pictures(
                pictures, processor, lambda inputs: rounded(of_logits(model(**inputs, **labels).logits_per_image)[0])
            ),
        }


def make_clip(full):
    side, text, vision, width = (
        (224, dict(max_position_embeddings=77), dict(patch_size=32), 512)
        if full
        else (
            48,
            dict(hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4, max_position_embeddings=24),
            dict(hidden_size=48, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4, patch_size=8),
            32,
        )
    )
    tokenizer = clip_tokenizer(text['max_position_embeddings'])
    ids = dict(bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id)
    config = hf.CLIPConfig(
        text_config=dict(**text, **ids, vocab_size=49408 if full else len(tokenizer)),
        vision_config=dict(**vision, image_size=side),
        projection_dim=width,
    )
    processor = hf.CLIPImageProcessor(size={'shortest_edge': side}, crop_size={'height': side, 'width': side})
    model = randomise(hf.CLIPModel(config), 1)
    return Made(
        model, 'zero-shot-image-classification', [tokenizer, processor],
        lambda pictures: text_and_image(model, tokenizer, processor, pictures, side, dict(padding=True)),
        dict(type='MULTIMODEL_IMAGE_ENCODING', outputs=dict(dimension=width)),
    )


def make_siglip(full):
    side, text, vision = (
        (224, dict(max_position_embeddings=64), dict(patch_size=16))
        if full
        else (
            32,
            dict(hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4, max_position_embeddings=16),
            dict(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, patch_size=8),
        )
    )
    tokenizer = siglip_tokenizer(text['max_position_embeddings'])
    config = hf.SiglipConfig(
        text_config=dict(**text, vocab_size=32000 if full else len(tokenizer), pad_token_id=1, bos_token_id=0, eos_token_id=1),
        vision_config=dict(**vision, image_size=side),
    )
    processor = hf.SiglipImageProcessor(size={'height': side, 'width': side}, resample=3)
    model = randomise(hf.SiglipModel(config), 2)
    padding = dict(padding='max_length', max_length=text['max_position_embeddings'])
    return Made(
        model, 'zero-shot-image-classification', [tokenizer, processor],
        lambda pictures: text_and_image(model, tokenizer, processor, pictures, side, padding),
        dict(type='MULTIMODEL_IMAGE_ENCODING', outputs=dict(dimension=768 if full else 32)),
    )


def make_dinov2(full):
    config = hf.Dinov2Config(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, mlp_ratio=2, image_size=56, patch_size=14)
    processor = hf.BitImageProcessor(
        size={'shortest_edge': 64}, crop_size={'height': 56, 'width': 56},
        image_mean=[0.485, 0.456, 0.406], image_std=[0.229, 0.224, 0.225],
    )
    model = randomise(hf.Dinov2Model(config), 3)

    def reference(pictures):
        tensor = fixed_tensor((2, 3, 56, 56))
        with torch.no_grad():
            embeddings = rounded(unit(model(tensor).pooler_output))
        return {
            'tensor': {'shape': list(tensor.shape), 'embeddings': embeddings},
            'pictures': over_pictures(pictures, processor, lambda inputs: rounded(unit(model(**inputs).pooler_output)[0])),
        }

    ladder = dict(calibration=dict(ladder=[0.95, 0.9, 0.85, 0.8, 0.75]))
    return Made(
        model, 'feature-extraction', [processor], reference,
        dict(type='IMAGE_ENCODING', outputs=dict(dimension=32), **ladder),
    )


def make_vit_gpt2(full):
    tokenizer = bpe_tokenizer(32)
    vision = hf.ViTConfig(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, image_size=32, patch_size=8)
    text = hf.GPT2Config(
        vocab_size=len(tokenizer), n_embd=32, n_layer=1, n_head=4, n_positions=32, add_cross_attention=True, is_decoder=True,
        tie_word_embeddings=False,
        bos_token_id=tokenizer.eos_token_id, eos_token_id=tokenizer.eos_token_id,
    )
    config = hf.VisionEncoderDecoderConfig.from_encoder_decoder_configs(vision, text, tie_word_embeddings=False)
    config.decoder_start_token_id = config.eos_token_id = config.pad_token_id = tokenizer.eos_token_id
    processor = hf.ViTImageProcessor(size={'height': 32, 'width': 32})
    model = randomise(hf.VisionEncoderDecoderModel(config), 4)
    model.generation_config = hf.GenerationConfig(
        max_length=14, decoder_start_token_id=tokenizer.eos_token_id, bos_token_id=tokenizer.eos_token_id,
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.eos_token_id,
    )

    def reference(pictures):
        def caption(inputs):
            ids = model.generate(**inputs, do_sample=False)[0]
            return {'token_ids': ids.tolist(), 'caption': tokenizer.decode(ids, skip_special_tokens=True)}

        tensor = fixed_tensor((2, 3, 32, 32))
        with torch.no_grad():
            ids = model.generate(pixel_values=tensor, do_sample=False).tolist()
        return {
            'tensor': {'shape': list(tensor.shape), 'token_ids': ids},
            'pictures': over_pictures(pictures, processor, caption),
        }

    return Made(
        model, 'image-to-text-with-past', [tokenizer, processor], reference, dict(type='CAPTION_IMAGES'),
        kept=('encoder_model.onnx', 'decoder_model_merged.onnx'),
    )


def make_yolos(full):
    config = hf.YolosConfig(
        hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, image_size=[48, 64], patch_size=16,
        num_detection_tokens=8, id2label=dict(enumerate(LABELS)), label2id={label: at for at, label in enumerate(LABELS)},
    )
    processor = hf.YolosImageProcessor(size={'shortest_edge': 48, 'longest_edge': 80})
    model = randomise(hf.YolosForObjectDetection(config), 5)
    return detector(model, processor, (1, 3, 48, 64))


def make_detr(full):
    backbone = hf.ResNetConfig(embedding_size=8, hidden_sizes=[8, 12, 16, 24], depths=[1, 1, 1, 1], out_features=['stage4'])
    config = hf.DetrConfig(
        use_timm_backbone=False, use_pretrained_backbone=False, backbone=None, backbone_config=backbone, d_model=32,
        encoder_layers=1, decoder_layers=1, encoder_ffn_dim=48, decoder_ffn_dim=48, encoder_attention_heads=4, decoder_attention_heads=4,
        num_queries=8, id2label=dict(enumerate(LABELS)), label2id={label: at for at, label in enumerate(LABELS)},
    )
    processor = hf.DetrImageProcessor(size={'shortest_edge': 64, 'longest_edge': 96})
    model = randomise(hf.DetrForObjectDetection(config), 6)
    return detector(model, processor, (1, 3, 64, 80))


def make_vit(full):
    config = hf.ViTConfig(
        hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, image_size=32, patch_size=8,
        id2label=dict(enumerate(LABELS)), label2id={label: at for at, label in enumerate(LABELS)},
    )
    processor = hf.ViTImageProcessor(size={'height': 32, 'width': 32})
    model = randomise(hf.ViTForImageClassification(config), 8)

    def reference(pictures):
        return {
            'labels': LABELS,
            'confidences': over_pictures(pictures, processor, lambda inputs: rounded(model(**inputs).logits.softmax(-1)[0])),
        }

    return Made(model, 'image-classification', [processor], reference, dict(type='IMAGE_TAGGING', threshold=0.01))


def make_bert(full):
    longest = 16
    tokenizer = bert_tokenizer(longest)
    config = hf.BertConfig(
        vocab_size=tokenizer.get_vocab_size(), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        max_position_embeddings=longest,
    )
    model = randomise(hf.BertModel(config), 9)

    def reference(pictures):
        encoded = [tokenizer.encode(text) for text in TEXTS]
        with torch.no_grad():
            vectors = [
                unit(model(torch.tensor([each.ids]), torch.tensor([each.attention_mask])).last_hidden_state[0].mean(0))
                for each in encoded
            ]
        return {
            'texts': TEXTS,
            'token_ids': [each.ids for each in encoded],
            'text_embeddings': [rounded(vector) for vector in vectors],
        }

    return Made(
        model, 'feature-extraction', [], reference, dict(type='TEXT_ENCODING', outputs=dict(dimension=32)),
        tokenizer=tokenizer,
    )


def detector(model, processor, shape):
    def reference(pictures):
        tensor = fixed_tensor(shape)
        with torch.no_grad():
            outputs = model(pixel_values=tensor)
            results = {}
            for path in pictures:
                picture = upright_rgb(path)
                outputs_of = model(**processor(images=picture, return_tensors='pt'))
                one = processor.post_process_object_detection(outputs_of, threshold=0.4, target_sizes=[(1, 1)])[0]
                results[path.name] = {key: rounded(one[key]) for key in ('scores', 'labels', 'boxes')}
        return {
            'tensor': {'shape': list(shape), 'logits': rounded(outputs.logits), 'boxes': rounded(outputs.pred_boxes)},
            'threshold': 0.4,
            'pictures': results,
        }

    return Made(model, 'object-detection', [processor], reference, dict(type='OBJECT_DETECTION', threshold=0.4))


def make_owlvit(full):
    tokenizer = clip_tokenizer(16)
    config = hf.OwlViTConfig(
        text_config=dict(
            hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4, max_position_embeddings=16,
            vocab_size=len(tokenizer), bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id,
            pad_token_id=0,
        ),
        vision_config=dict(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, image_size=48, patch_size=16),
        projection_dim=32,
    )
    processor = hf.OwlViTImageProcessor(size={'height': 48, 'width': 48})
    model = randomise(hf.OwlViTForObjectDetection(config), 7)
    texts = [f'a photo of a {label}' for label in LABELS]

    def reference(pictures):
        tokens = tokenizer(texts, padding='max_length', max_length=16, return_tensors='pt')
        results = {}
        with torch.no_grad():
            tensor = fixed_tensor((1, 3, 48, 48))
            outputs = model(pixel_values=tensor, **tokens)
            for path in pictures:
                outputs_of = model(**processor(images=upright_rgb(path), return_tensors='pt'), **tokens)
                one = processor.post_process_object_detection(outputs_of, threshold=0.4, target_sizes=[(1, 1)])[0]
                results[path.name] = {key: rounded(one[key]) for key in ('scores', 'labels', 'boxes')}
        return {
            'tensor': {'shape': list(tensor.shape), 'logits': rounded(outputs.logits), 'boxes': rounded(outputs.pred_boxes)},
            'token_ids': tokens['input_ids'].tolist(),
            'threshold': 0.4,
            'pictures': results,
        }

    return Made(
        model, 'zero-shot-object-detection', [tokenizer, processor], reference,
        dict(type='OBJECT_DETECTION', threshold=0.4, labels=LABELS),
    )


class Made:
    def __init__(self, model, task, beside, reference, manifest, kept=('model.onnx',), tokenizer=None):
        self.model, self.task, self.beside, self.reference = model, task, beside, reference
        self.manifest, self.kept = manifest, kept
        # Of a folder that has no other files than this one and the model.
        self.tokenizer = tokenizer


MAKERS = {
    'clip': make_clip,
    'dinov2': make_dinov2,
    'siglip': make_siglip,
    'vit-gpt2': make_vit_gpt2,
    'yolos': make_yolos,
    'detr': make_detr,
    'owlvit': make_owlvit,
    'vit': make_vit,
    'bert': make_bert,
}
FULL = ['clip', 'siglip']


def export(made, name, out):
    folder = out / name
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as saved:
        made.model.save_pretrained(saved)
        for each in made.beside:
            each.save_pretrained(saved)
        main_export(saved, folder, task=made.task, local_files_only=True, do_validation=False)
    for file in folder.glob('*.onnx'):
        if file.name not in made.kept:
            file.unlink()
    if made.tokenizer is not None:
        (folder / 'config.json').unlink()
        made.tokenizer.save(str(folder / 'tokenizer.json'))
    manifest = {
        'id': f'{name}_v00',
        'name': f'{made.model.config.model_type} with random weights',
        'description': 'Random weights in the layout of Hugging Face, for tests and benches. What it returns means nothing.',
        'licence': 'Apache-2.0',
        'provenance': 'models/recipes/formats/make-formats.py',
        'runtime': 'transformers',
        **made.manifest,
    }
    (folder / 'manifest.json').write_text(json.dumps(manifest, indent=2) + '\n')
    return folder


def split(folder, out):
    """The layout of repositories for Transformers.js: one file per encoder, in a folder `onnx`."""
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(folder, out)
    (out / 'onnx').mkdir()
    whole = out / 'model.onnx'
    onnx.utils.extract_model(whole, out / 'onnx/vision_model.onnx', ['pixel_values'], ['image_embeds'])
    onnx.utils.extract_model(whole, out / 'onnx/text_model.onnx', ['input_ids'], ['text_embeds'])
    whole.unlink()
    manifest = out / 'manifest.json'
    manifest.write_text(manifest.read_text().replace('_v00', '-split_v00', 1))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('out', type=Path)
    arguments.add_argument('--full', action='store_true')
    arguments.add_argument('--only', default='')
    chosen = arguments.parse_args()
    torch.set_num_threads(1)
    chosen.out.mkdir(parents=True, exist_ok=True)
    pictures = make_pictures(chosen.out / 'pictures')
    if not chosen.full:
        make_resampling(chosen.out / 'resampling.json')
    for name in [chosen.only] if chosen.only else FULL if chosen.full else MAKERS:
        torch.manual_seed(0)
        made = MAKERS[name](chosen.full)
        folder = export(made, name, chosen.out)
        (folder / 'reference.json').write_text(json.dumps(made.reference(pictures)) + '\n')
        if name == 'siglip' and not chosen.full:
            split(folder, chosen.out / 'siglip-split')
        print(name, sum(file.stat().st_size for file in folder.iterdir()), 'bytes', flush=True)


if __name__ == '__main__':
    main()
