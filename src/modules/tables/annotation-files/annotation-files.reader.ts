import type { FileReader } from '../../../common/engine/compute/readers/reader-messages';
import { type AnnotationFileName, AnnotationReadError } from './domain/annotation-file';
import { INDEX_LIMITS, type AnnotatedObject, type FileAnnotation } from './domain/annotation-index';
import { bytesOfField } from './domain/file-fields';
import { readAnnotations, type ReadAnnotations } from './domain/read-annotations';

export interface AnnotationSource {
  readonly name: AnnotationFileName;
  readonly source: string;
  /** In bytes. */
  readonly size: number;
  /** Whether objects may have a confidence, like predictions. */
  readonly withConfidence?: boolean;
  /** Whether images may have custom fields. */
  readonly withFields?: boolean;
}

type AnnotatedFile = FileAnnotation & { readonly path: string };

/** Each label is sent once, then referenced by its number, because many files may have the same long label. */
type SentObject = Omit<AnnotatedObject, 'label'> & { readonly label: number };
type SentFile = Omit<AnnotatedFile, 'labels' | 'objects'> & {
  readonly labels: readonly number[];
  readonly objects: readonly SentObject[];
};

export type AnnotationPiece =
  /** `labels` are new in this message. Labels are numbered from 0. */
  | { readonly labels: readonly string[]; readonly files: readonly SentFile[] }
  | { readonly warnings: readonly string[] };

const MOST_IN_A_PIECE = 2000;
const CHARACTERS_IN_A_PIECE = 1024 * 1024;

/** Runs in a child process. */
export const read: FileReader<AnnotationSource, AnnotationPiece> = async function* (file, sources) {
  const { name, source, size, withConfidence = false, withFields = false } = file;
  const open = (): ReturnType<typeof sources.open> => sources.open(source);
  const { index, warnings } = await readAnnotations([{ name, size, open }], INDEX_LIMITS, {
    withConfidence,
    withFields,
  }).catch(unwrapped);
  yield { warnings };
  const numbers = new Map<string, number>();
  let [labels, files]: [string[], SentFile[]] = [[], []];
  let [weight, characters] = [0, 0];
  const numberOf = (label: string): number => {
    const known = numbers.get(label);
    if (known !== undefined) return known;
    numbers.set(label, numbers.size);
    labels.push(label);
    characters += label.length;
    return numbers.size - 1;
  };
  for (const part of index.parts(MOST_IN_A_PIECE)) {
    files.push({
      ...part,
      labels: part.labels.map(numberOf),
      objects: part.objects.map((object) => ({ ...object, label: numberOf(object.label) })),
    });
    weight += 1 + part.objects.length + part.labels.length;
    characters += charactersOf(part);
    if (weight < MOST_IN_A_PIECE && characters < CHARACTERS_IN_A_PIECE) continue;
    yield { labels, files };
    [labels, files, weight, characters] = [[], [], 0, 0];
  }
  yield { labels, files };
};

/** The number of characters without labels. */
const charactersOf = ({ path, caption, fields = [] }: AnnotatedFile): number =>
  path.length + (caption?.length ?? 0) + fields.reduce((sum, field) => sum + bytesOfField(field), 0);

/** Rethrows failed reads as AnnotationReadError. */
function unwrapped(error: unknown): Promise<ReadAnnotations> {
  throw error instanceof AnnotationReadError ? error.cause : error;
}
