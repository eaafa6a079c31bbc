import { Inject, Injectable } from '@nestjs/common';
import pMap from 'p-map';
import { inList } from '../../common/engine/media-table/literal';
import { kindCode } from '../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { CARD_FIELDS, type Card } from '../../common/engine/media-table/row-card';
import type { PictureModelType } from '../../common/engine/models/picture-model';
import { DatasetReader, DatasetStatusError, type AppliedModels, type DatasetStatus } from '../datasets';
import { MEDIA_URLS, type MediaUrls } from '../search';
import { Settings } from '../settings';
import { PictureModels, type PictureResult } from './apply/picture-models';
import { chooseModels, type ChosenModel } from './domain/chosen-models';
import { PreviewsDisabledError, PreviewTooSlowError } from './domain/enrichment-errors';
import { isStoredType, KINDS_SEEN } from './domain/findings';
import { assertContext } from './enrichment-status.reader';
import { ModelList } from './model-list';

const SAMPLE_MEDIA = 8;
const TIME_LIMIT_MS = 120_000;

const PREVIEWABLE: readonly DatasetStatus[] = ['READY'];

export interface PreviewedMedia {
  readonly row: Card;
  readonly thumbnail: string;
  readonly results: readonly PreviewedResult[];
}

export interface PreviewedResult {
  readonly model: ChosenModel;
  readonly result: PictureResult<PictureModelType>;
}

/** Applies models to a few media, and changes nothing. */
@Injectable()
export class EnrichmentPreviews {
  constructor(
    private readonly settings: Settings,
    private readonly datasets: DatasetReader,
    private readonly tables: MediaTableStore,
    private readonly list: ModelList,
    private readonly models: PictureModels,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
  ) {}

  async preview(datasetId: string, contextId: string, requested: AppliedModels): Promise<readonly PreviewedMedia[]> {
    const { status, pointer } = await this.datasets.get(datasetId);
    assertContext(datasetId, contextId);
    if (!this.settings.isOn('ENRICHMENT_PREVIEW_SERVICE_ENABLED')) throw new PreviewsDisabledError();
    if (pointer === null || !PREVIEWABLE.includes(status))
      throw new DatasetStatusError('previews_enrichment_result', status, PREVIEWABLE);
    await this.list.refresh();
    const chosen = chooseModels(requested, pointer.enrichments, this.list.known());
    const rows = await sampleOf(await this.tables.open(pointer));
    const results = new Map<string, PreviewedResult[]>(rows.map(({ id }) => [id, []]));
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    try {
      for (const model of chosen) await this.apply(model, rows, results, signal);
    } catch (error) {
      if (signal.aborted) throw new PreviewTooSlowError(TIME_LIMIT_MS);
      throw error;
    }
    const addresses = await this.urls.of(rows);
    return rows.map((row) => ({ row, thumbnail: addresses.get(row)!.thumbnail, results: results.get(row.id)! }));
  }

  private async apply(
    model: ChosenModel,
    rows: readonly Card[],
    results: ReadonlyMap<string, PreviewedResult[]>,
    signal: AbortSignal,
  ): Promise<void> {
    const { type, id, metadata } = model;
    if (!isStoredType(type)) return;
    await this.models.use(type, id, metadata, (opened) =>
      pMap(
        rows,
        async (row) => {
          const result = await opened.apply({ source: row.source, region: row.box }, signal);
          results.get(row.id)!.push({ model, result });
        },
        { concurrency: opened.atOnce },
      ),
    );
  }
}

/** From all over the table, whose rows are in the order of their clusters. */
async function sampleOf(table: MediaTable): Promise<Card[]> {
  const seen = await table.filterOrdinals(`kind IN ${inList(KINDS_SEEN.CAPTION_IMAGES.map(kindCode))}`);
  const count = Math.min(SAMPLE_MEDIA, seen.length);
  const chosen = Array.from({ length: count }, (_, at) => seen[Math.floor(((at + 0.5) * seen.length) / count)]!);
  return table.takeRows(chosen, CARD_FIELDS);
}
