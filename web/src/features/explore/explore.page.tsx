import { useState } from 'react';
import type { MediaPreview } from 'dataset-media-service-sdk';
import { useNavigate } from 'react-router';
import { isExplorable, useDataset } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { Button, IconButton } from '../../design/button';
import { PageHeader } from '../../design/page-header';
import { GrowthMenu, PartialNotice } from '../../media/adding/growth-menu';
import { useFacets } from '../../media/facets';
import { NotReady } from '../../media/not-ready';
import { likenessOf } from '../../media/likeness';
import { allClusters, clusterItem, clusterItems, CLUSTERS_PER_PAGE } from '../../media/matching-clusters';
import { MOST_ITEMS } from '../../media/media-selection';
import { EvaluateButton } from '../../media/evaluating/evaluate-button';
import { itemsOfSearch } from '../../media/reviewing/chosen-items';
import { ReviewButton } from '../../media/reviewing/review-button';
import { SaveViewPopover } from '../../media/save-view';
import { MediaOverlay } from '../../media/media-overlay';
import { ClusterGrid } from '../../media/selectable-grid';
import { useSelection } from '../../media/selection';
import { texts } from '../../texts';
import {
  beyond,
  clusterIdsOf,
  PAGES_PER_BLOCK,
  useClusters,
  useHasClusters,
  type ClusterPages,
} from './explore-queries';
import { pictured, useExploreState, writeState, type ExploreNavigation } from './explore-state';
import { GridBar } from './grid-bar';
import { Nothing } from './nothing';
import { LevelSlider, LikenessSlider } from './result-sliders';
import { SearchFrame } from '../../media/filtering/search-frame';
import { VqlPopover } from './vql-popover';
import { choose } from '../../media/select-all';
import { withMeaning, withValues } from '../../media/simple-filters';
import { itemsOf, useVisiblePages } from '../../media/visible-pages';
import styles from './explore.module.css';

const { explore: words } = texts;
const PANEL_PX = 1000;

export function ExplorePage() {
  const dataset = useDataset();
  const navigation = useExploreState();
  // The pictures first: to count a large dataset takes longer.
  const facets = useFacets(dataset.id, navigation.state, useHasClusters(dataset.id, navigation.state)).data;
  const [hasPanel, setHasPanel] = useState(window.innerWidth >= PANEL_PX);
  return (
    <SearchFrame
      datasetId={dataset.id}
      {...navigation}
      header={<Header {...navigation} total={facets?.total} />}
      tools={
        <>
          <LevelSlider {...navigation} />
          <LikenessSlider {...navigation} />
        </>
      }
      hasPanel={hasPanel}
      onPanel={setHasPanel}
      facets={facets}
    >
      {(onPicture) =>
        isExplorable(dataset) ? <Clusters {...navigation} onPicture={onPicture} /> : <NotReady dataset={dataset} />
      }
    </SearchFrame>
  );
}

function Header({ state, change, total }: ExploreNavigation & { readonly total: number | undefined }) {
  const dataset = useDataset();
  const navigate = useNavigate();
  const isReady = isExplorable(dataset);
  const chosen = itemsOfSearch(state);
  return (
    <>
      <PageHeader title={dataset.display_name} note={total === undefined || !isReady ? undefined : words.total(total)}>
        {isReady && (
          <Button icon="map" onPress={() => void navigate(`../map?${writeState({ ...state, block: 0 }).toString()}`)}>
            {words.showOnMap}
          </Button>
        )}
        <VqlPopover datasetId={dataset.id} state={state} change={change} />
        <SaveViewPopover datasetId={dataset.id} state={state} />
        {isReady && chosen !== undefined && <ReviewButton datasetId={dataset.id} chosen={chosen} />}
        {isReady && state.entity === 'IMAGES' && <EvaluateButton datasetId={dataset.id} search={state} />}
        <GrowthMenu />
      </PageHeader>
      <PartialNotice />
    </>
  );
}

interface ClustersProps extends ExploreNavigation {
  readonly onPicture: (picture: Blob) => void;
}

