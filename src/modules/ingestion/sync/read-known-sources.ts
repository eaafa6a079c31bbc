import { inList } from '../../../common/engine/media-table/literal';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { kindCode } from '../../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { withoutRole } from '../../../common/platform/storage/sources/source-location';
import { isFile, REMOVED_FILE_BYTES } from '../../tables';
import { KnownSources } from './known-sources';

/** Whether a file belongs to the dataset's own source. The location is passed without the role. */
export type IsOfSource = (file: Pick<MediaRow, 'source' | 'batchId'>) => boolean;

/** Small, so that other requests run between batches. */
const BATCH_ROWS = 2_048;
const FIELDS = ['kind', 'source', 'sourceVersion', 'sizeBytes', 'batchId'] as const;

/** Reads the files of a table that are stored outside the service. `removed`: records of those that people removed from it. */
export async function readKnownSources(
  table: MediaTable,
  removed: readonly Buffer[],
  isOfSource: IsOfSource,
  signal: AbortSignal,
): Promise<KnownSources> {
  const files = await table.countRows(`kind IN ${inList([kindCode('IMAGE'), kindCode('VIDEO')])}`);
  const known = new KnownSources(files + removed.reduce((sum, { length }) => sum + length / REMOVED_FILE_BYTES, 0));
  for (const record of removed) known.addRemoved(record);
  let ordinal = 0;
  for await (const rows of table.readRows(FIELDS, { batchRows: BATCH_ROWS })) {
    signal.throwIfAborted();
    for (const { kind, source, sourceVersion, sizeBytes, batchId } of rows) {
      if (isFile({ kind }) && !source.startsWith('store:')) {
        const place = withoutRole(source);
        known.add({
          source: place,
          version: sourceVersion,
          size: sizeBytes,
          ordinal,
          isOfSource: isOfSource({ source: place, batchId }),
        });
      }
      ordinal += 1;
    }
  }
  return known;
}
