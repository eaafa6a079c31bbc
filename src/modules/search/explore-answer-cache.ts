import { BoundedCache } from '../../common/platform/cache/bounded-cache';
import type { FoundClusters } from './found-clusters';
import type { PreviewRow } from './preview-rows';

const ROW_OBJECT_BYTES = 400;

const bytesOfRow = ({ id, fileName, path, source, thumbnailKey, caption }: PreviewRow): number =>
  [id, fileName, path, source, thumbnailKey, caption].reduce(
    (sum, text) => sum + 2 * (text?.length ?? 0),
    ROW_OBJECT_BYTES,
  );

/** LRU cache of results. A table version is immutable, so its results never go stale. */
export class ExploreAnswerCache extends BoundedCache<FoundClusters> {
  constructor(budgetBytes: number) {
    super(budgetBytes, ({ clusters }) =>
      clusters.flatMap(({ previews }) => previews).reduce((sum, { row }) => sum + bytesOfRow(row), 1000),
    );
  }
}
