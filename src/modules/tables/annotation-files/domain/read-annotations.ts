import { trimEndOf } from '../../../../common/platform/text/texts';
import type { AnnotationFile } from './annotation-file';
import { AnnotationIndex, INDEX_LIMITS, MOST_BOXES_OF_A_PICTURE, type IndexLimits } from './annotation-index';
import { tableFor, type TableOptions } from './annotation-table';
import { AnnotationReadError, counted, RejectedRows } from './annotation-warnings';
import { CocoReader } from './coco-annotations';
import { readCsv } from './csv-annotations';
import { readParquet } from './parquet-annotations';

const MEGABYTE = 1024 * 1024;

export interface ReadAnnotations {
  readonly index: AnnotationIndex;
  /** Messages for the user. */
  readonly warnings: string[];
}

/**
 * Reads annotation files. Errors in a file become warnings, and its valid parts are kept;
 * throws only AnnotationReadError, if its bytes can't be read.
 */
export async function readAnnotations(
  files: readonly AnnotationFile[],
  limits: IndexLimits = INDEX_LIMITS,
  options: TableOptions = {},
): Promise<ReadAnnotations> {
  const index = new AnnotationIndex(limits);
  const warnings: string[] = [];
  for (const file of files) warnings.push(...(await readOne(file, index, options)));
  return { index, warnings: [...warnings, ...limitWarnings(index, limits)] };
}

export function limitWarnings(index: AnnotationIndex, limits: IndexLimits = INDEX_LIMITS): string[] {
  const objects = `The annotation files hold more than ${counted(limits.objects, 'object')}: those beyond are left out.`;
  const megabytes = limits.bytes / MEGABYTE;
  const texts = `The annotation files hold more than ${megabytes} MB of names, labels, captions and fields: those beyond are left out.`;
  const crowded = `${counted(index.crowdedPictures, 'picture has', 'pictures have')} more than ${counted(MOST_BOXES_OF_A_PICTURE, 'box', 'boxes')}: those beyond are left out.`;
  return [
    ...(index.crowdedPictures > 0 ? [crowded] : []),
    ...(index.refusedObjects ? [objects] : []),
    ...(index.isFull ? [texts] : []),
  ];
}

/** A warning about annotated files that the dataset doesn't have, if any. */
export async function unknownFileWarnings(
  index: AnnotationIndex,
  paths: AsyncIterable<string> | Iterable<string>,
): Promise<string[]> {
  const { count, examples } = await index.unknownFiles(paths);
  if (count === 0) return [];
  const named = examples.map((path) => JSON.stringify(path.slice(0, 120))).join(', ');
  return [
    `${counted(count, 'annotated file')} not in the dataset: ${named}${count > examples.length ? ' and others' : ''}.`,
  ];
}

async function readOne(file: AnnotationFile, index: AnnotationIndex, options: TableOptions): Promise<string[]> {
  const { rejected, read, noun } = readerOf(file, index, options);
  const warnings: string[] = [];
  try {
    await read();
  } catch (error) {
    if (error instanceof AnnotationReadError) throw error;
    warnings.push(`${file.name} is not in the expected format: ${reasonOf(error)}.`);
  }
  return [...warnings, ...rejected.warnings(file.name, noun)];
}

function readerOf(
  file: AnnotationFile,
  index: AnnotationIndex,
  options: TableOptions,
): { rejected: RejectedRows; read: () => Promise<void>; noun: string } {
  if (file.name === 'annotations.json') {
    const reader = new CocoReader(index, options);
    return { rejected: reader.rejected, read: () => reader.read(file), noun: 'element' };
  }
  const table = tableFor(file.name, index, options);
  const read = file.name.endsWith('.csv') ? readCsv : readParquet;
  return { rejected: table.rejected, read: () => read(file, table), noun: 'row' };
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const [sentence = ''] = message.slice(0, 300).split('\n');
  return trimEndOf(sentence.trimEnd(), '.') || 'it cannot be read';
}
