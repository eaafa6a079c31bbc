import type { Readable } from 'node:stream';
import { VectorFault } from '../domain/vector-fault';

const MAX_NAME_CHARACTERS = 4096;

/** The names of vectors, one on each line. */
export async function* nameLines(source: Readable): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      const lines = `${rest}${decoded(() => decoder.decode(chunk, { stream: true }))}`.split(/\r?\n/);
      rest = lines.pop()!;
      for (const line of lines) yield checkedName(line);
      if (rest.length > MAX_NAME_CHARACTERS) throw tooLong();
    }
  } finally {
    source.destroy();
  }
  rest += decoded(() => decoder.decode());
  if (rest !== '') yield checkedName(rest);
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new VectorFault('has names that are not UTF-8');
  }
}

export function checkedName(line: string): string {
  if (line.length > MAX_NAME_CHARACTERS) throw tooLong();
  return line;
}

const tooLong = (): VectorFault => new VectorFault(`has a name of more than ${MAX_NAME_CHARACTERS} characters`);
