import type { Readable } from 'node:stream';

/** The maximum of a file name, a label, a caption or a value; small enough that thousands fit into memory. */
const MAX_TEXT_CHARACTERS = 65_536;

export const LONG_TEXT = 'a text has more than 65,536 characters';

export const isLong = (text: string): boolean => text.length > MAX_TEXT_CHARACTERS;

/** The file is not in the expected format; the message is one sentence. */
export class MalformedAnnotationError extends Error {}

/** The bytes can't be read at the moment; not a fault of the file, so the work should be retried. */
export class AnnotationReadError extends Error {
  constructor(name: AnnotationFileName, options: ErrorOptions) {
    super(`The annotation file ${name} could not be read`, options);
  }
}

const MANY = new Intl.NumberFormat('en-US');

export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${MANY.format(count)} ${count === 1 ? noun : nouns}`;

/** Counts rejected rows of one file, by reason. */
export class RejectedRows {
  private readonly reasons = new Map<string, { count: number; first: number }>();

  add(reason: string, row: number): void {
    const known = this.reasons.get(reason);
    if (known) known.count += 1;
    else this.reasons.set(reason, { count: 1, first: row });
  }

  /** `noun` names the entries of the file, such as row or element. */
  warnings(name: AnnotationFileName, noun: string): string[] {
    return [...this.reasons].map(([reason, { count, first }]) => {
      const where = count === 1 ? `(number ${MANY.format(first)})` : `(the first is number ${MANY.format(first)})`;
      return `${name}: ${counted(count, noun)} ${where} left out: ${reason}.`;
    });
  }
}

interface UnusedAnnotations {
  readonly boxesOutside: number;
  readonly annotatedVideos: number;
}

export const ANNOTATION_FILE_NAMES = [
  'annotations.json',
  'image_annotations.csv',
  'image_annotations.parquet',
  'object_annotations.csv',
  'object_annotations.parquet',
] as const;
export type AnnotationFileName = (typeof ANNOTATION_FILE_NAMES)[number];

export interface AnnotationFile {
  readonly name: AnnotationFileName;
  /** In bytes. */
  readonly size: number;
  open(): Promise<Readable>;
}

export function isAnnotationFileName(path: string): path is AnnotationFileName {
  return (ANNOTATION_FILE_NAMES as readonly string[]).includes(path);
}

/** Warnings about annotations that don't apply to their files. */
export function unusedAnnotationWarnings(parts: readonly UnusedAnnotations[]): string[] {
  const sum = (count: (part: UnusedAnnotations) => number): number =>
    parts.reduce((total, part) => total + count(part), 0);
  const boxes = sum((part) => part.boxesOutside);
  const videos = sum((part) => part.annotatedVideos);
  return [
    ...(boxes === 0 ? [] : [`${counted(boxes, 'annotated box', 'annotated boxes')} left out: outside of the picture.`]),
    ...(videos === 0 ? [] : [`Annotations of ${counted(videos, 'video')} left out: only images take annotations.`]),
  ];
}

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
