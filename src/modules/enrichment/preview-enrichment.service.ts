import { Inject, Injectable } from '@nestjs/common';
import pMap from 'p-map';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { type Card, CARD_FIELDS } from '../../common/engine/media-table/row-card';
import { UserTurns } from '../../common/platform/concurrency/turns';
import { DatasetReader, DatasetStatusError, type AppliedModels, type DatasetStatus } from '../datasets';
import { MEDIA_URLS, type MediaUrls } from '../search';
import { Settings } from '../settings';
import { PictureModels, type AppliedPictureModel, type PictureResult } from './apply/picture-models';
import { seenPicture } from './apply/seen-pictures';
import { acceptedObjects, isStoredType, type AppliedType, KINDS_SEEN } from './domain/findings';
import { chooseModels, type ChosenModel } from './domain/chosen-models';
import { PreviewsDisabledError, PreviewTooSlowError } from './domain/enrichment-errors';
import { assertContext } from './enrichment-status.reader';
import { ModelList } from './model-list';
import { inList } from '../../common/engine/media-table/literal';
import type { Box, MediaRow } from '../../common/engine/media-table/media-row';
import { kindCode } from '../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../common/engine/media-table/media-table';

const SAMPLE_MEDIA = 8;
/** Of a picture in which a model found more, the surest. */
const MOST_CAPTIONED = 4;

interface SampledObject {
  readonly label: string | null;
  readonly box: Box;
}

const SAMPLED_FIELDS = [...CARD_FIELDS, 'kind', 'sha256'] as const;
type SampledRow = Pick<MediaRow, (typeof SAMPLED_FIELDS)[number]>;

interface SampledPicture {
  readonly row: SampledRow;
  readonly objects: readonly SampledObject[];
}

const TIME_LIMIT_MS = 120_000;

const PREVIEWABLE: readonly DatasetStatus[] = ['READY'];

export interface PreviewedMedia {
  readonly row: Card;
  readonly thumbnail: string;
  readonly results: readonly PreviewedResult[];
}

export type PreviewedResult =
  | { readonly model: ChosenModel; readonly result: PictureResult<AppliedType> }
  | { readonly model: ChosenModel; readonly captioned: readonly CaptionedObject[] };

export interface CaptionedObject extends SampledObject {
  readonly result: PictureResult<AppliedType>;
}

interface Previewing {
  readonly pictures: readonly SampledPicture[];
  readonly results: ReadonlyMap<string, PreviewedResult[]>;
  readonly signal: AbortSignal;
}

/** Applies models to a few media, and changes nothing. */
@Injectable()
export class EnrichmentPreviews {
  private readonly turns = new UserTurns({ atOnce: 2, mostOfUser: 2, what: 'previews' });

  constructor(
    private readonly settings: Settings,
    private readonly datasets: DatasetReader,
    private readonly tables: MediaTableStore,
    private readonly list: ModelList,
    private readonly models: PictureModels,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
  ) {}

  preview(
    datasetId: string,
    contextId: string,
    requested: AppliedModels,
    userId: string,
  ): Promise<readonly PreviewedMedia[]> {
    return this.turns.run(userId, () => this.previewNow(datasetId, contextId, requested));
  }

  private async previewNow(
    datasetId: string,
    contextId: string,
    requested: AppliedModels,
  ): Promise<readonly PreviewedMedia[]> {
    const { status, pointer } = await this.datasets.get(datasetId);
    assertContext(datasetId, contextId);
    if (!this.settings.isOn('ENRICHMENT_PREVIEW_SERVICE_ENABLED')) throw new PreviewsDisabledError();
    if (pointer === null || !PREVIEWABLE.includes(status))
      throw new DatasetStatusError('previews_enrichment_result', status, PREVIEWABLE);
    await this.list.refresh();
    const chosen = chooseModels(requested, pointer.enrichments, this.list.known());
    const table = await this.tables.open(pointer);
    const pictures = await (captionsKnownObjects(chosen) ? sampleObjects(table) : samplePictures(table));
    const results = new Map<string, PreviewedResult[]>(pictures.map(({ row }) => [row.id, []]));
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    try {
      for (const model of chosen) await this.apply(model, { pictures, results, signal });
    } catch (error) {
      if (signal.aborted) throw new PreviewTooSlowError(TIME_LIMIT_MS);
      throw error;
    }
    const rows = pictures.map(({ row }) => row);
    const addresses = await this.urls.of(rows);
    return rows.map((row) => ({ row, thumbnail: addresses.get(row)!.thumbnail, results: results.get(row.id)! }));
  }

