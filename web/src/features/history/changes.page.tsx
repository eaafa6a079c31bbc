import { useMemo } from 'react';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { useDataset } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { IconButton } from '../../design/button';
import { Select } from '../../design/choices';
import { Segments } from '../../design/field';
import { PageHeader } from '../../design/page-header';
import { EmptyState, Skeleton } from '../../design/state';
import { MediaOverlay, useOpenMedia } from '../../media/media-overlay';
import { useVisiblePages } from '../../media/visible-pages';
import { VirtualGrid } from '../../media/virtual-grid';
import { texts } from '../../texts';
import { formatCount } from '../../texts/format';
import { ChangedTile } from './changed-tile';
import { diffQuery, KINDS, listOf, useSnapshots, type Kind } from './snapshot-queries';
import styles from './history.module.css';

const { changes: words } = texts.history;
const PER_PAGE = 200;
/** Large, because each medium is asked for by itself. */
const TILE_PX = 176;

interface Comparison {
  readonly from: string;
  /** Null for the current state. */
  readonly to: string | null;
}

/** Which media differ between two states of a dataset, with their pictures. */
export function ChangesPage() {
  const dataset = useDataset();
  const { snapshotId = '' } = useParams();
  const [params, setParams] = useSearchParams();
  const comparison = { from: snapshotId, to: params.get('against') };
  const kind = KINDS.find((each) => each === params.get('kind')) ?? 'added';
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...diffQuery(dataset.id, comparison, { limit: PER_PAGE }),
    placeholderData: keepPreviousData,
  });
  const total = data === undefined ? 0 : KINDS.reduce((sum, each) => sum + listOf(data, each).count, 0);
  const choices = KINDS.map((value) => ({
    value,
    label: words.kindCount(words.kinds[value], data === undefined ? '' : formatCount(listOf(data, value).count)),
  }));
  const choose = (value: Kind) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        next.set('kind', value);
        return next;
      },
      { replace: true },
    );
  return (
    <div className={styles.changes}>
      <PageHeader
        title={words.title}
        note={data === undefined ? undefined : words.note(total)}
        before={<BackButton />}
      />
      <div className={styles.toolbar}>
        <States {...comparison} />
        <div className={styles.kinds}>
          <Segments label={words.kind} choices={choices} value={kind} onChange={choose} />
        </div>
      </div>
      <div className={styles.results} aria-busy={isPlaceholderData}>
        {data === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && (
          <p className={styles.comparing} role="status">
            {words.loading}
          </p>
        )}
        {data !== undefined && total === 0 && (
          <EmptyState icon="compare" title={words.same.title} text={words.same.text} />
        )}
        {data !== undefined && total > 0 && listOf(data, kind).count === 0 && (
          <EmptyState icon="compare" title={words.none[kind].title} text={words.none[kind].text} />
        )}
        {data !== undefined && listOf(data, kind).count > 0 && (
          <ChangedMedia
            key={`${snapshotId}:${comparison.to ?? ''}:${kind}`}
            {...comparison}
            kind={kind}
            count={listOf(data, kind).count}
          />
        )}
      </div>
    </div>
  );
}

function BackButton() {
  const { id } = useDataset();
  const navigate = useNavigate();
  return <IconButton icon="left" label={words.back} onPress={() => void navigate(`/datasets/${id}/history`)} />;
}

/** Which two states are compared; the earlier one is always a snapshot. */
function States({ from, to }: Comparison) {
  const dataset = useDataset();
  const navigate = useNavigate();
  const { data } = useSnapshots(dataset);
  if (data === undefined) return <Skeleton style={{ width: 320, height: 30 }} />;
  const snapshots = data.map(({ snapshot_id: value, snapshot_name: label }) => ({ value, label }));
  const go = (next: Comparison) => {
    const search = next.to === null ? '' : `?against=${next.to}`;
    void navigate(`/datasets/${dataset.id}/history/${next.from}${search}`);
  };
  return (
    <div className={styles.states}>
      <Select label={words.from} options={snapshots} value={from} onChange={(value) => go({ from: value, to })} />
      <IconButton
        icon="right"
        label={words.swap}
        isDisabled={to === null}
        onPress={() => {
          if (to !== null) go({ from: to, to: from });
        }}
      />
      <Select
        label={words.to}
        options={[{ value: '', label: words.now }, ...snapshots]}
        value={to ?? ''}
        onChange={(value) => go({ from, to: value === '' ? null : value })}
      />
    </div>
  );
}

function ChangedMedia({ from, to, kind, count }: Comparison & { readonly kind: Kind; readonly count: number }) {
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
  // What was removed is in the earlier state only.
  const snapshotId = kind === 'removed' ? from : (to ?? undefined);
  const open = (index: number) => {
    const mediaId = at(index);
    if (mediaId !== undefined) openMedia(mediaId);
  };
  return (
    <>
      <VirtualGrid
        label={words.list(words.kinds[kind])}
        count={count}
        minWidth={TILE_PX}
        footer={0}
        renderCell={(index) => <ChangedTile datasetId={id} mediaId={at(index)} snapshotId={snapshotId} />}
        isSelected={() => false}
        onOpen={open}
        onSelect={open}
        onVisible={onVisible}
        scrollKey={`${id}/changes/${from}/${to ?? ''}/${kind}`}
      />
      <MediaOverlay datasetId={id} sequence={[...ids.values()].flat()} snapshotId={snapshotId} />
    </>
  );
}
