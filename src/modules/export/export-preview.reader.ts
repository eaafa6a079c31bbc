import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Holds } from '../../common/engine/annotation-formats/annotation-format';
import { fitted, type Loss, Losses } from '../../common/engine/annotation-formats/fit-annotations';
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
    const placed = await this.annotations.open(pointer, await this.tables.open(pointer), source);
    if (placed === undefined) throw new SourceNotFoundError(source);
    const { holds } = annotationFormat(format, await placed.counts());
    return countLosses(placed, holds, counts.images + counts.frames);
  }
}

async function countLosses(placed: PlacedSource, holds: Holds, media: number): Promise<ExportPreview> {
  const losses = new Losses();
  let [annotations, pictures] = [0, 0];
  for await (const lists of placed.inFileOrder()) {
    for (const list of lists) {
      fitted({ path: '', annotations: list }, holds, losses);
      annotations += list.length;
    }
    pictures += lists.length;
    await setImmediate();
  }
  for (; pictures < media; pictures++) fitted({ path: '', annotations: [] }, holds, losses);
  return { losses: losses.list(), media, annotations };
}
