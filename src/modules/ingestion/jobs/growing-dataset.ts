import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { Dataset, DatasetPointer } from '../../datasets';
import type { Task } from '../../tasks';
import type { GrowthParameters } from '../domain/growth-task';

/** A dataset while an operation adds to it or orders it anew; nothing else moves its pointer meanwhile. */
export interface GrowingDataset<Parameters extends GrowthParameters = GrowthParameters> {
  readonly dataset: Dataset;
  readonly pointer: DatasetPointer;
  /** Open at the pointer. */
  readonly table: MediaTable;
  readonly task: Task;
  readonly parameters: Parameters;
}
