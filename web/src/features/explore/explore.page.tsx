import { useState } from 'react';
import type { MediaPreview } from 'dataset-media-service-sdk';
import { useNavigate } from 'react-router';
import { isExplorable, useDataset } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { Button, IconButton } from '../../design/button';
import { Segments } from '../../design/field';
import { PageHeader } from '../../design/page-header';
import { GrowthMenu, PartialNotice } from '../../media/adding/growth-menu';
import { useFacets } from '../../media/facets';
import { FilterChips } from '../../media/filter-chips';
import { NotReady } from '../../media/not-ready';
import { likenessOf } from '../../media/likeness';
import { allClusters, clusterItem, clusterItems, CLUSTERS_PER_PAGE, sizeOf } from '../../media/matching-clusters';
import { MOST_ITEMS } from '../../media/media-selection';
import { SaveViewPopover } from '../../media/save-view';
import { MediaOverlay, useOpenMedia } from '../../media/media-overlay';
import { SelectionBar } from '../../media/selection-bar';
import { useSelection } from '../../media/selection';
import { Tile, TileSkeleton } from '../../media/tile';
import { useTileFacts } from '../../media/use-tile-facts';
import { VirtualGrid } from '../../media/virtual-grid';
import { texts } from '../../texts';
import { beyond, clusterIdsOf, PAGES_PER_BLOCK, useClusters, useHasClusters } from './explore-queries';
import { ENTITY_TYPES, pictured, useExploreState, writeState, type ExploreNavigation } from './explore-state';
import { GridBar } from './grid-bar';
import { Nothing } from './nothing';
import { LevelSlider, LikenessSlider } from './result-sliders';
import { FilterPanel } from '../../media/filtering/filter-panel';
import { PictureDrop, usePictureSearch } from '../../media/filtering/picture-search';
import { VqlPopover } from './vql-popover';
import { SearchBox } from '../../media/filtering/search-box';
import { choose } from './select-all';
import { withMeaning, withValues } from '../../media/simple-filters';
import { itemsOf, useVisiblePages } from '../../media/visible-pages';
import styles from './explore.module.css';

const { explore: words } = texts;
const PANEL_PX = 1000;
const ENTITIES = ENTITY_TYPES.map((value) => ({ value, label: words.entity[value] }));

export function ExplorePage() {
  const dataset = useDataset();
  const navigation = useExploreState();
  const { state, change } = navigation;
  // The pictures first: to count a large dataset takes longer.
  const facets = useFacets(dataset.id, state, useHasClusters(dataset.id, state));
  const [hasPanel, setHasPanel] = useState(window.innerWidth >= PANEL_PX);
  const [search, pictureDialog] = usePictureSearch(dataset.id, navigation);
  const navigate = useNavigate();
  const isReady = isExplorable(dataset);
  return (
    <div className={styles.page}>
      <PageHeader
        title={dataset.display_name}
        note={facets.data === undefined || !isReady ? undefined : words.total(facets.data.total)}
      >
        {isReady && (
          <Button icon="map" onPress={() => void navigate(`../map?${writeState({ ...state, block: 0 }).toString()}`)}>
            {words.showOnMap}
          </Button>
        )}
        <VqlPopover datasetId={dataset.id} {...navigation} />
        <SaveViewPopover datasetId={dataset.id} state={state} />
        <GrowthMenu />
      </PageHeader>
      <PartialNotice />
      <div className={styles.toolbar}>
        <IconButton
          icon="filter"
          label={hasPanel ? words.filters.hide : words.filters.show}
          aria-expanded={hasPanel}
          onPress={() => setHasPanel(!hasPanel)}
        />
        <SearchBox {...navigation} onPicture={search} />
        <Segments
          label={words.entity.label}
          choices={ENTITIES}
          value={state.entity}
          onChange={(entity) => change({ entity })}
        />
        <LevelSlider {...navigation} />
        <LikenessSlider {...navigation} />
      </div>
      <FilterChips datasetId={dataset.id} {...navigation} />
      <div className={styles.body}>
        {hasPanel && <FilterPanel datasetId={dataset.id} {...navigation} facets={facets.data} />}
        <PictureDrop onPicture={search}>
          {isReady ? <Clusters {...navigation} onPicture={search} /> : <NotReady dataset={dataset} />}
        </PictureDrop>
      </div>
      {pictureDialog}
    </div>
  );
}

