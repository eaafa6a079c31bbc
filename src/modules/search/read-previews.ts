import type { PreviewPlace } from './domain/explore-index';
import type { Preview } from './found-clusters';
import type { OpenedVersion } from './opened-version';
import { readPreviewRows } from './preview-rows';

/** Previews of several lists of rows, read together. */
export async function readPreviews(
  version: OpenedVersion,
  places: readonly (readonly PreviewPlace[])[],
): Promise<Preview[][]> {
  const { index, table } = version;
  const wanted = new Set<number>();
  for (const { ordinal } of places.flat()) {
    wanted.add(ordinal);
    const video = index.videoRowOf(ordinal);
    if (video !== undefined) wanted.add(video);
  }
  const [rows, tags] = await Promise.all([readPreviewRows(table, version.cards(), wanted), version.tags()]);
  const previewOf = ({ ordinal, score }: PreviewPlace): Preview => {
    const video = index.videoRowOf(ordinal);
    return {
      kind: index.kindOf(ordinal),
      row: rows.get(ordinal)!,
      score,
      labels: index.labelsOf(ordinal),
      tags: tags.of(ordinal),
      video: video === undefined ? undefined : rows.get(video),
    };
  };
  return places.map((list) => list.map(previewOf));
}
