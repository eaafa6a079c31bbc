import { Injectable } from '@nestjs/common';
import { identifier, textLiteral } from '../../../common/engine/media-table/literal';
import {
  LEVELS,
  type Level,
  type MediaRow,
  type MetadataValue,
  type EntityKind,
} from '../../../common/engine/media-table/media-row';
import type { MediaField } from '../../../common/engine/media-table/media-schema';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import {
  clusterId,
  ENTITY_TYPES,
  findOrdinal,
  ISSUE_FIELDS,
  KINDS_OF,
  modelSources,
  similarityOf,
  VersionOpener,
  type EntityType,
  type OpenedVersion,
  type PreviewPlace,
  type PublishedState,
} from '../../versions';
import type { Preview } from '../explore/found-clusters';
import { readPreviews } from './read-previews';
import { MediaNotFoundError } from '../query/domain/search-query';
import type { DatasetPointer } from '../../datasets';

/** The models that captioned and labelled entities of a kind, and read text in them. */
export interface DescribingModels {
  readonly captionModel: string | null;
  readonly labelModel: string | null;
  /** The source of the labels that a model found. */
  readonly labelSource: string;
  readonly textModel: string | null;
}

/** The measures of a medium, and its custom fields. */
export const VALUE_FIELDS = [
  'customMetadata',
  'sizeBytes',
  'uniqueness',
  'suggestedLabel',
  ...ISSUE_FIELDS,
] as const satisfies readonly MediaField[];

export type ValuesOfRow = Pick<MediaRow, (typeof VALUE_FIELDS)[number]>;

const DETAIL_FIELDS = [
  'kind',
  'parentId',
  'labels',
  'generatedLabels',
  'objectSource',
  'textLines',
  'mimeType',
  'sha256',
  'perceptualHash',
  'batchId',
  'durationSeconds',
  'sharpness',
  'meanIntensity',
  'nearestSimilarity',
  'clusters',
  ...VALUE_FIELDS,
] as const satisfies readonly MediaField[];

const MOST_CHILDREN = 1000;

export interface MediaDetail extends DescribingModels {
  readonly preview: Preview;
  readonly row: Pick<MediaRow, (typeof DETAIL_FIELDS)[number]>;
  /** To the nearest other medium; null if there is none. */
  readonly nearestSimilarity: number | null;
  readonly clusters: readonly { readonly level: Level; readonly id: string }[];
  /** The image of an object, the video of a frame. */
  readonly parent: Preview | undefined;
  /** Objects of an image, frames of a video. */
  readonly children: readonly Preview[];
  readonly neighbours: readonly Preview[];
  /** Set if some neighbours may be missing. */
  readonly recall: number | undefined;
}

export interface SimilarMedia {
  /** Nearest first, without the item itself. */
  readonly media: readonly Preview[];
  /** Set if some may be missing. */
  readonly recall: number | undefined;
}

@Injectable()
export class MediaService {
  constructor(private readonly versions: VersionOpener) {}

  async detail(
    state: PublishedState,
    mediaId: string,
    { neighbours, withSources }: { readonly neighbours: number; readonly withSources: boolean },
  ): Promise<MediaDetail> {
    using version = await this.opened(state);
    const ordinal = await rowOf(version, mediaId);
    const [row] = await version.table.takeRows([ordinal], DETAIL_FIELDS);
    const parent = row!.parentId === null ? undefined : await findOrdinal(version.table, row!.parentId);
    const children = await version.table.filterOrdinals(`${identifier('parent_id')} = ${textLiteral(mediaId)}`);
    const unscored = (ordinals: ArrayLike<number>) => Array.from(ordinals, (each) => ({ ordinal: each, score: null }));
    const lists = [
      unscored([ordinal]),
      unscored(parent === undefined ? [] : [parent]),
      unscored(children.subarray(0, MOST_CHILDREN)),
      await nearestTo(version, ordinal, neighbours),
    ];
    const [own, parents, shownChildren, near] = await readPreviews(version, lists, { withSources });
    const { nearestSimilarity: nearest } = row!;
    return {
      preview: own![0]!,
      row: row!,
      nearestSimilarity: nearest === null ? null : similarityOf(nearest, version.pointer.nearDuplicates),
      ...modelsOf(version.pointer, row!.kind),
      clusters: clustersOf(version, row!),
      parent: parents![0],
      children: shownChildren!,
      neighbours: near!,
      recall: version.recall,
    };
  }

  /** The custom fields. */
  async customMetadata(state: PublishedState, mediaId: string): Promise<readonly MetadataValue[]> {
    using version = await this.opened(state);
    const [row] = await version.table.takeRows([await rowOf(version, mediaId)], ['customMetadata']);
    return row!.customMetadata ?? [];
  }

  async similar(state: PublishedState, mediaId: string, limit: number): Promise<SimilarMedia> {
    using version = await this.opened(state);
    const [media] = await readPreviews(version, [await nearestTo(version, await rowOf(version, mediaId), limit)]);
    return { media: media!, recall: version.recall };
  }

  private opened({ pointer }: PublishedState): Promise<OpenedVersion> {
    if (pointer === null) throw new MediaNotFoundError();
    return this.versions.openToBrowse(pointer);
  }
}

export async function rowOf(version: OpenedVersion, mediaId: string): Promise<number> {
  const ordinal = await findOrdinal(version.table, mediaId);
  if (ordinal === undefined) throw new MediaNotFoundError();
  return ordinal;
}

async function nearestTo(version: OpenedVersion, ordinal: number, limit: number): Promise<PreviewPlace[]> {
  const [row] = await version.table.takeRows([ordinal], ['kind', 'embedding']);
  if (limit === 0 || row!.embedding === null) return [];
  const similarRows = await version.index.rowsOf(KINDS_OF[entityTypeOf(row!.kind)]);
  const scan = await version.scanImages(row!.embedding, { candidates: similarRows });
  const found = await scan.nearest(limit, similarRows.without(OrdinalSet.of(version.rows, [ordinal])));
  return found.map(({ ordinal: each, distance }) => ({ ordinal: each, score: Math.max(0, distance) }));
}

const entityTypeOf = (kind: MediaRow['kind']): EntityType =>
  ENTITY_TYPES.find((type) => KINDS_OF[type].includes(kind))!;

const clustersOf = (
  { pointer }: OpenedVersion,
  { kind, clusters }: Pick<MediaRow, 'kind' | 'clusters'>,
): MediaDetail['clusters'] => {
  const entityType = entityTypeOf(kind);
  return LEVELS.filter((level) => clusters[level] >= 0).map((level) => ({
    level,
    id: clusterId(pointer, { entityType, level, cluster: clusters[level] }),
  }));
};

export function modelsOf({ enrichments }: Pick<DatasetPointer, 'enrichments'>, kind: EntityKind): DescribingModels {
  const isObject = kind === 'OBJECT';
  return {
    captionModel: enrichments[isObject ? 'CAPTION_OBJECTS' : 'CAPTION_IMAGES']?.id ?? null,
    labelModel: enrichments[isObject ? 'OBJECT_DETECTION' : 'IMAGE_TAGGING']?.id ?? null,
    labelSource: modelSources(enrichments)[isObject ? 'objects' : 'labels'],
    textModel: isObject ? null : (enrichments.TEXT_RECOGNITION?.id ?? null),
  };
}