function Clusters({ state, change, onPicture }: ExploreNavigation & { readonly onPicture: (picture: Blob) => void }) {
  const { id } = useDataset();
  const navigate = useNavigate();
  const openMedia = useOpenMedia();
  const [pages, onVisible] = useVisiblePages(CLUSTERS_PER_PAGE);
  const { count, at, againAt, error, isLoading, refetch, totalPages, partial, recall } = useClusters(id, state, pages);
  const { minWidth, footer, factsOf } = useTileFacts(id, pages, (page) =>
    itemsOf(page, CLUSTERS_PER_PAGE, at).flatMap(({ previews }) => previews.slice(0, 1).map((each) => each.media_id)),
  );
  const selection = useSelection(count, (index) => {
    const cluster = at(index);
    return cluster && clusterItem(cluster);
  });
  const selectAll = () =>
    void choose(selection, allClusters(id, state), texts.media.selection.someOfClusters(MOST_ITEMS));
  const search = writeState(state).toString();

  const open = (index: number) => {
    const cluster = at(index);
    const [first] = cluster?.previews ?? [];
    if (cluster === undefined || first === undefined) return;
    if (selection.ids.size > 0) selection.select(index, 'toggle');
    else if (sizeOf(cluster) === 1) openMedia(first.media_id);
    else void navigate(`../clusters/${cluster.cluster_id}?${search}`);
  };
  const findSimilar = ({ media_id: mediaId }: MediaPreview) =>
    change({
      anchor: { type: 'MEDIA', id: mediaId },
      caption: '',
      filters: (current) => withMeaning(current, null),
      entity: pictured(state.entity),
    });
  const renderCell = (index: number) => {
    const cluster = at(index);
    if (cluster === undefined) return <TileSkeleton onAgain={againAt(index)} />;
    const size = sizeOf(cluster);
    return (
      <Tile
        previews={cluster.previews}
        count={size}
        label={words.stack.label(size, cluster.previews[0]?.file_name ?? '')}
        likeness={likenessOf(cluster)}
        isSelected={selection.has(cluster.cluster_id)}
        facts={cluster.previews[0] && factsOf(cluster.previews[0], cluster)}
        onSelect={(how) => selection.select(index, how)}
        onFindSimilar={findSimilar}
      />
    );
  };

  if (error !== null) return <Failure error={error} onRetry={refetch} />;
  if (!isLoading && count === 0 && partial === undefined)
    return <Nothing datasetId={id} state={state} change={change} />;
  const singles = Array.from(
    { length: Math.min(count, CLUSTERS_PER_PAGE) },
    (_, index) => at(index)?.previews[0]?.media_id,
  );
  return (
    <>
      <GridBar state={state} change={change} unsorted={words.grid.unsorted} />
      {partial !== undefined && (
        <p className={styles.reading} role="status">
          {words.reading(partial.searched, partial.total)}
        </p>
      )}
      {recall !== undefined && <p className={styles.reading}>{words.approximate(recall)}</p>}
      <VirtualGrid
        key={search}
        label={words.results}
        count={isLoading ? SKELETONS : count}
        minWidth={minWidth}
        footer={footer}
        renderCell={renderCell}
        isSelected={(index) => selection.has(at(index)?.cluster_id)}
        onOpen={open}
        onSelect={selection.select}
        onSelectAll={selectAll}
        lasso={selection.lasso}
        onVisible={onVisible}
        scrollKey={`${id}?${search}`}
      />
      <Blocks state={state} change={change} totalPages={totalPages} />
      <SelectionBar
        datasetId={id}
        media={selection.media}
        items={clusterItems([...selection.ids], state)}
        onSelectAll={selectAll}
        onClear={selection.clear}
      />
      <MediaOverlay
        datasetId={id}
        sequence={singles.filter((each) => each !== undefined)}
        onBeyond={(mediaId, step) => beyond(mediaId, step, totalPages, clusterIdsOf(id, state))}
        onPicture={onPicture}
        onBatch={(batchId) => change({ filters: withValues([], 'batch', [batchId]), caption: '', anchor: null })}
        onFindSimilar={(mediaId, entity) =>
          change({ anchor: { type: 'MEDIA', id: mediaId }, caption: '', filters: [], entity })
        }
      />
    </>
  );
}

const SKELETONS = 60;

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
