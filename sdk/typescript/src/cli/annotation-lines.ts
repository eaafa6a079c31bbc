import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { GivenAnnotation } from '../sources.js';
import { NotThereError, UsageError } from './exit.js';

/** The maximum per request, with room for the rest of the request. */
const MOST_ANNOTATIONS = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;

/** Annotations of one request. */
export interface AnnotationPage {
  readonly annotations: readonly GivenAnnotation[];
  /** Their lines in the file. */
  readonly place: string;
  /** The line and the picture of an annotation. */
  nameOf(position: number): string;
}

interface Line {
  readonly number: number;
  readonly annotation: GivenAnnotation;
}

function pageOf(lines: readonly Line[]): AnnotationPage {
  return {
    annotations: lines.map(({ annotation }) => annotation),
    place: `lines ${lines[0]!.number} to ${lines.at(-1)!.number}`,
    nameOf(position) {
      const { number, annotation } = lines[position]!;
      return `line ${number}: ${annotation.file_name ?? annotation.media_id ?? ''}`;
    },
  };
}

/** Reads a file with one annotation a line, page by page. */
export async function* annotationPages(path: string): AsyncGenerator<AnnotationPage> {
  const file = createReadStream(path, 'utf8');
  let page: Line[] = [];
  let [number, bytes] = [0, 0];
  try {
    for await (const text of createInterface({ input: file, crlfDelay: Infinity })) {
      number += 1;
      if (text.trim() === '') continue;
      const line = { number, annotation: annotationOf(text, `${path}, line ${number}`, number) };
      const size = Buffer.byteLength(text);
      if (page.length > 0 && (page.length === MOST_ANNOTATIONS || bytes + size > MOST_BYTES)) {
        yield pageOf(page);
        [page, bytes] = [[], 0];
      }
      page.push(line);
      bytes += size;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new NotThereError(`${path} could not be read: ${(error as Error).message}`);
  } finally {
    file.destroy();
  }
  if (page.length > 0) yield pageOf(page);
  if (page.length === 0 && number === 0) throw new UsageError(`${path} has no annotations`);
}

/** With an id that the same line of the same file has again. The service checks the other fields. */
function annotationOf(text: string, place: string, number: number): GivenAnnotation {
  let read: unknown;
  try {
    read = JSON.parse(number === 1 ? text.replace(/^\ufeff/, '') : text);
  } catch (error) {
    throw new UsageError(`${place} is not JSON: ${(error as Error).message}`);
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new UsageError(`${place} is not an object`);
  return { id: createHash('sha256').update(`${number}\n${text}`).digest('hex').slice(0, 32), ...read };
}