function Clusters({ state, change, onPicture }: ClustersProps) {
  const { id } = useDataset();
  const [pages, onVisible] = useVisiblePages(CLUSTERS_PER_PAGE);
  const clusters = useClusters(id, state, pages);
  const { count, at, againAt, error, isLoading, refetch, totalPages, partial, recall, understood } = clusters;
  const selection = useSelection(count, (index) => {
    const cluster = at(index);
    return cluster && clusterItem(cluster);
  });
  const search = writeState(state).toString();
  const findSimilar = ({ media_id: mediaId }: MediaPreview) =>
    change({
      anchor: { type: 'MEDIA', id: mediaId },
      caption: '',
      filters: (current) => withMeaning(current, null),
      entity: pictured(state.entity),
    });
  if (error !== null) return <Failure error={error} onRetry={refetch} />;
  if (!isLoading && count === 0 && partial === undefined)
    return <Nothing datasetId={id} state={state} change={change} understood={understood} />;
  return (
    <>
      <GridBar state={state} change={change} unsorted={words.grid.unsorted} />
      {understood !== undefined && <p className={styles.understood}>{words.understood(understood)}</p>}
      <Coverage partial={partial} recall={recall} />
      <ClusterGrid
        gridKey={search}
        datasetId={id}
        label={words.results}
        count={isLoading ? SKELETONS : count}
        {...{ at, againAt, pages, search, likenessOf, selection }}
        clustersOf={(page) => itemsOf(page, CLUSTERS_PER_PAGE, at)}
        items={clusterItems([...selection.ids], state)}
        isOfPictures={state.entity === 'IMAGES'}
        onFindSimilar={findSimilar}
        onSelectAll={() =>
          void choose(selection, allClusters(id, state), texts.media.selection.someOfClusters(MOST_ITEMS))
        }
        onVisible={onVisible}
        scrollKey={`${id}?${search}`}
      >
        <Blocks state={state} change={change} totalPages={totalPages} />
      </ClusterGrid>
      <Details state={state} change={change} onPicture={onPicture} clusters={clusters} />
    </>
  );
}

const SKELETONS = 60;

/** Which part of the media a search covers, where that is not all of them. */
function Coverage({ partial, recall }: Pick<ClusterPages, 'partial' | 'recall'>) {
  return (
    <>
      {partial !== undefined && (
        <p className={styles.reading} role="status">
          {words.reading(partial.searched, partial.total)}
        </p>
      )}
      {recall !== undefined && <p className={styles.reading}>{words.approximate(recall)}</p>}
    </>
  );
}

/** The medium that is open; the arrow keys go from one cluster to the next. */
function Details({ state, change, onPicture, clusters }: ClustersProps & { readonly clusters: ClusterPages }) {
  const { id } = useDataset();
  const { count, at, totalPages } = clusters;
  const firsts = Array.from({ length: Math.min(count, CLUSTERS_PER_PAGE) }, (_, index) => at(index)?.previews[0]);
  return (
    <MediaOverlay
      datasetId={id}
      sequence={firsts.flatMap((first) => (first === undefined ? [] : [first.media_id]))}
      onBeyond={(mediaId, step) => beyond(mediaId, step, totalPages, clusterIdsOf(id, state))}
      onPicture={onPicture}
      onBatch={(batchId) => change({ filters: withValues([], 'batch', [batchId]), caption: '', anchor: null })}
      onFindSimilar={(mediaId, entity) =>
        change({ anchor: { type: 'MEDIA', id: mediaId }, caption: '', filters: [], entity })
      }
    />
  );
}

function Blocks({ state: { block }, change, totalPages }: ExploreNavigation & { readonly totalPages: number }) {
  const last = Math.ceil(totalPages / PAGES_PER_BLOCK) - 1;
  if (last <= 0) return null;
  const perBlock = PAGES_PER_BLOCK * CLUSTERS_PER_PAGE;
  const to = Math.min((block + 1) * perBlock, totalPages * CLUSTERS_PER_PAGE);
  return (
    <nav className={styles.block} aria-label={words.block.label}>
      <IconButton
        icon="left"
        label={words.block.previous}
        isDisabled={block === 0}
        onPress={() => change({ block: block - 1 })}
      />
      {words.block.range(block * perBlock + 1, to)}
      <IconButton
        icon="right"
        label={words.block.next}
        isDisabled={block >= last}
        onPress={() => change({ block: block + 1 })}
      />
    </nav>
  );
}
