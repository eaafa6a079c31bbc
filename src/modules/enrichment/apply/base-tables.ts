import { Injectable } from '@nestjs/common';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { isSameVersion, type TableVersion } from '../../../common/engine/media-table/table-version';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { DatasetReader, type DatasetPointer } from '../../datasets';
import { assertModelsThere } from '../../tables';
import { withObjectOrder, withoutFoundObjects, type BaseTable } from './base-table';

interface AppliedTo {
  /** The version that the findings so far belong to. */
  readonly base?: TableVersion | undefined;
  readonly models: readonly { readonly type: string }[];
  readonly byPicture: boolean;
}

/** Opens the table that models are applied to, as they need it. */
@Injectable()
export class BaseTables {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly tables: MediaTableStore,
    private readonly registry: ModelRegistry,
  ) {}

  /** Of a dataset, or of its copy, which has the state of the source at the first start, also in a retry. */
  async open(datasetId: string, enrichment: AppliedTo): Promise<BaseTable> {
    const { pointer, counts, thumbnailKey } = await this.datasets.get(datasetId);
    if (pointer === null) throw new PermanentJobError('The dataset was never indexed');
    assertUnchanged(enrichment, pointer);
    const opened = { pointer, table: await this.tables.open(pointer), counts, thumbnailKey };
    const findsObjects = enrichment.models.some(({ type }) => type === 'OBJECT_DETECTION');
    const kept = findsObjects ? await this.readyForObjects(opened) : opened;
    return enrichment.byPicture ? withObjectOrder(kept) : kept;
  }

  private async readyForObjects(base: BaseTable): Promise<BaseTable> {
    // Found objects need the same model as the media that are there.
    await this.registry.refresh();
    assertModelsThere(this.registry, base.pointer, base.table);
    return withoutFoundObjects(base);
  }
}

function assertUnchanged({ base }: AppliedTo, pointer: DatasetPointer): void {
  if (base === undefined || isSameVersion(base, pointer)) return;
  throw new PermanentJobError('The dataset has been changed since this enrichment began. Start a new one.');
}
