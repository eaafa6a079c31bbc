import { FAST } from '../../../common/engine/annotation-formats/annotation-format';
import type { ExportInfo, ArchiveFormat, MediaBatches } from './archive-format';
import { presentInfo, presentItem } from './metadata.presenter';

export const json: ArchiveFormat = {
  walks: 1,
  members: (info, items) => [{ name: 'metadata.json', stream: text(info, items), level: FAST }],
};

async function* text(info: ExportInfo, items: MediaBatches): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"info":${JSON.stringify(presentInfo(info))},"media_items":[`);
  let isFirst = true;
  for await (const batch of items()) {
    const text = batch.map((item) => JSON.stringify(presentItem(item, info))).join(',');
    yield Buffer.from(isFirst ? text : `,${text}`);
    isFirst = false;
  }
  yield Buffer.from(']}');
}
