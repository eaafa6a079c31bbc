import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { useParameters } from '../../design/parameters';
import { useDataset } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { IconButton } from '../../design/button';
import { Select } from '../../design/choices';
import { Segments } from '../../design/field';
import { PageHeader } from '../../design/page-header';
import { EmptyState, Skeleton } from '../../design/state';
import { texts } from '../../texts';
import { formatCount } from '../../texts/format';
import { ChangedMedia } from './changed-media';
import { nameOf } from './snapshot-name';
import {
  annotationsOf,
  diffQuery,
  isOfSource,
  kindName,
  KINDS,
  kindsOf,
  listOf,
  PER_PAGE,
  useSnapshots,
  type Comparison,
  type Kind,
  type SnapshotDiff,
} from './snapshot-queries';
import styles from './history.module.css';

const { changes: words } = texts.history;

/** Which media differ between two states of a dataset, with their pictures. */
export function ChangesPage() {
  const dataset = useDataset();
  const { snapshotId = '' } = useParams();
  const [params, changeParams] = useParameters();
  const comparison = { from: snapshotId, to: params.get('against') };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...diffQuery(dataset.id, comparison, { limit: PER_PAGE }),
    placeholderData: keepPreviousData,
  });
  const kinds = data === undefined ? KINDS : kindsOf(data);
  const kind = kinds.find((each) => each === params.get('kind')) ?? 'added';
  const choices = kinds.map((value) => ({
    value,
    label: words.kindCount(kindName(value), data === undefined ? '' : formatCount(listOf(data, value).count)),
  }));
  const choose = (value: Kind) =>
    changeParams(
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
        note={data === undefined ? undefined : words.note(totalOf(data))}
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
        {data !== undefined && <Differences {...{ comparison, kind, differences: data }} />}
      </div>
    </div>
  );
}

const totalOf = (differences: SnapshotDiff): number =>
  kindsOf(differences).reduce((sum, each) => sum + listOf(differences, each).count, 0);

function Differences({
  comparison,
  kind,
  differences,
}: {
  readonly comparison: Comparison;
  readonly kind: Kind;
  readonly differences: SnapshotDiff;
}) {
  const { count } = listOf(differences, kind);
  if (totalOf(differences) === 0) return <EmptyState icon="compare" title={words.same.title} text={words.same.text} />;
  const none = words.none[isOfSource(kind) ? 'annotations' : kind];
  if (count === 0) return <EmptyState icon="compare" title={none.title} text={none.text} />;
  const { from, to } = comparison;
  const counts = isOfSource(kind) ? annotationsOf(differences, kind) : undefined;
  return (
    <>
      {counts !== undefined && <p className={styles.counts}>{words.annotations(counts)}</p>}
      <ChangedMedia key={`${from}:${to ?? ''}:${kind}`} from={from} to={to} kind={kind} count={count} />
    </>
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
  const snapshots = data.map((each) => ({ value: each.snapshot_id, label: nameOf(each) }));
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
