import type { ReactNode } from 'react';
import type { MediaCluster } from 'dataset-media-service-sdk';
import { useNavigate } from 'react-router';
import { texts } from '../texts';
import { sizeOf } from './matching-clusters';
import { useOpenMedia } from './media-overlay';
import type { SelectionItem } from './media-selection';
import type { Selection } from './selection';
import { SelectionBar } from './selection-bar';
import { Tile, type TileProps } from './tile';
import type { TileLayout } from './use-tile-facts';
import { VirtualGrid, type VirtualGridProps } from './virtual-grid';

interface SelectableGridProps extends Omit<VirtualGridProps, 'isSelected' | 'onSelect' | 'lasso'> {
  readonly datasetId: string;
  readonly selection: Selection;
  /** The id by which an item is selected; undefined until the item is loaded. */
  readonly idAt: (index: number) => string | undefined;
  /** The selection, as the API takes it. */
  readonly items: readonly SelectionItem[];
  readonly isSelectable?: boolean;
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
        datasetId={datasetId}
        media={selection.media}
        items={items}
        onSelectAll={onSelectAll}
        onClear={selection.clear}
      />
    </>
  );
}

type ClusterTileProps = Pick<TileProps, 'likeness' | 'isSelected' | 'onSelect' | 'onFindSimilar'> & {
  readonly cluster: MediaCluster;
  readonly factsOf: TileLayout['factsOf'];
};

export function ClusterTile({ cluster, factsOf, ...tile }: ClusterTileProps) {
  const [first] = cluster.previews;
  const size = sizeOf(cluster);
  return (
    <Tile
      previews={cluster.previews}
      count={size}
      label={texts.explore.stack.label(size, first?.file_name ?? '')}
      facts={first && factsOf(first, cluster)}
      {...tile}
    />
  );
}

/** Opens the page of a cluster, with the filters of the search that found it; a cluster of one medium opens that medium. */
export function useOpenCluster(datasetId: string, search: string): (cluster: MediaCluster | undefined) => void {
  const openMedia = useOpenMedia();
  const navigate = useNavigate();
  return (cluster) => {
    const [first] = cluster?.previews ?? [];
    if (cluster === undefined || first === undefined) return;
    if (sizeOf(cluster) === 1) openMedia(first.media_id);
    else void navigate(`/datasets/${datasetId}/clusters/${cluster.cluster_id}?${search}`);
  };
}
