import type { FileReader } from '../../../common/engine/compute/readers/reader-messages';
import { MeanCosine } from '../domain/default-ladder';
import type { EmbeddingUpload, Naming } from '../domain/embedding-upload';
import { VectorFault } from '../domain/unit-vector';
import { npyVectors } from './npy-vectors';
import type { NamedVectors, VectorBlock } from './vector-block';
import { parquetVectors } from './parquet-vectors';

interface SourceFile {
  readonly source: string;
  /** In bytes. */
  readonly size: number;
}

export interface VectorSource {
  readonly format: EmbeddingUpload['format'];
  readonly vectors: SourceFile;
  readonly names: (SourceFile & { readonly naming: Naming }) | null;
}

export type VectorPiece =
  | { readonly kind: 'head'; readonly naming: Naming; readonly dimension: number; readonly rows: number }
  | ({ readonly kind: 'block' } & VectorBlock)
  | { readonly kind: 'end'; readonly meanCosine: number }
  | { readonly kind: 'fault'; readonly fault: string };

type Sources = Parameters<FileReader<VectorSource, VectorPiece>>[1];

/** Runs in a child process. */
export const read: FileReader<VectorSource, VectorPiece> = async function* (input, sources) {
  try {
    const { naming, dimension, rows, blocks } = await opened(input, sources);
    yield { kind: 'head', naming, dimension, rows };
    const mean = new MeanCosine(dimension);
    for await (const block of blocks()) {
      mean.add(block.vectors);
      yield { kind: 'block', ...block };
    }
    yield { kind: 'end', meanCosine: mean.value() };
  } catch (error) {
    if (!(error instanceof VectorFault)) throw error;
    yield { kind: 'fault', fault: error.message };
  }
};

function opened({ format, vectors, names }: VectorSource, sources: Sources): Promise<NamedVectors> {
  const file = <File extends SourceFile>(each: File) => ({
    ...each,
    open: (range?: { start: number; end: number }) => sources.open(each.source, range),
  });
  if (format === 'parquet') return parquetVectors(file(vectors));
  if (names === null) throw new VectorFault('has no list of names');
  return npyVectors(file(vectors), file(names));
}
