import type { ReactNode } from 'react';
import type { MediaCluster } from 'dataset-media-service-sdk';
import { useNavigate } from 'react-router';
import { texts } from '../texts';
import { sizeOf } from './matching-clusters';
import { useOpenMedia } from './open-media';
import type { SelectionItem } from './media-selection';
import type { Selection } from './selection';
import { SelectionBar } from './selection-bar';
import { Tile, TileSkeleton, type TileProps } from './tile';
import { useTileFacts } from './use-tile-facts';
import { VirtualGrid, type VirtualGridProps } from './virtual-grid';

interface SelectableGridProps extends Omit<VirtualGridProps, 'isSelected' | 'onSelect' | 'lasso'> {
  readonly datasetId: string;
  readonly selection: Selection;
  /** The id by which an item is selected; undefined until the item is loaded. */
  readonly idAt: (index: number) => string | undefined;
  /** The selection, as the API takes it. */
  readonly items: readonly SelectionItem[];
  readonly isSelectable?: boolean;
  /** Whether there may be images and frames among the media. */
  readonly isOfPictures?: boolean;
  /** A grid with another key begins at its top. */
  readonly gridKey?: string | number;
  /** Between the grid and the bar of the selection. */
  readonly children?: ReactNode;
}

/** A grid whose items can be selected, and the actions on the selection. While any is selected, a click selects too. */
export function SelectableGrid({
  datasetId,
  selection,
  idAt,
  items,
  isSelectable = true,
  isOfPictures = true,
  gridKey,
  onOpen,
  onSelectAll,
  children,
  ...grid
}: SelectableGridProps) {
  const open = (index: number) => {
    if (idAt(index) === undefined) return;
    if (selection.ids.size > 0) selection.select(index, 'toggle');
    else onOpen(index);
  };
  const openOne: Selection['select'] = (index, how) => {
    if (how !== 'all') open(index);
  };
  return (
    <>
      <VirtualGrid
        key={gridKey}
        {...grid}
        isSelected={(index) => selection.has(idAt(index))}
        onOpen={open}
        onSelect={isSelectable ? selection.select : openOne}
        onSelectAll={isSelectable ? onSelectAll : undefined}
        lasso={isSelectable ? selection.lasso : undefined}
      />
      {children}
      <SelectionBar
        {...{ datasetId, items, isOfPictures }}
        media={selection.media}
        onSelectAll={onSelectAll}
        onClear={selection.clear}
      />
    </>
  );
}

interface ClusterGridProps
  extends
    Omit<SelectableGridProps, 'minWidth' | 'footer' | 'renderCell' | 'idAt' | 'onOpen'>,
    Pick<TileProps, 'onFindSimilar'> {
  readonly at: (index: number) => MediaCluster | undefined;
  /** How the page of a cluster is read again, where that failed. */
  readonly againAt?: (index: number) => (() => void) | undefined;
  /** The visible pages, and the clusters of one as far as they are loaded. */
  readonly pages: readonly number[];
  readonly clustersOf: (page: number) => readonly MediaCluster[];
  /** The filters of the search that found the clusters, as the address of a cluster has them. */
  readonly search: string;
  readonly likenessOf?: (cluster: MediaCluster) => string | null;
}

/** Clusters as tiles. One of a single medium opens that medium, another its own page. */
export function ClusterGrid({
  at,
  againAt,
  pages,
  clustersOf,
  search,
  likenessOf,
  onFindSimilar,
  ...grid
}: ClusterGridProps) {
  const { datasetId, selection } = grid;
  const openCluster = useOpenCluster(datasetId, search);
  const { minWidth, footer, factsOf } = useTileFacts(datasetId, pages, (page) =>
    clustersOf(page).flatMap(({ previews }) => previews.slice(0, 1).map(({ media_id: mediaId }) => mediaId)),
  );
  const renderCell = (index: number) => {
    const cluster = at(index);
    if (cluster === undefined) return <TileSkeleton onAgain={againAt?.(index)} />;
    const [first] = cluster.previews;
    const size = sizeOf(cluster);
    return (
      <Tile
        previews={cluster.previews}
        count={size}
        label={texts.explore.stack.label(size, first?.file_name ?? '')}
        likeness={likenessOf?.(cluster) ?? null}
        isSelected={selection.has(cluster.cluster_id)}
        facts={first && factsOf(first, cluster)}
        onSelect={(how) => selection.select(index, how)}
        onFindSimilar={onFindSimilar}
      />
    );
  };
  return (
    <SelectableGrid
      {...grid}
      minWidth={minWidth}
      footer={footer}
      renderCell={renderCell}
      idAt={(index) => at(index)?.cluster_id}
      onOpen={(index) => openCluster(at(index)!)}
    />
  );
}

function useOpenCluster(datasetId: string, search: string): (cluster: MediaCluster) => void {
  const openMedia = useOpenMedia();
  const navigate = useNavigate();
  return (cluster) => {
    const [first] = cluster.previews;
    if (first === undefined) return;
    if (sizeOf(cluster) === 1) openMedia(first.media_id);
    else void navigate(`/datasets/${datasetId}/clusters/${cluster.cluster_id}?${search}`);
  };
}
