import { Inject, Injectable } from '@nestjs/common';
import { Interval, Timeout } from '@nestjs/schedule';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import type { TableVersion } from '../../../common/engine/media-table/table-version';
import type { DatasetPointer } from '../../datasets';
import { findWithId, type EntityType } from '../../versions';
import { MediaNotFoundError } from '../query/domain/search-query';
import { AnchorNotFoundError, ModelMismatchError } from './domain/anchor';
import { SearchAnchorRepository } from './persistence/search-anchor.repository';
import { FIRST_SWEEP_MS, Sweeps, type Sweep } from '../../../common/platform/database/sweeps';

const HOUR_MS = 60 * 60 * 1000;

/** Deletes expired anchors. */
@Injectable()
export class AnchorSweep implements Sweep {
  constructor(
    private readonly sweeps: Sweeps,
    private readonly anchors: SearchAnchorRepository,
  ) {}

  @Timeout(FIRST_SWEEP_MS)
  soon(): Promise<void> {
    return this.hourly();
  }

  @Interval(HOUR_MS)
  hourly(): Promise<void> {
    return this.sweeps.run('anchors', this);
  }

  sweep(now: Date): Promise<number> {
    return this.anchors.deleteExpired(now);
  }
}

export interface AnchorName {
  readonly anchorId: string;
  readonly anchorType: 'UPLOAD' | 'MEDIA';
  /** The entities to search for; both types of anchors can search for all of them. */
  readonly entityType: EntityType;
}

export interface AnchorVector {
  readonly vector: Float32Array;
  /** The row of the anchor, if it is in the dataset. */
  readonly self: number | null;
}

/** Reads the vector that a visual search starts from. */
@Injectable()
export class AnchorReader {
  constructor(
    private readonly tables: MediaTableStore,
    @Inject(SearchAnchorRepository) private readonly anchors: Pick<SearchAnchorRepository, 'findLive'>,
  ) {}

  vectorOf(datasetId: string, pointer: DatasetPointer, { anchorId, anchorType }: AnchorName): Promise<AnchorVector> {
    return anchorType === 'UPLOAD' ? this.ofUpload(datasetId, pointer, anchorId) : this.ofMedia(pointer, anchorId);
  }

  private async ofUpload(datasetId: string, { modelId }: DatasetPointer, id: string): Promise<AnchorVector> {
    const anchor = await this.anchors.findLive(datasetId, id, new Date());
    if (anchor === undefined) throw new AnchorNotFoundError();
    if (anchor.modelId !== modelId) throw new ModelMismatchError(anchor.modelId, modelId);
    return { vector: anchor.embedding, self: null };
  }

  private async ofMedia(at: TableVersion, id: string): Promise<AnchorVector> {
    const found = await findWithId(await this.tables.open(at), id, ['embedding']);
    // Videos have no vector; their frames do.
    if (!found?.row.embedding) throw new MediaNotFoundError();
    return { vector: found.row.embedding, self: found.ordinal };
  }
}
