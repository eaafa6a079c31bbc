import { useMemo } from 'react';
import { useQueries } from '@tanstack/react-query';
import { queries } from '../../api/client';
import { useDataset } from '../../api/datasets';
import { messageOf } from '../../api/failure';
import { toast } from '../../design/toast';
import { mediaListQuery } from '../../media/media-query';
import { MediaOverlay, useOpenMedia } from '../../media/media-overlay';
import { mediumOf, useSelection } from '../../media/selection';
import { SelectionBar } from '../../media/selection-bar';
import { useVisiblePages } from '../../media/visible-pages';
import { VirtualGrid } from '../../media/virtual-grid';
import { texts } from '../../texts';
import { ChangedTile } from './changed-tile';
import { diffQuery, listOf, PER_PAGE, type Comparison, type Kind } from './snapshot-queries';

const { changes: words } = texts.history;
const { selection: selectionWords } = texts.media;
const TILE_PX = 176;
/** Of the API. */
const MOST = 10_000;

/** The media of one kind of difference. Those of the current state can be selected. */
export function ChangedMedia({ from, to, kind, count }: Comparison & { readonly kind: Kind; readonly count: number }) {
  const { id } = useDataset();
  const openMedia = useOpenMedia();
  const [pages, onVisible] = useVisiblePages(PER_PAGE);
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
  const at = (index: number) => ids.get(Math.floor(index / PER_PAGE))?.[index % PER_PAGE];
  // Removed media are in the earlier state only.
  const snapshotId = kind === 'removed' ? from : (to ?? undefined);
  const listed = [...ids.keys()];
  const media = useQueries({
    queries: listed.map((page) => mediaListQuery(id, ids.get(page)!, { snapshotId })),
  });
  const mediaOf = (index: number) => media[listed.indexOf(Math.floor(index / PER_PAGE))];
  const isCurrent = snapshotId === undefined;
  const { ids: selected, has, select, choose, clear, lasso } = useSelection(count, (index) => mediumOf(at(index)));
  const open = (index: number) => {
    const mediaId = at(index);
    if (mediaId === undefined) return;
    if (selected.size > 0) select(index, 'toggle');
    else openMedia(mediaId);
  };
  const selectAll = () =>
    void queries.query(diffQuery(id, { from, to }, { limit: MOST })).then(
      (all) => {
        choose(listOf(all, kind).media_ids.map((each) => ({ id: each, size: 1 })));
        if (count > MOST) toast({ text: selectionWords.someOfMedia(MOST) });
      },
      (error: unknown) => toast({ text: selectionWords.failed(messageOf(error)), isFailure: true }),
    );
  return (
    <>
      <VirtualGrid
        label={words.list(words.kinds[kind])}
        count={count}
        minWidth={TILE_PX}
        footer={0}
        renderCell={(index) => (
          <ChangedTile
            media={mediaOf(index)?.data?.[index % PER_PAGE]}
            isRead={mediaOf(index)?.isPending === false}
            isSelected={has(at(index))}
            {...(isCurrent ? { onSelect: (how) => select(index, how) } : {})}
          />
        )}
        isSelected={(index) => has(at(index))}
        onOpen={open}
        onSelect={(index, how) => {
          if (isCurrent) select(index, how);
          else if (how !== 'all') open(index);
        }}
        {...(isCurrent ? { onSelectAll: selectAll, lasso } : {})}
        onVisible={onVisible}
        scrollKey={`${id}/changes/${from}/${to ?? ''}/${kind}`}
      />
      <SelectionBar
        datasetId={id}
        media={selected.size}
        items={selected.size === 0 ? [] : [{ type: 'media', payload: { media_ids: [...selected] } }]}
        onSelectAll={selectAll}
        onClear={clear}
      />
      <MediaOverlay datasetId={id} sequence={[...ids.values()].flat()} snapshotId={snapshotId} />
    </>
  );
}
