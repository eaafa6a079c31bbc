import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { DatasetReader, DatasetStatusError } from '../datasets';
import { csvLine } from '../../common/platform/text/lines';

const BATCH_ROWS = 4_096;

/** The media of a dataset as `filename,media_id`, without objects. */
@Injectable()
export class MediaIdList {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly tables: MediaTableStore,
  ) {}

  async open(datasetId: string): Promise<AsyncGenerator<Buffer>> {
    const { pointer, status } = await this.datasets.get(datasetId);
    if (status !== 'READY' || pointer === null) throw new DatasetStatusError('export', status, ['READY']);
    const table = await this.tables.open(pointer);
    return (async function* () {
      yield Buffer.from('filename,media_id\n');
      for await (const rows of table.readRows(['id', 'kind', 'path'], { batchRows: BATCH_ROWS })) {
        const media = rows.filter(({ kind }) => kind !== 'OBJECT');
        if (media.length > 0) yield Buffer.from(media.map(({ id, path }) => csvLine([path, id])).join(''));
        await setImmediate();
      }
    })();
  }
}
