import { useState, type DragEvent, type ReactNode } from 'react';
import { useDatasets } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { Button } from '../../design/button';
import { PageHeader } from '../../design/page-header';
import { EmptyState, Skeleton } from '../../design/state';
import { texts } from '../../texts';
import { formatNumber } from '../../texts/format';
import { CreateDialog } from './create-dialog';
import { DatasetCard } from './dataset-card';
import { droppedFiles } from './dropped-files';
import type { PathFile } from './upload-queue';
import { Uploads } from './uploads';
import styles from './datasets.module.css';

const { datasets: words } = texts;

export function DatasetsPage() {
  const { data, error, refetch } = useDatasets();
  const [creating, setCreating] = useState<readonly PathFile[] | null>(null);
  const create = (
    <Button kind="primary" icon="plus" onPress={() => setCreating([])}>
      {words.create}
    </Button>
  );
  return (
    <DropArea onDrop={setCreating}>
      <PageHeader title={words.title} note={data === undefined ? undefined : formatNumber(data.length)}>
        {create}
      </PageHeader>
      <div className={styles.page}>
        <Uploads />
        {data === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {data?.length === 0 && (
          <EmptyState icon="folder" title={words.empty.title} text={words.empty.text}>
            {create}
          </EmptyState>
        )}
        <div className={styles.grid}>
          {data?.map((dataset) => (
            <DatasetCard key={dataset.id} dataset={dataset} />
          ))}
          {data === undefined && error === null && SKELETONS}
        </div>
      </div>
      {creating !== null && <CreateDialog initialFiles={creating} onClose={() => setCreating(null)} />}
    </DropArea>
  );
}

const SKELETONS = Array.from({ length: 3 }, (_, at) => <Skeleton key={at} style={{ height: 242 }} />);

function DropArea({
  onDrop,
  children,
}: {
  readonly onDrop: (files: readonly PathFile[]) => void;
  readonly children: ReactNode;
}) {
  const [isOver, setIsOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setIsOver(false);
    void droppedFiles(event.dataTransfer).then((files) => {
      if (files.length > 0) onDrop(files);
    });
  };
  return (
    <div
      className={styles.area}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setIsOver(false);
      }}
      onDrop={drop}
    >
      {children}
      {isOver && <div className={styles.drop}>{words.drop}</div>}
    </div>
  );
}
