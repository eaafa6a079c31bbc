import type { AnnotationFile } from './annotation-file';
import { AnnotationReadError, MalformedAnnotationError } from './annotation-warnings';

/** The file's bytes. Errors of reading are thrown as AnnotationReadError, to distinguish them from invalid content. */
export async function* chunksOf(file: AnnotationFile): AsyncGenerator<Uint8Array> {
  const chunks = await opened(file);
  try {
    for (;;) {
      const next = await chunks.next().catch((cause: unknown) => {
        throw new AnnotationReadError(file.name, { cause });
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

async function opened(file: AnnotationFile): Promise<AsyncIterator<Uint8Array, undefined>> {
  try {
    const stream = await file.open();
    return stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  } catch (cause) {
    throw new AnnotationReadError(file.name, { cause });
  }
}

/** The whole file, for formats that can't be streamed. */
export async function wholeFile(file: AnnotationFile, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(file)) {
    length += chunk.byteLength;
    if (length > maxBytes)
      throw new MalformedAnnotationError(`it is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB`);
    parts.push(chunk);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
