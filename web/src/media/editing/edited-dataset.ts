import type { DatasetDetails } from '../../api/datasets';

export type EditedDataset = Pick<DatasetDetails, 'id' | 'display_name' | 'description' | 'status_new'>;
