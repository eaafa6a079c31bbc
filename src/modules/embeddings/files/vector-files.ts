import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ForeignFiles } from '../../../common/engine/compute/readers/foreign-files';
import { ReadLimitError } from '../../../common/engine/compute/readers/reader-messages';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { storeSource } from '../../../common/platform/storage/sources/source-location';
import type { EmbeddingUpload } from '../domain/embedding-upload';
import type { VectorPiece, VectorSource } from './vector-file.reader';

const READER = join(__dirname, `vector-file.reader${extname(__filename)}`);

/** Reads files of vectors, each in a child process. */
@Injectable()
export class VectorFiles {
  constructor(private readonly foreignFiles: ForeignFiles) {}

  /** Throws PermanentJobError with a sentence if the file can't be used. */
  async *piecesOf({
    format,
    vectors,
    names,
  }: EmbeddingUpload): AsyncGenerator<Exclude<VectorPiece, { kind: 'fault' }>, undefined> {
    const input: VectorSource = {
      format,
      vectors: { source: storeSource(vectors.key), size: vectors.size },
      names: names && { source: storeSource(names.key), size: names.size, naming: names.naming },
    };
    try {
      for await (const piece of this.foreignFiles.read<VectorPiece>({ module: READER, input })) {
        if (piece.kind === 'fault') throw unusable(piece.fault);
        yield piece;
      }
    } catch (error) {
      if (!(error instanceof ReadLimitError)) throw error;
      throw unusable(`${error.message}: write it with smaller row groups, or as .npy`);
    }
  }
}

const unusable = (fault: string): PermanentJobError => new PermanentJobError(`The file of vectors ${fault}.`);
