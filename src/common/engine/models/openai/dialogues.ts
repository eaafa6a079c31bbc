import { z } from 'zod';
import { promptOf, type EncodedPicture, type FoundLabel, type FoundObject } from '../picture-model';
import {
  checkedCaption,
  checkedEmbedding,
  type PictureSize,
  type BoxUnit,
  boxBetween,
  checkedLabels,
  checkedObjects,
  type ClaimedObject,
} from '../servers/checked-findings';
import type { ModelServer } from '../servers/model-server';
import { chatJson, chatText, embeddingNumbers } from './answers';
import {
  TEXT_PLACE,
  type ChatSettings,
  type DetectionSettings,
  type EmbeddingSettings,
  type StructuredSettings,
} from './openai-manifest';
import type { OpenAiDialogue, OpenAiEmbeddingDialogue } from './openai-model';
import { UnreadableAnswerError } from '../servers/model-server-errors';

const confidence = z.number().optional().catch(undefined);
const corners = z.tuple([z.number(), z.number(), z.number(), z.number()]);

const labelItem = z.union([
  z.string().transform((label) => ({ label, confidence: undefined })),
  z.object({ label: z.string(), confidence }),
]);

/** Many models write `bbox_2d` regardless of the prompt. */
const objectItem = z.union([
  z.object({ label: z.string(), confidence, bbox_2d: corners }),
  z
    .object({ label: z.string(), confidence, box: corners })
    .transform(({ box, ...item }) => ({ ...item, bbox_2d: box })),
]);

/** The schema of the response for servers with structured output. */
const LABELS_SCHEMA = listSchema('labels', {
  label: { type: 'string' },
  confidence: { type: 'number' },
});

const OBJECTS_SCHEMA = listSchema('objects', {
  label: { type: 'string' },
  bbox_2d: { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4 },
  confidence: { type: 'number' },
});

/** The prompt if neither the request nor the manifest has one. */
export const CAPTION_PROMPT =
  'Describe this image in one or two sentences: what it shows, what happens, and where. Answer with the description only.';

export const OBJECT_CAPTION_PROMPT =
  'This image is a part of a larger one and shows one object. Describe the object in one sentence: what it is, its colour and its state. Answer with the description only.';

const TAGGING_PROMPT =
  'List what this image shows as at most 20 labels of one to three words in lower case: objects, the scene, and notable properties. Answer with JSON only: {"labels": [{"label": "bicycle", "confidence": 0.9}]}. The confidence is between 0 and 1.';

const EMBEDDING_PROMPT = 'Represent the given image.';

const UNITS: Readonly<Record<BoxUnit, (size: PictureSize) => string>> = {
  fractions: () => 'fractions of the width and the height, between 0 and 1',
  thousandths: () => 'integers between 0 and 1000, relative to the width and the height',
  pixels: ({ width, height }) => `pixels; the image is ${width} pixels wide and ${height} high`,
};

const CAPTION_TOKENS = 300;
const TAGGING_TOKENS = 1_000;
const DETECTION_TOKENS = 4_000;

interface Question {
  readonly prompt: string;
  readonly maxTokens: number;
  readonly format?: object | undefined;
}

export function captionDialogue(
  settings: ChatSettings,
  defaultPrompt: string,
): OpenAiDialogue<'CAPTION_IMAGES'> & OpenAiDialogue<'CAPTION_OBJECTS'> {
  return {
    path: 'chat/completions',
    ask(picture, options) {
      const prompt = promptOf(options) ?? settings.prompt ?? defaultPrompt;
      return chatRequest(settings, picture, { prompt, maxTokens: CAPTION_TOKENS });
    },
    read: (answer) => ({ caption: checkedCaption(chatText(answer).text) }),
  };
}

export function taggingDialogue(settings: StructuredSettings): OpenAiDialogue<'IMAGE_TAGGING'> {
  const format = settings.structuredOutput ? LABELS_SCHEMA : undefined;
  const question = { prompt: settings.prompt ?? TAGGING_PROMPT, maxTokens: TAGGING_TOKENS, format };
  return {
    path: 'chat/completions',
    ask: (picture) => chatRequest(settings, picture, question),
    read: (answer) => ({ labels: listedLabels(chatJson(chatText(answer))) }),
  };
}

