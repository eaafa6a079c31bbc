import { Inject, Injectable } from '@nestjs/common';
import { inList } from '../../common/engine/media-table/literal';
import { kindCode } from '../../common/engine/media-table/media-schema';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { ModelRegistry } from '../../common/engine/models/model-registry';
import { DATASET_POINTER_READER, type DatasetPointerReader } from './dataset-pointer';
import { KINDS_OF, type EntityType } from './domain/entity-type';
import type { Preview } from './found-clusters';
import { readPreviews } from './read-previews';
import { NoTextEmbeddingError } from './search-errors';
import { VersionOpener } from './version-opener';

export interface TextModel {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly entityType: EntityType;
  readonly dimension: number;
}

/** The media nearest to a text. */
@Injectable()
export class VectorSearchService {
  constructor(
    @Inject(DATASET_POINTER_READER) private readonly pointers: DatasetPointerReader,
    private readonly registry: ModelRegistry,
    private readonly tables: MediaTableStore,
    private readonly versions: VersionOpener,
  ) {}

  async nearest(
    datasetId: string,
    asked: { readonly text: string; readonly entityType: EntityType; readonly limit: number },
  ): Promise<readonly Preview[]> {
    const { pointer } = await this.pointers.get(datasetId);
    if (pointer === null) throw new NoTextEmbeddingError();
    return this.versions.use(pointer, async (version) => {
      const kinds = await version.index.rowsOf(KINDS_OF[asked.entityType]);
      if ((await version.table.countCaptioned()) === 0) throw new NoTextEmbeddingError();
      const scan = await version.scanText(asked.text);
      if (scan === undefined) return [];
      const found = await scan.nearest(asked.limit, kinds);
      const [previews] = await readPreviews(version, [
        found.map(({ ordinal, distance }) => ({ ordinal, score: Math.max(0, distance) })),
      ]);
      return previews!;
    });
  }

  /** The models that can search this dataset by text. */
  async models(datasetId: string): Promise<readonly TextModel[]> {
    const { pointer } = await this.pointers.get(datasetId);
    if (pointer === null) return [];
    // Models that were removed or replaced are skipped.
    if (!this.registry.idsOf('TEXT_ENCODING').includes(pointer.textModelId)) return [];
    const { id, name, description, outputs } = this.registry.get('TEXT_ENCODING', pointer.textModelId).manifest;
    const table = await this.tables.open(pointer);
    if (outputs.dimension !== table.dimensions.captionEmbedding) return [];
    const models: TextModel[] = [];
    for (const entityType of ['IMAGES', 'OBJECTS'] as const) {
      const codes = KINDS_OF[entityType].map((kind) => kindCode(kind));
      const captions = await table.countCaptioned(`kind IN ${inList(codes)}`);
      if (captions > 0) models.push({ id, name, description, entityType, dimension: outputs.dimension });
    }
    return models;
  }
}
