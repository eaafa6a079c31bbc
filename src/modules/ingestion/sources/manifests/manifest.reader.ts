import type { FileReader } from '../../../../common/engine/compute/readers/reader-messages';
import { MalformedManifestError, type ManifestKind } from './manifest-file';
import { readManifest } from './read-manifest';
import { SeenKeys } from './seen-keys';

export interface ManifestSource {
  readonly kind: ManifestKind;
  readonly uri: string;
  /** In bytes. */
  readonly size: number;
}

export type ManifestPiece = { readonly entries: readonly string[] } | { readonly fault: string };

const MOST_ENTRIES = 1000;
const MOST_CHARACTERS = 256 * 1024;

/** Runs in a child process. */
export const read: FileReader<ManifestSource, ManifestPiece> = async function* ({ kind, uri, size }, sources) {
  const seen = new SeenKeys();
  let entries: string[] = [];
  let characters = 0;
  try {
    for await (const entry of readManifest({ kind, size, open: (range) => sources.open(uri, range) })) {
      // A few bytes of Parquet may repeat a long entry millions of times.
      if (!seen.addIfNew(entry)) continue;
      entries.push(entry);
      characters += entry.length;
      if (entries.length < MOST_ENTRIES && characters < MOST_CHARACTERS) continue;
      yield { entries };
      [entries, characters] = [[], 0];
    }
    yield { entries };
  } catch (error) {
    if (!(error instanceof MalformedManifestError)) throw error;
    yield { entries };
    yield { fault: error.fault };
  }
};
