import { z } from 'zod';
import { PictureRefusedError } from '../picture-model';
import { UnreadableAnswerError } from '../servers/model-server-errors';
import { plainText } from '../../../platform/text/texts';

/** Limited, because texts before the JSON may also contain brackets. */
const MAX_STARTS = 20;
const MAX_CHARACTERS = 1_000_000;

const OPENING = '{[';
const CLOSING = '}]';

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
  /** Whether the output was truncated at the token limit. */
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

/** Extracts the requested JSON from the text of the model. */
export function chatJson({ text, isCut }: ChatText): unknown {
  const json = firstJson(text);
  if (json !== undefined) return json;
  throw new UnreadableAnswerError(
    isCut ? 'ends before its JSON does; a larger "server.maxTokens" may help' : 'contains no JSON',
  );
}

/** Undefined if the server reports no token counts. */
export function usageOf(answer: unknown): { readonly prompt: number; readonly completion: number } | undefined {
  const { success, data } = usageAnswer.safeParse(answer);
  return success ? { prompt: data.usage.prompt_tokens, completion: data.usage.completion_tokens } : undefined;
}

/** The first JSON object or list in a text; undefined if there is none. */
export function firstJson(text: string): unknown {
  const bounded = text.slice(0, MAX_CHARACTERS);
  let from = 0;
  for (let starts = 0; starts < MAX_STARTS; starts++) {
    const start = nextOpening(bounded, from);
    if (start === undefined) return undefined;
    const end = endOf(bounded, start);
    if (end === undefined) return undefined;
    const value = parsed(bounded.slice(start, end));
    if (value !== undefined) return value;
    from = start + 1;
  }
  return undefined;
}

function nextOpening(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) if (OPENING.includes(text[at]!)) return at;
  return undefined;
}

/** The position after the matching bracket; undefined if the text ends before. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at]!;
    if (isQuoted) {
      if (character === '\\') at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (OPENING.includes(character)) depth += 1;
    else if (CLOSING.includes(character) && --depth === 0) return at + 1;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
