import { z } from 'zod';
import { plainText } from './plain-text';

const MAX_CHARACTERS = 300;

/** The forms in which servers write errors: OpenAI, vLLM, Ollama; Triton, TGI; FastAPI. */
const errorSchema = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z.object({ detail: z.array(z.object({ msg: z.string() })).min(1) }).transform(({ detail }) => detail[0]!.msg),
]);

/** The message in the body of a refusal, on one line; empty if it is not readable text. */
export function serverMessage(body: string): string {
  try {
    const { success, data } = errorSchema.safeParse(JSON.parse(body));
    return success ? plainText(data, MAX_CHARACTERS) : '';
  } catch {
    return body.trimStart().startsWith('<') ? '' : plainText(body, MAX_CHARACTERS);
  }
}
