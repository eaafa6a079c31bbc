import { Injectable } from '@nestjs/common';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import type { DatasetPointer } from '../datasets';
import { inSlices } from '../../common/platform/concurrency/in-slices';
import { VersionOpener } from '../versions';
import { DecidedRowsCache } from './decided-rows.cache';

/** The media that go by the decisions in force, for operations that leave them out. */
@Injectable()
export class DecidedMediaReader {
  constructor(
    private readonly versions: VersionOpener,
    private readonly decisions: DecidedRowsCache,
  ) {}

  async rowsThatGo(datasetId: string, pointer: DatasetPointer): Promise<OrdinalSet> {
    using version = await this.versions.open(pointer);
    const { decided } = await this.decisions.open(datasetId, version.table);
    const going = OrdinalSet.none(version.rows);
    await inSlices(version.rows, (start, end) => {
      for (let row = start; row < end; row++) if (decided.isRemoved(row)) going.add(row);
    });
    return going;
  }
}
