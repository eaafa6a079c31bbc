import { promptOf, type EncodedPicture } from '../picture-model';
import { checkedCaption, checkedEmbedding } from '../servers/checked-findings';
import type { ModelServer } from '../servers/model-server';
import { chatJson, chatText, embeddingNumbers } from './answers';
import { LABELS_SCHEMA, listedLabels, listedObjects, OBJECTS_SCHEMA } from './listed-findings';
import {
  TEXT_PLACE,
  type ChatSettings,
  type DetectionSettings,
  type EmbeddingSettings,
  type StructuredSettings,
} from './openai-manifest';
import type { OpenAiDialogue, OpenAiEmbeddingDialogue } from './openai-model';
import { detectionPrompt, EMBEDDING_PROMPT, TAGGING_PROMPT } from './prompts';

const CAPTION_TOKENS = 300;
const TAGGING_TOKENS = 1_000;
const DETECTION_TOKENS = 4_000;

const message = (prompt: string, { jpeg }: EncodedPicture): object => ({
  role: 'user',
  content: [
    { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}` } },
    { type: 'text', text: prompt },
  ],
});

const textMessage = (text: string): object => ({ role: 'user', content: [{ type: 'text', text }] });

interface Question {
  readonly prompt: string;
  readonly maxTokens: number;
  readonly format?: object | undefined;
}

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

/** The chat form of embeddings, which vLLM has for pictures. */
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
