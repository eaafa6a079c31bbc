import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { SnapshotBefore } from '../snapshots';
import type { ChosenMedia } from './chosen-rows';
import { REMOVAL } from './jobs/keep-rows.job';
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
