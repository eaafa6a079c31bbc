import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useDataset } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { Button, IconButton } from '../../design/button';
import { Menu } from '../../design/menu';
import { PageHeader } from '../../design/page-header';
import { RowList } from '../../design/row-list';
import { EmptyState, Skeleton } from '../../design/state';
import { texts } from '../../texts';
import { formatNumber, formatShortTime } from '../../texts/format';
import { AlertSwitch, DeleteDialog, Notes, SmallTrend, Summary } from './view-parts';
import { addressOf, useViews, type SavedView } from './view-queries';
import styles from './views.module.css';

const { views: words } = texts;
/** Each has a trend to read. */
const AT_ONCE = 25;

/** The saved searches of a dataset, with their matches in each batch. */
export function ViewsPage() {
  const dataset = useDataset();
  const navigate = useNavigate();
  const { data, error, refetch } = useViews(dataset);
  const [shown, setShown] = useState(AT_ONCE);
  return (
    <>
      <PageHeader
        title={words.titleOf(dataset.display_name)}
        note={data === undefined ? undefined : words.count(data.length)}
      />
      <div className={styles.page}>
        {data === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && SKELETONS}
        {data?.length === 0 && (
          <EmptyState icon="bookmark" title={words.none.title} text={words.none.text}>
            <Button kind="primary" onPress={() => void navigate(`/datasets/${dataset.id}/explore`)}>
              {words.none.action}
            </Button>
          </EmptyState>
        )}
        {data !== undefined && data.length > 0 && (
          <RowList label={words.list}>
            {data.slice(0, shown).map((view) => (
              <ViewRow key={view.id} view={view} />
            ))}
          </RowList>
        )}
        {data !== undefined && data.length > shown && (
          <div>
            <Button onPress={() => setShown(shown + AT_ONCE)}>{words.more(data.length - shown)}</Button>
          </div>
        )}
      </div>
    </>
  );
}

const SKELETONS = Array.from({ length: 4 }, (_, at) => <Skeleton key={at} style={{ height: 72 }} />);

function ViewRow({ view }: { readonly view: SavedView }) {
  const { name, dataset_id: datasetId, id, total_results: total, last_results: last } = view;
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <h2>
          <Link to={`/datasets/${datasetId}/views/${id}`} dir="auto" title={name}>
            {name}
          </Link>
        </h2>
        <Summary view={view} />
        <Notes view={view} />
      </div>
      <SmallTrend view={view} />
      <p className={styles.total}>
        {total === 0 ? (
          <span>{words.noMatches}</span>
        ) : (
          <strong title={formatNumber(total)}>{words.matches(total)}</strong>
        )}
        {last !== null && <span>{words.last(formatShortTime(last))}</span>}
      </p>
      <div className={styles.tools}>
        <AlertSwitch view={view} />
        <ViewMenu view={view} />
      </div>
    </li>
  );
}

function ViewMenu({ view }: { readonly view: SavedView }) {
  const navigate = useNavigate();
  const [isDeleting, setIsDeleting] = useState(false);
  const { name, dataset_id: datasetId } = view;
  return (
    <>
      <Menu
        trigger={<IconButton icon="more" label={words.actions(name)} />}
        label={words.actions(name)}
        entries={[
          {
            id: 'explore',
            label: words.explore,
            icon: 'search',
            onAction: () => void navigate(`/datasets/${datasetId}/explore?${addressOf(view)}`),
          },
          {
            id: 'remove',
            label: words.remove.action,
            icon: 'trash',
            isDangerous: true,
            ...(!view.can_change && { isDisabled: true, note: words.foreign }),
            onAction: () => setIsDeleting(true),
          },
        ]}
      />
      {isDeleting && <DeleteDialog view={view} onClose={() => setIsDeleting(false)} />}
    </>
  );
}
