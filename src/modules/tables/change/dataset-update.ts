import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { Dataset, DatasetPointer } from '../../datasets';
import type { Task } from '../../tasks';
import type { UpdateParameters } from './domain/update-parameters';

/** A dataset during an addition, sync or reindex; no other operation changes its pointer meanwhile. */
export interface DatasetUpdate<Parameters extends UpdateParameters = UpdateParameters> {
  readonly dataset: Dataset;
  readonly pointer: DatasetPointer;
  /** Opened at the pointer. */
  readonly table: MediaTable;
  readonly task: Task;
  readonly parameters: Parameters;
}
