import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Holds } from '../../common/engine/annotation-formats/annotation-format';
import { fitted, type Loss, Losses } from '../../common/engine/annotation-formats/fit-annotations';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { DatasetReader, DatasetStatusError } from '../datasets';
import { SourceAnnotations, type PlacedSource } from '../versions';
import { annotationFormat, type ExportFormat } from './archive/formats';
import { SourceNotFoundError } from './domain/export';

const BATCH_ROWS = 1_024;

export interface ExportPreview {
  readonly losses: readonly Loss[];
  readonly media: number;
  readonly annotations: number;
}

/** What a format cannot hold of the annotations of a source, before they are exported. */
@Injectable()
export class ExportPreviewReader {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly tables: MediaTableStore,
    private readonly annotations: SourceAnnotations,
  ) {}

  async preview(datasetId: string, format: ExportFormat, source: string): Promise<ExportPreview> {
    const { pointer, status, counts } = await this.datasets.get(datasetId);
    if (status !== 'READY' || pointer === null) throw new DatasetStatusError('export', status, ['READY']);
    const placed = await this.annotations.open(pointer, await this.tables.open(pointer), source);
    if (placed === undefined) throw new SourceNotFoundError(source);
    const { holds } = annotationFormat(format, await placed.counts());
    return countLosses(placed, holds, counts.images + counts.frames);
  }
}

async function countLosses(placed: PlacedSource, holds: Holds, media: number): Promise<ExportPreview> {
  const losses = new Losses();
  const rows = (await placed.rowsWith(undefined, {})).toArray();
  let annotations = 0;
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    for (const list of await placed.annotationsOf([...rows.subarray(start, start + BATCH_ROWS)])) {
      fitted({ path: '', annotations: list }, holds, losses);
      annotations += list.length;
    }
    await setImmediate();
  }
  for (let picture = rows.length; picture < media; picture++) fitted({ path: '', annotations: [] }, holds, losses);
  return { losses: losses.list(), media, annotations };
}
