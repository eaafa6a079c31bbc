import type { FileReader } from '../../../common/engine/compute/readers/reader-messages';
import type { AnnotationFileName } from './domain/annotation-file';
import { INDEX_LIMITS, type FileAnnotation } from './domain/annotation-index';
import { bytesOfField } from './domain/file-fields';
import { AnnotationReadError } from './domain/annotation-warnings';
import { readAnnotations, type ReadAnnotations } from './domain/read-annotations';

export interface AnnotationSource {
  readonly name: AnnotationFileName;
  readonly source: string;
  /** In bytes. */
  readonly size: number;
  /** Whether objects may have a confidence, as predictions have. */
  readonly withConfidence?: boolean;
  /** Whether images may have fields of people. */
  readonly withFields?: boolean;
}

export type AnnotationPiece =
  | { readonly files: readonly (FileAnnotation & { readonly path: string })[] }
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
  let files: (FileAnnotation & { path: string })[] = [];
  let [weight, characters] = [0, 0];
  for (const part of index.parts(MOST_IN_A_PIECE)) {
    files.push(part);
    weight += 1 + part.objects.length + part.labels.length;
    characters += charactersOf(part);
    if (weight < MOST_IN_A_PIECE && characters < CHARACTERS_IN_A_PIECE) continue;
    yield { files };
    [files, weight, characters] = [[], 0, 0];
  }
  yield { files };
};

const charactersOf = ({ path, labels, caption, objects, fields = [] }: FileAnnotation & { path: string }): number =>
  [...labels, ...objects.map(({ label }) => label), path, caption ?? ''].reduce((sum, { length }) => sum + length, 0) +
  fields.reduce((sum, field) => sum + bytesOfField(field), 0);

/** Reports the cause of failed reads as an error of its own. */
function unwrapped(error: unknown): Promise<ReadAnnotations> {
  throw error instanceof AnnotationReadError ? error.cause : error;
}
