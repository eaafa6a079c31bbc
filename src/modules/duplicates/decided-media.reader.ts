import { Injectable } from '@nestjs/common';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import type { DatasetPointer } from '../datasets';
import { inSlices } from '../../common/platform/concurrency/in-slices';
import { DuplicateReview } from './duplicate-review';

/** The media that go by the decisions in force, for operations that leave them out. */
@Injectable()
export class DecidedMediaReader {
  constructor(private readonly reviews: DuplicateReview) {}

  rowsThatGo(datasetId: string, pointer: DatasetPointer): Promise<OrdinalSet> {
    return this.reviews.useDecided(datasetId, pointer, async ({ version: { rows }, decided }) => {
      const going = OrdinalSet.none(rows);
      await inSlices(rows, (start, end) => {
        for (let row = start; row < end; row++) if (decided.isRemoved(row)) going.add(row);
      });
      return going;
    });
  }
}
