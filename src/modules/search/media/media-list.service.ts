import { Injectable } from '@nestjs/common';
import { identifier, inList } from '../../../common/engine/media-table/literal';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { kindCode, type MediaField } from '../../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { VersionOpener, type OpenedVersion, type PublishedState } from '../../versions';
import type { Preview } from '../explore/found-clusters';
import { modelsOf, type DescribingModels, VALUE_FIELDS, type ValuesOfRow } from './media.service';
import { readPreviews } from './read-previews';

const LABEL_FIELDS = ['labels', 'generatedLabels', 'objectSource'] as const satisfies readonly MediaField[];
const OBJECT_FIELDS = [
  'id',
  'parentId',
  'box',
  'caption',
  'generatedCaption',
  ...LABEL_FIELDS,
] as const satisfies readonly MediaField[];

/** The maximum of returned objects per medium; further objects are only counted. */
export const MOST_OBJECTS = 100;

export type ObjectRow = Pick<MediaRow, (typeof OBJECT_FIELDS)[number]>;

export interface ListedObjects {
  readonly count: number;
  readonly shown: readonly ObjectRow[];
  readonly models: DescribingModels;
}

export interface ListedMedia {
  readonly preview: Preview;
  readonly row: Pick<MediaRow, (typeof LABEL_FIELDS)[number]>;
  readonly models: DescribingModels;
  /** Undefined unless requested. */
  readonly objects: ListedObjects | undefined;
  /** Undefined unless requested. */
  readonly text: Pick<MediaRow, 'textLines'> | undefined;
  /** Undefined unless requested. */
  readonly values: ValuesOfRow | undefined;
}

export interface AskedMedia {
  readonly ids: readonly string[];
  readonly withObjects: boolean;
  readonly withText: boolean;
  readonly withValues: boolean;
}

type ObjectsOfMedia = ReadonlyMap<string, { count: number; readonly shown: ObjectRow[] }>;

/** The details of several media, with as many reads as for one medium. */
@Injectable()
export class MediaListService {
  constructor(private readonly versions: VersionOpener) {}

  /** In the order of the ids; unknown ids are left out. */
  async list({ pointer }: PublishedState, asked: AskedMedia): Promise<readonly ListedMedia[]> {
    if (pointer === null) return [];
    using version = await this.versions.open(pointer);
    const found = await read(version, asked);
    return asked.ids.flatMap((id) => found.get(id) ?? []);
  }
}

async function read(
  version: OpenedVersion,
  { ids, withObjects, withText, withValues }: AskedMedia,
): Promise<ReadonlyMap<string, ListedMedia>> {
  const { table, pointer } = version;
  const ordinals = await table.filterOrdinals(`${identifier('id')} IN ${inList(ids)}`);
  const places = Array.from(ordinals, (ordinal) => ({ ordinal, score: null }));
  const [[previews], rows, objects, texts, values] = await Promise.all([
    readPreviews(version, [places]),
    table.takeRows(ordinals, LABEL_FIELDS),
    withObjects ? objectsOf(table, ids) : undefined,
    withText ? table.takeRows(ordinals, ['textLines']) : undefined,
    withValues ? table.takeRows(ordinals, VALUE_FIELDS) : undefined,
  ]);
  const models = modelsOf(pointer, 'OBJECT');
  return new Map(
    previews!.map((preview, at): [string, ListedMedia] => {
      const { id } = preview.row;
      const ofMedium = objects && { ...(objects.get(id) ?? { count: 0, shown: [] }), models };
      const known = { preview, row: rows[at]!, models: modelsOf(pointer, preview.kind) };
      return [id, { ...known, objects: ofMedium, text: texts?.[at], values: values?.[at] }];
    }),
  );
}

async function objectsOf(table: MediaTable, ids: readonly string[]): Promise<ObjectsOfMedia> {
  const found = new Map(ids.map((id) => [id, { count: 0, shown: [] as ObjectRow[] }]));
  const filter = `${identifier('parent_id')} IN ${inList(ids)} AND ${identifier('kind')} = ${kindCode('OBJECT')}`;
  for await (const batch of table.readRows(OBJECT_FIELDS, { filter }))
    for (const row of batch) {
      const objects = found.get(row.parentId!)!;
      objects.count += 1;
      if (objects.shown.length < MOST_OBJECTS) objects.shown.push(row);
    }
  return found;
}
