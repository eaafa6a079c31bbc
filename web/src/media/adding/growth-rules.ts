import type { DatasetDetails } from '../../api/datasets';

export type GrowingDataset = Pick<DatasetDetails, 'id' | 'display_name' | 'status_new' | 'source_type'>;

/** Of every dialog that changes the media of a dataset. */
export interface GrowthDialogProps {
  readonly dataset: GrowingDataset;
  readonly onClose: () => void;
}

export type Obstacle = 'viewer' | 'draft' | 'busy' | 'failed';

/** Why media cannot be added now; null if they can. */
export function obstacleOf(status: DatasetDetails['status_new'], mayChange: boolean): Obstacle | null {
  if (!mayChange) return 'viewer';
  switch (status) {
    case 'READY':
    case 'PARTIAL INDEX':
      return null;
    case 'INDEXING':
    case 'READ ONLY':
      return 'busy';
    case 'DRAFT':
      return 'draft';
    case 'ERROR':
      return 'failed';
  }
}

/** Whether there is a folder, a bucket or a manifest that it can be compared with. */
export const hasSource = ({ source_type: type }: Pick<GrowingDataset, 'source_type'>): boolean => type !== 'UPLOAD';

export const isReindexable = ({ status_new: status }: Pick<GrowingDataset, 'status_new'>): boolean =>
  status === 'PARTIAL INDEX';
