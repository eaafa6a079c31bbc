import { useMemo, useState, type ReactNode } from 'react';
import { useMayCreate } from '../../api/access';
import { useDatasets } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { Button } from '../../design/button';
import { PageHeader } from '../../design/page-header';
import { Pager } from '../../design/pager';
import { EmptyState, Skeleton } from '../../design/state';
import type { PathFile } from '../../media/adding/picked-files';
import { useFileDrop } from '../../media/adding/use-file-drop';
import { texts } from '../../texts';
import { formatNumber } from '../../texts/format';
import { CreateDialog } from './create-dialog';
import { DatasetCard } from './dataset-card';
import { QuarantineDialog } from './dataset-dialogs';
import { listed } from './dataset-order';
import { DatasetBar, useDatasetSearch } from './dataset-search';
import styles from './datasets.module.css';

const { datasets: words } = texts;
/** Each card asks for pictures. */
const PER_PAGE = 48;

export function DatasetsPage() {
  const { data, error, refetch } = useDatasets();
  const [creating, setCreating] = useState<readonly PathFile[] | null>(null);
  const mayCreate = useMayCreate();
  const [search, change] = useDatasetSearch();
  const shown = useMemo(() => listed(data ?? [], search), [data, search]);
  const show = (id: string) => change({ page: at, unreadable: id });
  const unreadable = data?.find(({ id }) => id === search.unreadable);
  // Where the list has become shorter: its last page.
  const at = Math.min(search.page, Math.max(0, Math.ceil(shown.length / PER_PAGE) - 1));
  const first = at * PER_PAGE;
  const create = mayCreate ? (
    <Button kind="primary" icon="plus" onPress={() => setCreating([])}>
      {words.create}
    </Button>
  ) : undefined;
  const page = (
    <>
      <PageHeader title={words.title} note={data === undefined ? undefined : formatNumber(data.length)}>
        {create}
      </PageHeader>
      <div className={styles.page}>
        {data === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {data?.length === 0 && (
          <EmptyState icon="folder" title={words.empty.title} text={mayCreate ? words.empty.text : words.empty.viewer}>
            {create}
          </EmptyState>
        )}
        {data !== undefined && data.length > 1 && <DatasetBar search={search} onChange={change} />}
        {data !== undefined && data.length > 0 && shown.length === 0 && (
          <NothingFound onClear={() => change({ search: '' })} />
        )}
        <div className={styles.grid}>
          {shown.slice(first, first + PER_PAGE).map((dataset) => (
            <DatasetCard key={dataset.id} dataset={dataset} onUnreadable={() => show(dataset.id)} />
          ))}
          {data === undefined && error === null && SKELETONS}
        </div>
        <Pager page={at} pageSize={PER_PAGE} total={shown.length} onChange={(next) => change({ page: next })} />
      </div>
      {unreadable !== undefined && <QuarantineDialog dataset={unreadable} onClose={() => show('')} />}
      {creating !== null && <CreateDialog initialFiles={creating} onClose={() => setCreating(null)} />}
    </>
  );
  return (
    <DropArea isOff={!mayCreate} onDrop={setCreating}>
      {page}
    </DropArea>
  );
}

const SKELETONS = Array.from({ length: 3 }, (_, at) => <Skeleton key={at} style={{ height: 242 }} />);

const NothingFound = ({ onClear }: { readonly onClear: () => void }) => (
  <EmptyState icon="search" title={words.none.title} text={words.none.text}>
    <Button onPress={onClear}>{words.none.clear}</Button>
  </EmptyState>
);

/** Also where it takes nothing: what is in it stays as it is when that changes, such as an open menu. */
function DropArea({
  isOff,
  onDrop,
  children,
}: {
  readonly isOff: boolean;
  readonly onDrop: (files: readonly PathFile[]) => void;
  readonly children: ReactNode;
}) {
  const { isOver, found, handlers } = useFileDrop(onDrop);
  return (
    <div className={styles.area} {...(isOff ? {} : handlers)}>
      {children}
      {(isOver || found !== undefined) && (
        <div className={styles.drop} role="status">
          {found === undefined ? words.drop : texts.adding.choice.reading(found)}
        </div>
      )}
    </div>
  );
}
