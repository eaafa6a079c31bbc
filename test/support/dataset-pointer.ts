import { randomUUID } from 'node:crypto';
import type { TableVersion } from '../../src/common/engine/media-table/table-version';
import type { DatasetPointer } from '../../src/modules/datasets';

/** The pointer of a dataset whose table is at the given version. */
export const pointerTo = (
  { generation, version }: TableVersion,
  changes: Partial<DatasetPointer> = {},
): DatasetPointer => ({
  generation,
  version,
  clusteringId: randomUUID(),
  objectClusteringId: null,
  modelId: 'm',
  textModelId: 't',
  enrichments: {},
  ladder: [0.96, 0.93, 0.9, 0.85, 0.8],
  nearDuplicates: 0.95,
  tagsFile: null,
  annotationState: null,
  ...changes,
});
