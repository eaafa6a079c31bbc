import { useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { answered, service } from '../../api/client';
import { useDataset } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { keys } from '../../api/keys';
import { Button, IconButton } from '../../design/button';
import { PageHeader } from '../../design/page-header';
import { Pager } from '../../design/pager';
import { EmptyState } from '../../design/state';
import { MediaOverlay, useOpenMedia } from '../../media/media-overlay';
import { clusterItem, sizeOf } from '../../media/matching-clusters';
import { SelectionBar } from '../../media/selection-bar';
import { useSelection } from '../../media/selection';
import { Tile, TileSkeleton } from '../../media/tile';
import { TileBar } from '../../media/tile-bar';
import { useTileFacts } from '../../media/use-tile-facts';
import { VirtualGrid } from '../../media/virtual-grid';
import { texts } from '../../texts';
import { formatShortTime } from '../../texts/format';
import { MissingView } from './view-parts';
import { addressOf, clusterFiltersOf, useTrend, useViews, type SavedView } from './view-queries';
import styles from './views.module.css';

const { views: words } = texts;
const SKELETONS = 24;
/** Of the API. */
const PER_PAGE = 100;

/** The matches of a view in one batch. */
export function BatchPage() {
  const dataset = useDataset();
  const { viewId = '', batchId = '' } = useParams();
  const navigate = useNavigate();
  const { data, error, refetch } = useViews(dataset);
  const view = data?.find(({ id }) => id === viewId);
  const point = useTrend(view).data?.points.find(({ batch_id: id }) => id === batchId);
  return (
    <div className={styles.whole}>
      <PageHeader
        title={words.batch.title(view?.name ?? '')}
        note={point === undefined ? undefined : words.batch.note(point.count, formatShortTime(point.timestamp))}
        before={
          <IconButton
            icon="left"
            label={words.backToView}
            onPress={() => void navigate(`/datasets/${dataset.id}/views/${viewId}`)}
          />
        }
      >
        {view !== undefined && (
          <Button
            icon="search"
            onPress={() => void navigate(`/datasets/${dataset.id}/explore?${addressOf(view, batchId)}`)}
          >
            {words.explore}
          </Button>
        )}
      </PageHeader>
      <div className={styles.results}>
        {view !== undefined && <Results view={view} batchId={batchId} />}
        {view === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {view === undefined && data !== undefined && <MissingView />}
      </div>
    </div>
  );
}

function Results({ view, batchId }: { readonly view: SavedView; readonly batchId: string }) {
  const { id, dataset_id: datasetId } = view;
  const navigate = useNavigate();
  const openMedia = useOpenMedia();
  const [page, setPage] = useState(0);
  const { data, error, refetch } = useQuery({
    queryKey: keys.of(datasetId, 'views', id, 'results', batchId, page),
    queryFn: () => {
      const params = {
        path: { dataset_id: datasetId, view_id: id },
        query: { batch_id: batchId, page_number: page },
      };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/views/{view_id}/results', { params }));
    },
    placeholderData: keepPreviousData,
  });
  const clusters = data?.clusters ?? [];
  const { minWidth, footer, factsOf } = useTileFacts(datasetId, [page], () =>
    clusters.flatMap(({ previews }) => previews.slice(0, 1).map(({ media_id: mediaId }) => mediaId)),
  );
  const selection = useSelection(clusters.length, (index) => clusters[index] && clusterItem(clusters[index]));
  const singles = clusters
    .filter((cluster) => sizeOf(cluster) === 1)
    .flatMap(({ previews }) => previews.map(({ media_id: mediaId }) => mediaId));
  const open = (index: number) => {
    const cluster = clusters[index];
    const first = cluster?.previews[0];
    if (cluster === undefined || first === undefined) return;
    if (selection.ids.size > 0) selection.select(index, 'toggle');
    else if (sizeOf(cluster) === 1) openMedia(first.media_id);
    else void navigate(`/datasets/${datasetId}/clusters/${cluster.cluster_id}?${addressOf(view, batchId)}`);
  };
  const renderCell = (index: number) => {
    const cluster = clusters[index];
    if (cluster === undefined) return <TileSkeleton />;
    const size = sizeOf(cluster);
    return (
      <Tile
        previews={cluster.previews}
        count={size}
        label={texts.explore.stack.label(size, cluster.previews[0]?.file_name ?? '')}
        isSelected={selection.has(cluster.cluster_id)}
        facts={cluster.previews[0] && factsOf(cluster.previews[0], cluster)}
        onSelect={(how) => selection.select(index, how)}
      />
    );
  };
  if (data === undefined && error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data !== undefined && clusters.length === 0)
    return <EmptyState icon="bookmark" title={words.batch.none.title} text={words.batch.none.text} />;
  const pages = data?.total_pages ?? 0;
  return (
    <>
      <TileBar />
      <VirtualGrid
        key={page}
        label={words.batch.list}
        count={data === undefined ? SKELETONS : clusters.length}
        minWidth={minWidth}
        footer={footer}
        renderCell={renderCell}
        isSelected={(index) => selection.has(clusters[index]?.cluster_id)}
        onOpen={open}
        onSelect={selection.select}
        lasso={selection.lasso}
        onVisible={() => undefined}
        scrollKey={`${datasetId}/views/${id}/${batchId}/${page}`}
      />
      {pages > 1 && (
        <div className={styles.pager}>
          <Pager
            page={page}
            pageSize={PER_PAGE}
            total={page === pages - 1 ? page * PER_PAGE + clusters.length : pages * PER_PAGE}
            onChange={(next) => {
              selection.clear();
              setPage(next);
            }}
          />
        </div>
      )}
      <SelectionBar
        datasetId={datasetId}
        media={selection.media}
        items={[...selection.ids].map((clusterId) => ({
          type: 'cluster' as const,
          payload: { cluster_id: clusterId, cluster_filters: clusterFiltersOf(view, batchId) },
        }))}
        onClear={selection.clear}
      />
      <MediaOverlay datasetId={datasetId} sequence={singles} />
    </>
  );
}