  private async apply(model: ChosenModel, { pictures, results, signal }: Previewing): Promise<void> {
    const { type, id, metadata } = model;
    if (!isStoredType(type)) return;
    await this.models.use(type, id, metadata, (opened) =>
      pMap(
        pictures,
        async (picture) => {
          const own = results.get(picture.row.id)!;
          if (type === 'CAPTION_OBJECTS') {
            const objects = foundBefore(own) ?? picture.objects;
            own.push({ model, captioned: await captions(opened, picture.row, objects, signal) });
            return;
          }
          const result = await opened.apply(seenPicture(picture.row), signal);
          own.push({ model, result: accepted(result, picture.row) });
        },
        { concurrency: opened.atOnce },
      ),
    );
  }
}

/** Those of the table, unless objects are found in the same request. */
const captionsKnownObjects = (chosen: readonly ChosenModel[]): boolean =>
  chosen.some(({ type }) => type === 'CAPTION_OBJECTS') && !chosen.some(({ type }) => type === 'OBJECT_DETECTION');

function accepted(result: PictureResult<AppliedType>, row: Card): PictureResult<AppliedType> {
  if (result.kind !== 'FOUND' || !('objects' in result.found)) return result;
  return { kind: 'FOUND', found: { objects: acceptedObjects(result.found.objects, row) } };
}

/** Undefined if no objects were looked for in the picture. */
function foundBefore(results: readonly PreviewedResult[]): readonly SampledObject[] | undefined {
  for (const each of results) {
    if (each.model.type !== 'OBJECT_DETECTION' || !('result' in each)) continue;
    const { result } = each;
    return result.kind === 'FOUND' && 'objects' in result.found ? result.found.objects : [];
  }
  return undefined;
}

/** One by one, because pictures are looked at at the same time. */
async function captions(
  opened: AppliedPictureModel<AppliedType>,
  picture: SampledRow,
  objects: readonly SampledObject[],
  signal: AbortSignal,
): Promise<CaptionedObject[]> {
  const captioned: CaptionedObject[] = [];
  const file = seenPicture(picture);
  for (const { label, box } of objects.slice(0, MOST_CAPTIONED))
    captioned.push({ label, box, result: await opened.apply({ ...file, region: box }, signal) });
  return captioned;
}

/** Images and frames from all over the table, whose rows are in the order of their clusters. */
async function samplePictures(table: MediaTable): Promise<SampledPicture[]> {
  const chosen = spread(await table.filterOrdinals(`kind IN ${inList(KINDS_SEEN.CAPTION_IMAGES.map(kindCode))}`));
  return (await table.takeRows(chosen, SAMPLED_FIELDS)).map((row) => ({ row, objects: [] }));
}

/** Objects from all over the table, with the pictures that they are in; pictures only if the table has no objects. */
async function sampleObjects(table: MediaTable): Promise<SampledPicture[]> {
  const chosen = spread(await table.filterOrdinals(`kind = ${kindCode('OBJECT')}`));
  if (chosen.length === 0) return samplePictures(table);
  const objects = await table.takeRows(chosen, ['parentId', 'box', 'labels']);
  const parents = [...new Set(objects.flatMap(({ parentId }) => parentId ?? []))];
  const pictures = await table.takeRows(await table.filterOrdinals(`id IN ${inList(parents)}`), SAMPLED_FIELDS);
  return pictures.map((row) => ({
    row,
    objects: objects.flatMap(({ parentId, box, labels: [label = null] }) =>
      parentId === row.id && box !== null ? [{ label, box }] : [],
    ),
  }));
}

function spread(ordinals: Int32Array): number[] {
  const count = Math.min(SAMPLE_MEDIA, ordinals.length);
  return Array.from({ length: count }, (_, at) => ordinals[Math.floor(((at + 0.5) * ordinals.length) / count)]!);
}
