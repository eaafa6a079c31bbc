import type { Member } from './given-files';
import { MalformedFileError } from './malformed-file';

const MAX_TEXT_BYTES = 64 * 2 ** 20;
const MAX_LINE_BYTES = 2 ** 24;
const LINE_FEED = 0x0a;

/** The whole text of a small file. */
export async function textIn({ name, bytes }: Member): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MAX_TEXT_BYTES) throw new MalformedFileError(`${name} is larger than ${MAX_TEXT_BYTES / 2 ** 20} MiB`);
    parts.push(chunk);
  }
  return Buffer.concat(parts)
    .toString()
    .replace(/^\uFEFF/, '');
}

/** Lines that are not empty, numbered from 1. */
export async function* linesIn({
  name,
  bytes,
}: Member): AsyncGenerator<{ readonly line: number; readonly text: string }> {
  // Of a line that is divided between chunks. They are joined once, so a long line takes linear time.
  let parts: Uint8Array[] = [];
  let length = 0;
  let line = 0;
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      line += 1;
      const text = textOf([...parts, chunk.subarray(start, end)]);
      [parts, length, start] = [[], 0, end + 1];
      if (text !== '') yield { line, text };
    }
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES)
      throw new MalformedFileError(`line ${line + 1} of ${name} is longer than ${MAX_LINE_BYTES / 2 ** 20} MiB`);
  }
  const last = textOf(parts);
  if (last !== '') yield { line: line + 1, text: last };
}

const textOf = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString().trim();

/** Undefined if the text is not JSON. */
export function parsedJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

export const folderIn = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1);
export const fileIn = (name: string): string => name.slice(name.lastIndexOf('/') + 1);
export const stemOf = (name: string): string => name.replace(/\.[^./]*$/, '');
