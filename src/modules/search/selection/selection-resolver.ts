import { Inject, Injectable } from '@nestjs/common';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import type { DatasetPointer } from '../../datasets';
import { membersOf } from '../cluster-members.service';
import { parseClusterId } from '../domain/cluster-id';
import type { OpenedVersion } from '../opened-version';
import { SearchEngine } from '../search-engine';
import { VersionOpener } from '../version-opener';
import { findOrdinals } from './find-ordinals';
import type { MediaSelection, SelectionItem } from './media-selection';
import { EmptySelectionError, SelectedClusterNotFoundError, SelectedMediaNotFoundError } from './selection-errors';

type ClusterItem = Extract<SelectionItem, { kind: 'cluster' }>;

/** Resolves a selection to rows of a table version. */
@Injectable()
export class SelectionResolver {
  constructor(
    @Inject(VersionOpener) private readonly versions: Pick<VersionOpener, 'use'>,
    @Inject(SearchEngine) private readonly engine: Pick<SearchEngine, 'matching'>,
  ) {}

  async resolve(datasetId: string, pointer: DatasetPointer, selection: MediaSelection): Promise<OrdinalSet> {
    const mediaIds = selection.flatMap((item) => (item.kind === 'media' ? [item.mediaIds] : [])).flat();
    const clusters = selection.filter((item) => item.kind === 'cluster');
    if (mediaIds.length === 0 && clusters.length === 0) throw new EmptySelectionError();
    return this.versions.use(pointer, async (version) => {
      const media = await findOrdinals(version.table, mediaIds);
      if (media.unknown !== undefined) throw new SelectedMediaNotFoundError(media.unknown);
      let { rows } = media;
      for (const cluster of clusters) rows = rows.or(await this.rowsOf(cluster, datasetId, version));
      return rows;
    });
  }

  private async rowsOf(
    { clusterId, query, excludedMediaIds }: ClusterItem,
    datasetId: string,
    version: OpenedVersion,
  ): Promise<OrdinalSet> {
    const { pointer, table, index } = version;
    const cluster = parseClusterId(pointer, clusterId);
    const members = cluster === undefined ? [] : await membersOf(version, cluster);
    if (cluster === undefined || members.length === 0) throw new SelectedClusterNotFoundError(clusterId);
    let rows = OrdinalSet.of(table.rows, members);
    if (query !== undefined) {
      // The entity type is that of the cluster, not of the filters.
      const matches = await this.engine.matching(datasetId, version, { ...query, entityType: cluster.entityType });
      if (matches !== undefined) rows = rows.and(matches);
    }
    if (cluster.entityType === 'VIDEOS')
      rows = OrdinalSet.of(table.rows, rows.size === 0 ? [] : [index.videoRowOf(members[0]!)!]);
    return excludedMediaIds.length === 0 ? rows : rows.without(await excluded(table, excludedMediaIds));
  }
}

/** Unknown ids to exclude are ignored. */
const excluded = async (table: MediaTable, ids: readonly string[]): Promise<OrdinalSet> =>
  (await findOrdinals(table, ids)).rows;
