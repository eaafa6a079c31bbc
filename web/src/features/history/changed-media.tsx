import { useMemo } from 'react';
import { useQueries } from '@tanstack/react-query';
import { queries } from '../../api/client';
import { useDataset } from '../../api/datasets';
import { mediaListQuery } from '../../media/media-query';
import { MediaOverlay } from '../../media/media-overlay';
import { useOpenMedia } from '../../media/open-media';
import { mediaItems } from '../../media/media-selection';
import { mediumOf, useSelection } from '../../media/selection';
import { choose } from '../../media/select-all';
import { SelectableGrid } from '../../media/selectable-grid';
import { useVisiblePages } from '../../media/visible-pages';
import { texts } from '../../texts';
import { ChangedTile } from './changed-tile';
import { diffQuery, kindName, listOf, PER_PAGE, type Comparison, type Kind } from './snapshot-queries';

const { changes: words } = texts.history;
const TILE_PX = 176;
/** Of the API. */
const MOST = 10_000;

/** The ids and previews of a kind of difference, as far as their pages are read; the previews are of the state that has the media. */
function useChangedMedia(
  { from, to }: Comparison,
  kind: Kind,
  snapshotId: string | undefined,
  pages: readonly number[],
) {
  const { id } = useDataset();
  const read = useQueries({
    queries: pages.map((page) => diffQuery(id, { from, to }, { limit: PER_PAGE, offset: page * PER_PAGE })),
  });
  const ids = useMemo(() => {
    const found = new Map<number, readonly string[]>();
    pages.forEach((page, at) => {
      const { data } = read[at]!;
      if (data !== undefined) found.set(page, listOf(data, kind).media_ids);
    });
    return found;
  }, [pages, read, kind]);
  const listed = [...ids.keys()];
  const media = useQueries({
    queries: listed.map((page) => mediaListQuery(id, ids.get(page)!, { snapshotId })),
  });
  return {
    sequence: [...ids.values()].flat(),
    idAt: (index: number) => ids.get(Math.floor(index / PER_PAGE))?.[index % PER_PAGE],
    mediaAt: (index: number) => {
      const page = media[listed.indexOf(Math.floor(index / PER_PAGE))];
      return { media: page?.data?.[index % PER_PAGE], isRead: page?.isPending === false };
    },
  };
}

/** The media of one kind of difference. Those of the current state can be selected. */
export function ChangedMedia({ from, to, kind, count }: Comparison & { readonly kind: Kind; readonly count: number }) {
  const { id } = useDataset();
  const openMedia = useOpenMedia();
  const [pages, onVisible] = useVisiblePages(PER_PAGE);
  // Removed media are in the earlier state only.
  const snapshotId = kind === 'removed' ? from : (to ?? undefined);
  const isCurrent = snapshotId === undefined;
  const { sequence, idAt, mediaAt } = useChangedMedia({ from, to }, kind, snapshotId, pages);
  const selection = useSelection(count, (index) => mediumOf(idAt(index)));
  const all = async () => {
    const read = await queries.query(diffQuery(id, { from, to }, { limit: MOST }));
    return { items: listOf(read, kind).media_ids.map((each) => ({ id: each, size: 1 })), areMore: count > MOST };
  };
  return (
    <>
      <SelectableGrid
        datasetId={id}
        label={words.list(kindName(kind))}
        count={count}
        minWidth={TILE_PX}
        footer={0}
        renderCell={(index) => (
          <ChangedTile
            {...mediaAt(index)}
            isSelected={selection.has(idAt(index))}
            {...(isCurrent ? { onSelect: (how) => selection.select(index, how) } : {})}
          />
        )}
        selection={selection}
        idAt={idAt}
        items={mediaItems(selection.ids)}
        isSelectable={isCurrent}
        onOpen={(index) => openMedia(idAt(index)!)}
        onSelectAll={() => void choose(selection, all(), texts.media.selection.someOfMedia(MOST))}
        onVisible={onVisible}
        scrollKey={`${id}/changes/${from}/${to ?? ''}/${kind}`}
      />
      <MediaOverlay datasetId={id} sequence={sequence} snapshotId={snapshotId} />
    </>
  );
}
