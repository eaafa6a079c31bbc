import { Injectable } from '@nestjs/common';
import { MetadataFieldRepository, type MetadataField } from '../../datasets';
import type { OperationPayload } from '../../tasks';
import { MAX_SAMPLE_ERRORS } from '../domain/metadata-import';
import type { Unmatched } from '../domain/unmatched';
import { MetadataImportRepository } from '../persistence/metadata-import.repository';

/** Records the number of changed values, in the transaction that publishes them. */
@Injectable()
export class MetadataReportStep {
  constructor(
    private readonly fields: MetadataFieldRepository,
    private readonly imports: MetadataImportRepository,
  ) {}

  addFields(datasetId: string, fields: readonly MetadataField[]): Promise<void> {
    return this.fields.add(datasetId, fields);
  }

  /** Adds the rows that match no medium to those that were refused on receipt. */
  async record(
    { datasetId, taskId }: OperationPayload,
    importId: string | undefined,
    unmatched: Unmatched,
  ): Promise<void> {
    const found = importId === undefined ? undefined : await this.imports.find(datasetId, importId);
    // Other values may have been sent since this task failed.
    if (found?.taskId !== taskId) return;
    const { names, rows = [], count, total } = unmatched;
    const errors = rows
      .slice(0, MAX_SAMPLE_ERRORS)
      .map((row, at) => ({ row, reason: `The dataset has no image, frame or object ${names[at]!}.` }));
    await this.imports.update(found.id, {
      insertedRows: total - count,
      errorCount: found.errorCount + count,
      sampleErrors: [...found.sampleErrors, ...errors].sort((a, b) => a.row - b.row).slice(0, MAX_SAMPLE_ERRORS),
    });
  }
}
