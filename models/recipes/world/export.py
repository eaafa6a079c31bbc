"""Writes the trained network as five model folders in the layout of Hugging Face.

    python export.py RUN models

Every folder has its own copy of the trunk, so that each model can be used, replaced and removed independently.
"""

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import torch
import transformers as hf
from optimum.exporters.onnx import main_export
from torch import nn
from torch.nn import functional as F

from smaller_weights import shrink
from world_model import LONGEST_CAPTION, LONGEST_TEXT, SIDE, WIDTH, World, pooled
from world_tokenizers import OBJECT, SCENE

QUERIES = 100
UNLIKELY = -20.0
PROVENANCE = (
    'Trained from nothing by models/recipes/world on pictures that its programs draw, with the captions, labels and boxes that the '
    'programs know. No downloaded weights, no photographs.'
)
KNOWN = 'It knows drawn scenes such as those of the sample dataset and is not meant for photographs.'
MANIFESTS = {
    'drawn-world_image-text-encoder_v00': {
        'name': 'Drawn world: images and texts',
        'type': 'MULTIMODEL_IMAGE_ENCODING',
        'description': f'Vectors of pictures and of texts that can be compared, so that texts find pictures without captions. {KNOWN}',
        'outputs': {'dimension': WIDTH},
        # The mean cosines that evaluate.ts prints.
        'calibration': {'unrelated': 0.0, 'matching': 0.7},
    },
    'drawn-world_captioner_v00': {
        'name': 'Drawn world: captions',
        'type': 'CAPTION_IMAGES',
        'description': f'One English sentence about a picture: things, their number, colours and places. {KNOWN}',
    },
    'drawn-world_object-captioner_v00': {
        'name': 'Drawn world: captions of objects',
        'type': 'CAPTION_OBJECTS',
        'description': f'The colour and the kind of an object that was cut out of a picture. {KNOWN}',
        'dependencies': ['OBJECT_DETECTION'],
    },
    'drawn-world_detector_v00': {
        'name': 'Drawn world: objects',
        'type': 'OBJECT_DETECTION',
        'description': f'The boxes of houses, boats, cars, flowers and other things. {KNOWN}',
        'threshold': 0.35,
    },
    'drawn-world_tagger_v00': {
        'name': 'Drawn world: labels',
        'type': 'IMAGE_TAGGING',
        'description': f'The things, the place, the time of day and the weather of a picture. {KNOWN}',
        'threshold': 0.5,
    },
}


class Pictures(nn.Module):
    def __init__(self, world):
        super().__init__()
        self.trunk, self.pictures = world.trunk, world.pictures

    def forward(self, pixel_values):
        return self.pictures(self.trunk(pixel_values)[2])


class Tags(nn.Module):
    def __init__(self, world):
        super().__init__()
        self.trunk, self.tags = world.trunk, world.tags

    def forward(self, pixel_values):
        return self.tags(pooled(self.trunk(pixel_values)[2]))


class Tokens(nn.Module):
    def __init__(self, world):
        super().__init__()
        self.trunk = world.trunk

    def forward(self, pixel_values):
        return self.trunk(pixel_values)[2]


class Objects(nn.Module):
    """The output format of DETR: of the cells with the highest scores, only those that are local maxima."""

    def __init__(self, world):
        super().__init__()
        self.trunk, self.detector = world.trunk, world.detector

    def forward(self, pixel_values):
        fine, coarse, _ = self.trunk(pixel_values)
        kinds, boxes = self.detector(fine, coarse)
        highest = F.max_pool2d(kinds, 3, stride=1, padding=1)
        logits = torch.where(kinds == highest, kinds, torch.full_like(kinds, UNLIKELY)).flatten(2).transpose(1, 2)
        left, top, right, bottom = boxes.flatten(1, 2).unbind(-1)
        middles = torch.stack([(left + right) / 2, (top + bottom) / 2, right - left, bottom - top], -1)
        chosen = logits.amax(-1).topk(QUERIES, dim=1).indices[..., None]
        return logits.gather(1, chosen.expand(-1, -1, logits.shape[-1])), middles.gather(1, chosen.expand(-1, -1, 4))


def write_graph(model, path, inputs, outputs, example):
    axes = {name: {0: 'batch'} for name in [*inputs, *outputs]}
    for name in inputs:
        if name != 'pixel_values':
            axes[name][1] = 'length'
    torch.onnx.export(
        model.eval(), example, path, input_names=inputs, output_names=outputs, dynamic_axes=axes, opset_version=17, dynamo=False
    )
    shrink(path)


def write_json(path, content):
    path.write_text(json.dumps(content, indent=2) + '\n')


