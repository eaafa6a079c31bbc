import { Inject, Injectable } from '@nestjs/common';
import type { Level } from '../../common/media-table/media-row';
import { MediaTableStore } from '../../common/media-table/media-table-store';
import { CLUSTERS_PER_PAGE, type ClusterPage, type ExploreIndex } from './domain/explore-index';
import type { EntityType } from './domain/entity-type';
import { labelFilter } from './domain/label-filter';
import { DATASET_POINTER_READER, type DatasetPointerReader } from './dataset-pointer';
import type { DatasetPointer } from '../datasets';
import type { FoundClusters, Preview } from './found-clusters';
import { ExploreAnswerCache } from './explore-answer-cache';
import { ExploreIndexCache } from './explore-index-cache';
import { readPreviewRows, type PreviewRow } from './preview-rows';

export interface BrowseQuery {
  readonly entityType: EntityType;
  readonly level: Level;
  /** 0-based. */
  readonly page: number;
  readonly labels: readonly string[];
}

const NOTHING: FoundClusters = { clusteringId: '', totalPages: 0, clusters: [] };

@Injectable()
export class ExploreService {
  constructor(
    @Inject(DATASET_POINTER_READER) private readonly pointers: DatasetPointerReader,
    private readonly tables: MediaTableStore,
    private readonly indexes: ExploreIndexCache,
    private readonly answers: ExploreAnswerCache,
  ) {}

  /** Empty until the first table is published; what was published stays while a newer one is made. */
  async browse(datasetId: string, query: BrowseQuery): Promise<FoundClusters> {
    const { pointer } = await this.pointers.get(datasetId);
    if (pointer === null) return NOTHING;
    const { entityType, level, page, labels } = query;
    const key = JSON.stringify([pointer.generation, pointer.version, entityType, level, page, labels]);
    return this.answers.getOrLoad(key, () => this.find(pointer, query));
  }

  private async find(pointer: DatasetPointer, query: BrowseQuery): Promise<FoundClusters> {
    const table = await this.tables.open(pointer);
    const index = await this.indexes.open(table);
    const filter = labelFilter(query.labels);
    const matches = filter === undefined ? {} : { matches: await table.filterOrdinals(filter) };
    const page = await index.page({ ...query, ...matches });
    const rows = await readPreviewRows(table, new Set(ordinalsShown(page, index)));
    return {
      clusteringId: pointer.clusteringId,
      totalPages: Math.ceil(page.totalClusters / CLUSTERS_PER_PAGE),
      clusters: page.clusters.map((cluster) => ({
        ...cluster,
        shown: cluster.previews.map((ordinal) => previewOf(ordinal, index, rows)),
      })),
    };
  }
}

function* ordinalsShown(page: ClusterPage, index: ExploreIndex): Generator<number> {
  for (const { previews } of page.clusters) {
    for (const ordinal of previews) {
      yield ordinal;
      const video = index.videoRowOf(ordinal);
      if (video !== undefined) yield video;
    }
  }
}

function previewOf(ordinal: number, index: ExploreIndex, rows: ReadonlyMap<number, PreviewRow>): Preview {
  const kind = index.kindOf(ordinal);
  const video = index.videoRowOf(ordinal);
  return {
    kind,
    row: rows.get(ordinal)!,
    labels: index.labelsOf(ordinal),
    video: video === undefined ? undefined : rows.get(video),
  };
}
