import type { ExportInfo } from './export-info';
import type { MediaBatches } from './media-batches';
import { presentInfo, presentItem } from './metadata.presenter';

export async function* jsonMetadata(info: ExportInfo, items: MediaBatches): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"info":${JSON.stringify(presentInfo(info))},"media_items":[`);
  let isFirst = true;
  for await (const batch of items()) {
    const text = batch.map((item) => JSON.stringify(presentItem(item, info))).join(',');
    yield Buffer.from(isFirst ? text : `,${text}`);
    isFirst = false;
  }
  yield Buffer.from(']}');
}
