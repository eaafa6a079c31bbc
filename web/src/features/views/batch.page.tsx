import { useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { MediaCluster } from 'dataset-media-service-sdk';
import { useNavigate, useParams } from 'react-router';
import { answered, service } from '../../api/client';
import { useDataset } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { keys } from '../../api/keys';
import { Button, IconButton } from '../../design/button';
import { PageHeader } from '../../design/page-header';
import { Pager } from '../../design/pager';
import { EmptyState } from '../../design/state';
import { MediaOverlay } from '../../media/media-overlay';
import { clusterItem, sizeOf } from '../../media/matching-clusters';
import { readState } from '../../media/explore-address';
import { itemsOfSearch } from '../../media/reviewing/chosen-items';
import { ReviewButton } from '../../media/reviewing/review-button';
import { ClusterGrid } from '../../media/selectable-grid';
import { useSelection } from '../../media/selection';
import { TileBar } from '../../media/tile-bar';
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
  const chosen = view && itemsOfSearch(readState(new URLSearchParams(addressOf(view, batchId))));
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
        {chosen !== undefined && <ReviewButton datasetId={dataset.id} chosen={chosen} />}
      </PageHeader>
      <div className={styles.results}>
        {view !== undefined && <Results view={view} batchId={batchId} />}
        {view === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {view === undefined && data !== undefined && <MissingView />}
      </div>
    </div>
  );
}

const useResults = ({ id, dataset_id: datasetId }: SavedView, batchId: string, page: number) =>
  useQuery({
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

function Results({ view, batchId }: { readonly view: SavedView; readonly batchId: string }) {
  const { id, dataset_id: datasetId } = view;
  const [page, setPage] = useState(0);
  const { data, error, refetch } = useResults(view, batchId, page);
  const clusters = data?.clusters ?? [];
  const selection = useSelection(clusters.length, (index) => clusters[index] && clusterItem(clusters[index]));
  const turn = (to: number) => {
    selection.clear();
    setPage(to);
  };
  if (data === undefined && error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data !== undefined && clusters.length === 0)
    return <EmptyState icon="bookmark" title={words.batch.none.title} text={words.batch.none.text} />;
  return (
    <>
      <TileBar />
      <ClusterGrid
        gridKey={page}
        datasetId={datasetId}
        label={words.batch.list}
        count={data === undefined ? SKELETONS : clusters.length}
        at={(index) => clusters[index]}
        pages={[page]}
        clustersOf={() => clusters}
        search={addressOf(view, batchId)}
        selection={selection}
        items={[...selection.ids].map((clusterId) => ({
          type: 'cluster',
          payload: { cluster_id: clusterId, cluster_filters: clusterFiltersOf(view, batchId) },
        }))}
        isOfPictures={view.filters.entity_type === 'IMAGES'}
        onVisible={() => undefined}
        scrollKey={`${datasetId}/views/${id}/${batchId}/${page}`}
      >
        <Pages page={page} pages={data?.total_pages ?? 0} onLast={clusters.length} onChange={turn} />
      </ClusterGrid>
      <MediaOverlay datasetId={datasetId} sequence={singlesOf(clusters)} />
    </>
  );
}

/** The media that are open one by one, each a cluster of its own. */
const singlesOf = (clusters: readonly MediaCluster[]): string[] =>
  clusters
    .filter((cluster) => sizeOf(cluster) === 1)
    .flatMap(({ previews }) => previews.map(({ media_id: mediaId }) => mediaId));

function Pages({
  page,
  pages,
  onLast,
  onChange,
}: {
  readonly page: number;
  readonly pages: number;
  /** The number of clusters, if this is the last page. */
  readonly onLast: number;
  readonly onChange: (page: number) => void;
}) {
  if (pages <= 1) return null;
  return (
    <div className={styles.pager}>
      <Pager
        page={page}
        pageSize={PER_PAGE}
        total={page === pages - 1 ? page * PER_PAGE + onLast : pages * PER_PAGE}
        onChange={onChange}
      />
    </div>
  );
}
