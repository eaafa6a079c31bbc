import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { DatasetCopies, derivedDataset, type Dataset } from '../datasets';
import { CloneCompanions, SnapshotBefore } from '../snapshots';
import { TagNames } from '../versions';
import type { ChosenMedia, Keeping } from './chosen-rows';
import { COPYING, REMOVAL } from './jobs/keep-rows.job';
import { StartSubset, type StartedSubset } from './start-subset';

/** Removes media from a dataset, after a snapshot that brings them back. Their files stay where they are. */
@Injectable()
export class RemoveMediaUseCase {
  constructor(
    private readonly subsets: StartSubset,
    private readonly snapshotBefore: SnapshotBefore,
    private readonly audit: AuditLog,
  ) {}

  /** The result is the id of the snapshot. */
  start(datasetId: string, chosen: ChosenMedia, by: Principal): Promise<StartedSubset<string>> {
    const request = {
      operation: 'remove_media',
      type: REMOVAL,
      chosen,
      keeping: 'others',
      createdBy: by.email,
    } as const;
    return this.subsets.start(datasetId, request, async (dataset, rows) => {
      const { id } = await this.snapshotBefore.take(dataset, {
        reason: 'removal',
        description: `Before the removal of ${rows} media`,
        createdBy: by.email,
      });
      const details = { name: dataset.displayName, media: rows, snapshot: id };
      await this.audit.recordBy(by, 'media_removed', datasetId, details);
      return { result: id };
    });
  }
}

export interface CopyRequest {
  readonly chosen: ChosenMedia;
  readonly keeping: Keeping;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly withViews: boolean;
}

/** Makes a new dataset of some of the media of another, which share their files. */
@Injectable()
export class CopyMediaUseCase {
  constructor(
    private readonly subsets: StartSubset,
    private readonly copies: DatasetCopies,
    private readonly tagNames: TagNames,
    private readonly companions: CloneCompanions,
    private readonly audit: AuditLog,
  ) {}

  /** The result is the id of the new dataset. */
  start(
    datasetId: string,
    { chosen, keeping, withViews, displayName, description }: CopyRequest,
    owner: Principal,
  ): Promise<StartedSubset<string>> {
    const request = { operation: 'copy_dataset', type: COPYING, chosen, keeping, createdBy: owner.email } as const;
    return this.subsets.start(datasetId, request, async (source) => {
      const words = {
        displayName: displayName ?? `${source.displayName} (copy)`,
        description: description ?? source.description,
      };
      const copy = derivedDataset(source, words, owner);
      await this.insert(source, copy, withViews, owner);
      const details = { name: source.displayName, copy: copy.id, copy_name: copy.displayName };
      await this.audit.recordBy(owner, 'dataset_copied', datasetId, details);
      return { copy, result: copy.id };
    });
  }

  private async insert(source: Dataset, copy: Dataset, withViews: boolean, owner: Principal): Promise<void> {
    await this.copies.insert(source, copy);
    await this.tagNames.replace(copy.id, await this.tagNames.list(source.id));
    await this.companions.always(source, copy, owner);
    if (withViews) await this.companions.views(source, copy, owner, new Map());
  }
}
