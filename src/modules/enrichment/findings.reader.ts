import { Injectable } from '@nestjs/common';
import { identifier, inList, textLiteral } from '../../common/engine/media-table/literal';
import { MediaKeys, readKeys } from '../../common/engine/media-table/row-digests';
import type { EntityKind } from '../../common/engine/media-table/media-row';
import { kindCode } from '../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import { versionName } from '../../common/engine/media-table/table-version';
import { BoundedCache } from '../../common/platform/cache/bounded-cache';
import { DatasetReader } from '../datasets';
import type { AppliedType } from './domain/findings';

/** The images and frames that a model found something in. */
export interface FoundIn {
  /** The one that was applied last. */
  readonly model: string | null;
  readonly count: number;
  readonly ids: readonly string[];
}

export interface Findings {
  /** Images and frames. */
  readonly media: number;
  readonly captions: FoundIn;
  readonly labels: FoundIn;
  readonly objects: FoundIn & { readonly objects: number };
  readonly text: FoundIn;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Images and frames of one version of a table. */
interface FoundRows {
  readonly media: number;
  readonly captions: OrdinalSet;
  readonly labels: OrdinalSet;
  readonly withObjects: OrdinalSet;
  readonly objects: number;
  readonly withText: OrdinalSet;
}

/** Four bits a row; versions are immutable, so entries never go stale. */
const CACHE_BYTES = 8 * 2 ** 20;
const KEY_WORDS = 4;

const NOTHING: FoundIn = { model: null, count: 0, ids: [] };
const NO_FINDINGS: Findings = {
  media: 0,
  captions: NOTHING,
  labels: NOTHING,
  objects: { ...NOTHING, objects: 0 },
  text: NOTHING,
};

const isKind = (...kinds: readonly EntityKind[]): string => `${identifier('kind')} IN ${inList(kinds.map(kindCode))}`;
const IS_PICTURE = isKind('IMAGE', 'FRAME');
const IS_CAPTIONED = `${identifier('generated_caption')} IS NOT NULL`;
/** A model that looked at a picture and found nothing leaves an empty list. */
const IS_LABELLED = `${identifier('generated_labels')} <> ${textLiteral('[]')}`;
/** Others were made of what a source beside the table says. */
const IS_OF_TABLE = `${identifier('object_source')} IS NULL`;
const HAS_TEXT = `${identifier('text_lines')} <> ${textLiteral('[]')}`;

/** Which media of a dataset models found something in. */
@Injectable()
export class FindingsReader {
  private readonly kept = new BoundedCache<FoundRows>(
    CACHE_BYTES,
    ({ captions, labels, withObjects, withText }) =>
      100 + captions.bytes + labels.bytes + withObjects.bytes + withText.bytes,
  );

  constructor(
    private readonly datasets: DatasetReader,
    private readonly tables: MediaTableStore,
  ) {}

  async of(datasetId: string, page: Page): Promise<Findings> {
    const { pointer } = await this.datasets.get(datasetId);
    if (pointer === null) return NO_FINDINGS;
    const table = await this.tables.open(pointer);
    const rows = await this.kept.getOrLoad(versionName(table.at), () => findRows(table));
    const found = async (type: AppliedType, ordinals: OrdinalSet): Promise<FoundIn> => ({
      model: pointer.enrichments[type]?.id ?? null,
      ...(await list(table, ordinals, page)),
    });
    return {
      media: rows.media,
      captions: await found('CAPTION_IMAGES', rows.captions),
      labels: await found('IMAGE_TAGGING', rows.labels),
      objects: { ...(await found('OBJECT_DETECTION', rows.withObjects)), objects: rows.objects },
      text: await found('TEXT_RECOGNITION', rows.withText),
    };
  }
}

async function list(table: MediaTable, rows: OrdinalSet, { limit, offset }: Page): Promise<Omit<FoundIn, 'model'>> {
  const ordinals = rows.toArray();
  const shown = await table.takeRows(ordinals.subarray(offset, offset + limit), ['id']);
  return { count: ordinals.length, ids: shown.map(({ id }) => id) };
}

async function findRows(table: MediaTable): Promise<FoundRows> {
  const where = async (filter: string): Promise<OrdinalSet> =>
    OrdinalSet.of(table.rows, await table.filterOrdinals(filter));
  const none = OrdinalSet.none(table.rows);
  const [hasCaptions, hasLabels] = [table.has('generatedCaption'), table.has('generatedLabels')];
  const isLabelledObject = table.has('objectSource') ? `(${IS_LABELLED} AND ${IS_OF_TABLE})` : IS_LABELLED;
  const describedObjects = [...(hasCaptions ? [IS_CAPTIONED] : []), ...(hasLabels ? [isLabelledObject] : [])];
  const isFound = `${isKind('OBJECT')} AND (${describedObjects.join(' OR ')})`;
  const objects = describedObjects.length === 0 ? 0 : await table.countRows(isFound);
  return {
    media: await table.countRows(IS_PICTURE),
    captions: hasCaptions ? await where(`${IS_PICTURE} AND ${IS_CAPTIONED}`) : none,
    labels: hasLabels ? await where(`${IS_PICTURE} AND ${IS_LABELLED}`) : none,
    withObjects: objects === 0 ? none : await parentsOf(table, isFound),
    objects,
    withText: table.has('textLines') ? await where(`${IS_PICTURE} AND ${HAS_TEXT}`) : none,
  };
}

/** The rows that those of the filter lie on. */
async function parentsOf(table: MediaTable, filter: string): Promise<OrdinalSet> {
  const rowOf = new MediaKeys(table.rows);
  let row = 0;
  for await (const { count, keys } of readKeys(table, 'id'))
    for (let i = 0; i < count; i++) rowOf.set(row++, keys, i * KEY_WORDS);
  const parents = OrdinalSet.none(table.rows);
  for await (const { count, keys } of readKeys(table, 'parent_id', filter))
    for (let i = 0; i < count; i++) {
      const parent = rowOf.find(keys, i * KEY_WORDS);
      if (parent >= 0) parents.add(parent);
    }
  return parents;
}
