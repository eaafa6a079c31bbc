import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { useDataset } from '../../api/datasets';
import { Failure, Pending } from '../../api/failure';
import { Button, IconButton } from '../../design/button';
import { PageHeader } from '../../design/page-header';
import { texts } from '../../texts';
import { formatNumber, formatShortTime, formatTime } from '../../texts/format';
import { AlertSwitch, DeleteDialog, MissingView, Notes, Summary, TrendChart } from './view-parts';
import { addressOf, useTrend, useViews, type SavedView } from './view-queries';
import styles from './views.module.css';

const { views: words } = texts;
const SLOTS = 40;
const MOST_ROWS = 200;

/** A view: its filters, and its matches batch by batch. */
export function ViewPage() {
  const dataset = useDataset();
  const { viewId } = useParams();
  const { data, error, refetch } = useViews(dataset);
  const view = data?.find(({ id }) => id === viewId);
  if (view !== undefined) return <View view={view} />;
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <PageHeader title=" " /> : <MissingView />;
}

function View({ view }: { readonly view: SavedView }) {
  const navigate = useNavigate();
  const [isDeleting, setIsDeleting] = useState(false);
  const { name, dataset_id: datasetId, total_results: total, created_by: creator } = view;
  const list = `/datasets/${datasetId}/views`;
  return (
    <>
      <PageHeader
        title={name}
        note={total === 0 ? words.noMatches : words.matches(total)}
        before={<IconButton icon="left" label={words.back} onPress={() => void navigate(list)} />}
      >
        <Button icon="search" onPress={() => void navigate(`/datasets/${datasetId}/explore?${addressOf(view)}`)}>
          {words.explore}
        </Button>
        {view.can_change && <IconButton icon="trash" label={words.remove.action} onPress={() => setIsDeleting(true)} />}
      </PageHeader>
      <div className={styles.page}>
        <div className={styles.about}>
          <Summary view={view} />
          <AlertSwitch view={view} />
        </div>
        <p className={styles.muted} dir="auto">
          {words.madeBy(creator.email, formatTime(view.created_at))}
          {!view.can_change && ` ${words.foreign}`}
        </p>
        <Notes view={view} />
        <Trend view={view} />
      </div>
      {isDeleting && (
        <DeleteDialog view={view} onDeleted={() => void navigate(list)} onClose={() => setIsDeleting(false)} />
      )}
    </>
  );
}

function Trend({ view }: { readonly view: SavedView }) {
  const { data, error, refetch } = useTrend(view);
  if (!view.monitoring_enabled) return <p className={styles.muted}>{words.trend.unmonitored}</p>;
  if (data === undefined) return <Pending of={{ data, error, refetch }} height={180} />;
  const { points } = data;
  if (points.length === 0) return <p className={styles.muted}>{words.trend.none}</p>;
  const newest = points.slice(-MOST_ROWS).reverse();
  return (
    <section className={styles.card} aria-label={words.trend.title}>
      <h2>{words.trend.title}</h2>
      <TrendChart view={view} points={points} slots={SLOTS} size="large" />
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{words.trend.batch}</th>
            <th scope="col">{words.trend.matches}</th>
            <th scope="col">{words.trend.sum}</th>
            <th scope="col">
              <span className="visually-hidden">{words.trend.open}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {newest.map(({ batch_id: batchId, timestamp, count, cumulative }) => (
            <tr key={batchId}>
              <th scope="row" title={formatTime(timestamp)}>
                {formatShortTime(timestamp)}
              </th>
              <td>{formatNumber(count)}</td>
              <td>{formatNumber(cumulative)}</td>
              <td>
                {count > 0 && (
                  <Link
                    to={`/datasets/${view.dataset_id}/views/${view.id}/batches/${batchId}`}
                    aria-label={words.trend.openOf(formatTime(timestamp))}
                  >
                    {words.trend.open}
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {points.length > newest.length && (
        <p className={styles.muted}>{words.trend.newest(newest.length, points.length)}</p>
      )}
    </section>
  );
}
