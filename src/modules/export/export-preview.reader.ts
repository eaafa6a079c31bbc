import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Holds } from '../../common/engine/annotation-formats/annotation-format';
import { fitted, type Loss, Losses } from '../../common/engine/annotation-formats/fit-annotations';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { DatasetReader, DatasetStatusError } from '../datasets';
import { SourceAnnotations, type PlacedSource } from '../versions';
import { annotationFormat, type ExportFormat } from './archive/formats';
import { SourceNotFoundError } from './domain/export';

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
    const table = await this.tables.open(pointer);
    const placed = await this.annotations.open(pointer, table, source);
    if (placed === undefined) throw new SourceNotFoundError(source);
    const { holds } = annotationFormat(format, await placed.counts());
    return countLosses(placed, table, holds, counts.images + counts.frames);
  }
}

async function countLosses(
  placed: PlacedSource,
  table: MediaTable,
  holds: Holds,
  media: number,
): Promise<ExportPreview> {
  const losses = new Losses();
  let [annotations, pictures] = [0, 0];
  for await (const { rows, lists } of placed.inFileOrder()) {
    const hasMasks = lists.some((list) => list.some(({ mask }) => mask !== undefined));
    const sizes = hasMasks && holds.masks !== 'any' ? await table.takeRows(rows, ['width', 'height']) : [];
    for (const [at, list] of lists.entries()) {
      fitted({ path: '', ...sizes[at], annotations: list }, holds, losses);
      annotations += list.length;
    }
    pictures += lists.length;
    await setImmediate();
  }
  for (; pictures < media; pictures++) fitted({ path: '', annotations: [] }, holds, losses);
  return { losses: losses.list(), media, annotations };
}