def prepare_folder(models, name):
    folder = models / name
    folder.mkdir(parents=True, exist_ok=True)
    own = MANIFESTS[name]
    manifest = {
        'id': name, 'name': own['name'], 'type': own['type'], 'vendor': 'Dataset Media Service', 'description': own['description'],
        'licence': 'Apache-2.0', 'provenance': PROVENANCE, 'status': 'Active', 'runtime': 'transformers',
    }
    write_json(folder / 'manifest.json', {**manifest, **{key: value for key, value in own.items() if key not in manifest}})
    hf.ViTImageProcessor(size={'height': SIDE, 'width': SIDE}).save_pretrained(folder)
    return folder


def labels_config(model_type, labels, **more):
    return {'model_type': model_type, 'id2label': {str(at): label for at, label in enumerate(labels)}, 'image_size': SIDE, **more}


def keep_tokenizer(source, folder):
    for name in ('tokenizer.json', 'tokenizer_config.json'):
        shutil.copy(source / name, folder / name)


def export_captioner(world, run, folder, start, example):
    """Uses the exporter of Hugging Face for the decoder, with a placeholder encoder that is replaced by the trunk."""
    tokenizer = hf.AutoTokenizer.from_pretrained(run / 'captions')
    vision = hf.ViTConfig(hidden_size=WIDTH, intermediate_size=WIDTH, num_hidden_layers=1, num_attention_heads=4, image_size=SIDE, patch_size=16)
    config = hf.VisionEncoderDecoderConfig.from_encoder_decoder_configs(vision, world.decoder.config, tie_word_embeddings=False)
    first, end = tokenizer.convert_tokens_to_ids(start), tokenizer.eos_token_id
    config.decoder_start_token_id, config.eos_token_id, config.pad_token_id = first, end, end
    model = hf.VisionEncoderDecoderModel(config)
    model.decoder.load_state_dict(world.decoder.state_dict())
    model.generation_config = hf.GenerationConfig(
        max_length=LONGEST_CAPTION, decoder_start_token_id=first, bos_token_id=end, eos_token_id=end, pad_token_id=end
    )
    with tempfile.TemporaryDirectory() as place:
        saved, out = Path(place, 'saved'), Path(place, 'out')
        for each in (model, tokenizer, hf.ViTImageProcessor(size={'height': SIDE, 'width': SIDE})):
            each.save_pretrained(saved)
        main_export(str(saved), out, task='image-to-text-with-past', local_files_only=True, do_validation=False)
        for name in ('config.json', 'generation_config.json', 'decoder_model_merged.onnx'):
            shutil.copy(out / name, folder / name)
    shrink(folder / 'decoder_model_merged.onnx')
    keep_tokenizer(run / 'captions', folder)
    write_graph(Tokens(world), folder / 'encoder_model.onnx', ['pixel_values'], ['last_hidden_state'], (example,))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('run', type=Path)
    arguments.add_argument('models', type=Path)
    chosen = arguments.parse_args()
    torch.set_num_threads(2)
    run, models = chosen.run, chosen.models
    saved = torch.load(run / 'world.pt', map_location='cpu', weights_only=True)
    labels, kinds = saved['labels'], saved['kinds']
    texts, captions = (hf.AutoTokenizer.from_pretrained(run / name) for name in ('texts', 'captions'))
    world = World(len(labels), len(kinds), len(texts), len(captions), captions.eos_token_id)
    world.load_state_dict(saved['weights'])
    world.eval()
    example = torch.zeros(2, 3, SIDE, SIDE)

    folder = prepare_folder(models, 'drawn-world_image-text-encoder_v00')
    write_graph(Pictures(world), folder / 'vision_model.onnx', ['pixel_values'], ['image_embeds'], (example,))
    ids = torch.ones(2, 7, dtype=torch.int64)
    write_graph(world.texts, folder / 'text_model.onnx', ['input_ids', 'attention_mask'], ['text_embeds'], (ids, ids))
    keep_tokenizer(run / 'texts', folder)
    longest = {'max_position_embeddings': LONGEST_TEXT}
    write_json(folder / 'config.json', {'model_type': 'clip', 'projection_dim': WIDTH, 'text_config': longest})

    folder = prepare_folder(models, 'drawn-world_tagger_v00')
    write_graph(Tags(world), folder / 'model.onnx', ['pixel_values'], ['logits'], (example,))
    write_json(folder / 'config.json', labels_config('vit', labels, problem_type='multi_label_classification'))

    folder = prepare_folder(models, 'drawn-world_detector_v00')
    write_graph(Objects(world), folder / 'model.onnx', ['pixel_values'], ['logits', 'pred_boxes'], (example,))
    write_json(folder / 'config.json', labels_config('detr', kinds, num_queries=QUERIES))

    for name, start in (('captioner', SCENE), ('object-captioner', OBJECT)):
        export_captioner(world, run, prepare_folder(models, f'drawn-world_{name}_v00'), start, example)
    for folder in sorted(models.glob('drawn-world_*')):
        print(folder.name, sum(file.stat().st_size for file in folder.iterdir()), 'bytes', flush=True)


if __name__ == '__main__':
    main()
