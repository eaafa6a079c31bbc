import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ForeignFiles } from '../../../../common/engine/compute/readers/foreign-files';
import { ReadLimitError } from '../../../../common/engine/compute/readers/reader-messages';
import { MalformedManifestError } from './manifest-entry';
import type { ManifestPiece, ManifestSource } from './manifest.reader';

const READER = join(__dirname, `manifest.reader${extname(__filename)}`);

/** Reads manifests, each in a child process. */
@Injectable()
export class ManifestFiles {
  constructor(private readonly foreignFiles: ForeignFiles) {}

  /** Its entries, one at a time. Throws MalformedManifestError, or the source's error if its bytes can't be read. */
  async *entriesOf({ kind, uri, size }: ManifestSource): AsyncGenerator<string, undefined> {
    const input: ManifestSource = { kind, uri, size };
    try {
      for await (const piece of this.foreignFiles.read<ManifestPiece>({ module: READER, input })) {
        if ('fault' in piece) throw new MalformedManifestError(piece.fault);
        yield* piece.entries;
      }
    } catch (error) {
      throw error instanceof ReadLimitError ? new MalformedManifestError(`it ${error.message}`) : error;
    }
  }
}