export function detectionDialogue(settings: DetectionSettings): OpenAiDialogue<'OBJECT_DETECTION'> {
  const { boxes } = settings;
  const format = settings.structuredOutput ? OBJECTS_SCHEMA : undefined;
  return {
    path: 'chat/completions',
    ask(picture) {
      const prompt = settings.prompt ?? detectionPrompt(boxes, picture);
      return chatRequest(settings, picture, { prompt, maxTokens: DETECTION_TOKENS, format });
    },
    read: (answer, picture) => ({ objects: listedObjects(chatJson(chatText(answer)), boxes, picture) }),
  };
}

/** The chat form of embeddings, which vLLM supports for pictures. */
export function embeddingDialogue(
  settings: EmbeddingSettings,
  dimension: number,
  server: ModelServer,
): OpenAiEmbeddingDialogue {
  const { form, prompt } = settings.texts;
  const request = (input: object): object => ({
    model: settings.model,
    ...input,
    encoding_format: 'float',
    ...settings.extra,
  });
  const vectorOf = (answer: unknown, about: 'picture' | 'text'): Float32Array =>
    checkedEmbedding(embeddingNumbers(answer), { dimension, about }, server);
  return {
    path: 'embeddings',
    ask: (picture) => request({ messages: [message(settings.prompt ?? EMBEDDING_PROMPT, picture)] }),
    read: (answer) => ({ embedding: vectorOf(answer, 'picture') }),
    askText(text) {
      const asked = prompt.replaceAll(TEXT_PLACE, () => text);
      return request(form === 'input' ? { input: asked } : { messages: [textMessage(asked)] });
    },
    readText: (answer) => vectorOf(answer, 'text'),
  };
}

function listedObjects(json: unknown, unit: BoxUnit, size: PictureSize): FoundObject[] {
  const items = readable(listIn(json, 'objects'), objectItem);
  return checkedObjects(
    items.map(({ label, confidence: sure, bbox_2d }): ClaimedObject => {
      return { label, confidence: sure, box: boxBetween(bbox_2d, unit, size) };
    }),
  );
}

/** Without structured output, models may omit the object around the list. */
function listIn(json: unknown, name: string): readonly unknown[] {
  const list = Array.isArray(json) ? json : (json as Readonly<Record<string, unknown>>)[name];
  if (!Array.isArray(list)) throw new UnreadableAnswerError(`has no list of ${name}`);
  return list as unknown[];
}

/** Returns the valid items. Throws if there are items, but none is valid. */
function readable<Item>(list: readonly unknown[], schema: z.ZodType<Item>): Item[] {
  const items = list.flatMap((each) => {
    const { success, data } = schema.safeParse(each);
    return success ? [data] : [];
  });
  if (items.length === 0 && list.length > 0) throw new UnreadableAnswerError('has a list in an unknown format');
  return items;
}

function listSchema(name: string, properties: Readonly<Record<string, object>>): object {
  const closed = (of: Readonly<Record<string, object>>): object => ({
    type: 'object',
    properties: of,
    required: Object.keys(of),
    additionalProperties: false,
  });
  const schema = closed({ [name]: { type: 'array', items: closed(properties) } });
  return { type: 'json_schema', json_schema: { name, strict: true, schema } };
}

const listedLabels = (json: unknown): FoundLabel[] => checkedLabels(readable(listIn(json, 'labels'), labelItem));

const detectionPrompt = (unit: BoxUnit, size: PictureSize): string =>
  `Find the objects in this image. Answer with JSON only: {"objects": [{"label": "bicycle", "bbox_2d": [left, top, right, bottom], "confidence": 0.9}]}. The four numbers are ${UNITS[unit](size)}. The confidence is between 0 and 1. If there are no objects, the list is empty.`;

const message = (prompt: string, { jpeg }: EncodedPicture): object => ({
  role: 'user',
  content: [
    { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}` } },
    { type: 'text', text: prompt },
  ],
});

const textMessage = (text: string): object => ({ role: 'user', content: [{ type: 'text', text }] });

const chatRequest = (
  settings: ChatSettings,
  picture: EncodedPicture,
  { prompt, maxTokens, format }: Question,
): object => ({
  model: settings.model,
  messages: [message(prompt, picture)],
  max_tokens: settings.maxTokens ?? maxTokens,
  temperature: settings.temperature,
  stream: false,
  ...(format && { response_format: format }),
  ...settings.extra,
});
