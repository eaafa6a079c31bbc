import { MalformedManifestError, MAX_ENTRY_BYTES, type ManifestFile } from './manifest-file';

/** Lines in UTF-8, with any line ending. */
export async function* readTextLines(file: ManifestFile): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  const source = await file.open();
  let rest = '';
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split(/[\r\n]+/);
      rest = lines.pop() ?? '';
      if (rest.length > MAX_ENTRY_BYTES) throw new MalformedManifestError('one of its lines is too long');
      yield* lines;
    }
  } finally {
    source.destroy();
  }
  yield `${rest}${decoder.decode()}`;
}
