import { Injectable } from '@nestjs/common';
import { Metrics } from '../../../common/platform/observability/metrics';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { QuarantineRepository } from '../persistence/quarantine.repository';
import type { PartResult } from './analyze-part.step';

/** Records the results of analysed parts, which count only then. */
@Injectable()
export class PartRecords {
  constructor(
    private readonly journal: ChunkJournalRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly metrics: Metrics,
  ) {}

  /** Joins the transaction of its caller. */
  async add(
    { datasetId, taskId }: { readonly datasetId: string; readonly taskId: string },
    sequence: number,
    { chunkKey: storeKey, quarantined, ...made }: PartResult,
  ): Promise<void> {
    await this.journal.add(datasetId, taskId, { sequence, storeKey, ...made });
    const quarantinedAt = new Date();
    await this.quarantine.add(
      datasetId,
      taskId,
      quarantined.map((file) => ({ ...file, quarantinedAt })),
    );
  }

  /** After the commit. */
  count({ files, quarantined }: PartResult): void {
    this.metrics.indexedFiles.inc(files);
    for (const { reason } of quarantined) this.metrics.quarantined.inc({ reason });
  }
}
