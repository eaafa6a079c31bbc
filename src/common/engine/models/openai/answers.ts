import { z } from 'zod';
import { PictureRefusedError } from '../picture-model';
import { UnreadableAnswerError } from '../servers/model-server-errors';
import { plainText } from '../servers/plain-text';
import { firstJson } from './first-json';

const MAX_REFUSAL = 300;

const chatAnswer = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
});

const embeddingAnswer = z.object({ data: z.array(z.object({ embedding: z.array(z.number()) })).min(1) });

const usageAnswer = z.object({
  usage: z.object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0).default(0) }),
});

export interface ChatText {
  readonly text: string;
  /** Whether the model ran out of tokens. */
  readonly isCut: boolean;
}

export function parseAnswer(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new UnreadableAnswerError('is not JSON');
  }
}

/** Throws PictureRefusedError if the model refused. */
export function chatText(answer: unknown): ChatText {
  const { success, data } = chatAnswer.safeParse(answer);
  if (!success) throw new UnreadableAnswerError('is not a chat completion');
  const { message, finish_reason: reason } = data.choices[0]!;
  const refusal = plainText(message.refusal ?? '', MAX_REFUSAL);
  if (refusal !== '') throw new PictureRefusedError(`The model refused the picture: ${refusal}`);
  return { text: message.content ?? '', isCut: reason === 'length' };
}

export function embeddingNumbers(answer: unknown): number[] {
  const { success, data } = embeddingAnswer.safeParse(answer);
  if (!success) throw new UnreadableAnswerError('has no embedding');
  return data.data[0]!.embedding;
}

/** The JSON that a prompt asked for, among whatever else the model wrote. */
export function chatJson({ text, isCut }: ChatText): unknown {
  const json = firstJson(text);
  if (json !== undefined) return json;
  throw new UnreadableAnswerError(
    isCut ? 'ends before its JSON does; a larger "server.maxTokens" may help' : 'contains no JSON',
  );
}

/** Undefined if the server does not count tokens. */
export function usageOf(answer: unknown): { readonly prompt: number; readonly completion: number } | undefined {
  const { success, data } = usageAnswer.safeParse(answer);
  return success ? { prompt: data.usage.prompt_tokens, completion: data.usage.completion_tokens } : undefined;
}
