import { Injectable } from '@nestjs/common';
import { inList } from '../../../common/engine/media-table/literal';
import { kindCode } from '../../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import type { UnderstoodText } from '../../../common/engine/models/texts/class-texts';
import { ImageModelTexts } from '../../../common/engine/models/texts/image-model-texts';
import type { DatasetPointer } from '../../datasets';
import { encoderOf, KINDS_OF, VersionOpener, type EntityType, type PublishedState } from '../../versions';
import type { Preview } from '../explore/found-clusters';
import { readPreviews } from './read-previews';
import { NoTextEmbeddingError } from '../query/domain/search-query';

export interface TextModel {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The target of a comparison: captions, or the pictures themselves. */
  readonly type: 'CAPTION_IMAGES' | 'MULTIMODEL_IMAGE_ENCODING' | 'IMAGE_ENCODING';
  readonly entityType: EntityType;
  readonly dimension: number;
  /** The first of those for an entity type. */
  readonly isDefault: boolean;
}

export interface NearestMedia {
  /** Nearest first. */
  readonly media: readonly Preview[];
  /** Set if some may be missing. */
  readonly recall: number | undefined;
  readonly understood: readonly UnderstoodText[] | undefined;
}

type UsableModel = Pick<TextModel, 'id' | 'name' | 'description' | 'dimension'>;

/** By type of the models that texts and pictures are compared by, the column with the vectors of pictures. */
const COLUMNS = { MULTIMODEL_IMAGE_ENCODING: 'multimodal_embedding', IMAGE_ENCODING: 'embedding' } as const;

/** The media nearest to a text. */
@Injectable()
export class VectorSearchService {
  constructor(
    private readonly registry: ModelRegistry,
    private readonly tables: MediaTableStore,
    private readonly versions: VersionOpener,
    private readonly classes: ImageModelTexts,
  ) {}

  async nearest(
    { pointer }: PublishedState,
    asked: { readonly text: string; readonly entityType: EntityType; readonly limit: number },
  ): Promise<NearestMedia> {
    if (pointer === null) throw new NoTextEmbeddingError();
    using version = await this.versions.openToBrowse(pointer);
    const kinds = await version.index.rowsOf(KINDS_OF[asked.entityType]);
    const { table } = version;
    const comparesPictures = encoderOf(pointer, table) !== undefined || this.classes.has(pointer.modelId);
    if (!comparesPictures && !(await table.hasCaptions())) throw new NoTextEmbeddingError();
    const scan = await version.scanText({ text: asked.text, by: 'meaning' }, { candidates: kinds });
    const found = (await scan?.nearest(asked.limit, kinds)) ?? [];
    const [previews] = await readPreviews(version, [
      found.map(({ ordinal, distance }) => ({ ordinal, score: distance })),
    ]);
    return { media: previews!, recall: version.recall, understood: version.understood };
  }

  /** The models that can search this dataset by text. */
  async models({ pointer }: PublishedState): Promise<readonly TextModel[]> {
    if (pointer === null) return [];
    const table = await this.tables.open(pointer);
    const ofPictures = this.modelOfPictures(pointer, table);
    const ofCaptions = this.usable('TEXT_ENCODING', pointer.textModelId, table.dimensions.captionEmbedding);
    const models: TextModel[] = [];
    for (const entityType of ['IMAGES', 'OBJECTS'] as const) {
      const ofKind = `kind IN ${inList(KINDS_OF[entityType].map(kindCode))}`;
      const seen = ofPictures && (await table.countRows(`${COLUMNS[ofPictures.type]} IS NOT NULL AND ${ofKind}`)) > 0;
      if (seen === true) models.push({ ...ofPictures, entityType, isDefault: true });
      if (ofCaptions !== undefined && (await table.countCaptioned(ofKind)) > 0)
        models.push({ ...ofCaptions, type: 'CAPTION_IMAGES', entityType, isDefault: seen !== true });
    }
    return models;
  }

  private modelOfPictures(
    pointer: DatasetPointer,
    table: MediaTable,
  ): (UsableModel & { readonly type: keyof typeof COLUMNS }) | undefined {
    const applied = encoderOf(pointer, table);
    if (applied === undefined && !this.classes.has(pointer.modelId)) return undefined;
    const type = applied === undefined ? 'IMAGE_ENCODING' : 'MULTIMODEL_IMAGE_ENCODING';
    const { id, dimension } = applied ?? { id: pointer.modelId, dimension: table.dimensions.embedding };
    const model = this.usable(type, id, dimension);
    return model && { ...model, type };
  }

  /** Undefined for a model that was removed or replaced. */
  private usable(
    type: 'TEXT_ENCODING' | keyof typeof COLUMNS,
    modelId: string,
    dimension: number,
  ): UsableModel | undefined {
    if (!this.registry.idsOf(type).includes(modelId)) return undefined;
    const { id, name, description, outputs } = this.registry.get(type, modelId).manifest;
    return outputs.dimension === dimension ? { id, name, description, dimension } : undefined;
  }
}
