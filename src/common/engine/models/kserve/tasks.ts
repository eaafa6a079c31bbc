import { promptOf } from '../picture-model';
import {
  boxBetween,
  checkedCaption,
  checkedEmbedding,
  checkedLabels,
  checkedObjects,
} from '../servers/checked-findings';
import type { ModelServer } from '../servers/model-server';
import { UnreadableAnswerError } from '../servers/model-server-errors';
import type { KserveCaptionSettings, KserveDetectionManifest } from './kserve-manifest';
import type { KserveTask } from './kserve-model';
import type { LabelledScores } from './labelled-scores';

type Four = readonly [number, number, number, number];

export function captionTask(
  { promptInput, prompt }: KserveCaptionSettings,
  output: string,
): KserveTask<'CAPTION_IMAGES'> & KserveTask<'CAPTION_OBJECTS'> {
  return {
    outputs: [output],
    text: (options) =>
      promptInput === undefined ? undefined : { name: promptInput, text: promptOf(options) ?? prompt },
    read(tensors) {
      const [caption] = tensors.texts(output);
      if (caption === undefined) throw new UnreadableAnswerError(`has no text in the output "${output}"`);
      return { caption: checkedCaption(caption) };
    },
  };
}

export function taggingTask(scores: LabelledScores): KserveTask<'IMAGE_TAGGING'> {
  return {
    outputs: scores.needed,
    read: (tensors) => ({ labels: checkedLabels(scores.read(tensors)) }),
  };
}

export function detectionTask(
  { outputs, boxes: { unit, form } }: KserveDetectionManifest,
  scores: LabelledScores,
): KserveTask<'OBJECT_DETECTION'> {
  const cornersOf = ([left, top, third, fourth]: Four): Four =>
    form === 'corners' ? [left, top, third, fourth] : [left, top, left + third, top + fourth];
  return {
    outputs: [...scores.needed, outputs.boxes],
    read(tensors, picture) {
      const numbers = tensors.numbers(outputs.boxes);
      const boxes = numbers.length / 4;
      const sure = scores.read(tensors);
      const count = tensors.numbers(outputs.scores).length;
      if (boxes !== count) throw new UnreadableAnswerError(`has ${boxes} boxes for ${count} scores`);
      return {
        objects: checkedObjects(
          sure.map(({ at, label, confidence }) => {
            const four = numbers.slice(at * 4, at * 4 + 4) as unknown as Four;
            return { label, confidence, box: boxBetween(cornersOf(four), unit, picture) };
          }),
        ),
      };
    },
  };
}

export function embeddingTask(
  output: string,
  dimension: number,
  server: ModelServer,
): KserveTask<'MULTIMODEL_IMAGE_ENCODING'> {
  return {
    outputs: [output],
    read: (tensors) => ({
      embedding: checkedEmbedding(tensors.numbers(output), { dimension, about: 'picture' }, server),
    }),
  };
}
