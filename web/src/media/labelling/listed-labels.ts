import { answered, service } from '../../api/client';
import type { ListedLabel } from './label-changes';

/** Of the API, for a list. */
const MOST_MEDIA = 100;
const MOST_LISTED = 1_000;

interface AskedLabels {
  readonly source: string;
  readonly label?: string;
}

/** What a source says about many media. */
export async function labelsOf(
  datasetId: string,
  mediaIds: readonly string[],
  asked: AskedLabels,
): Promise<readonly ListedLabel[]> {
  const lists = Array.from({ length: Math.ceil(mediaIds.length / MOST_MEDIA) }, (_, at) =>
    listed(datasetId, {
      ...asked,
      media_id: mediaIds.slice(at * MOST_MEDIA, (at + 1) * MOST_MEDIA).join(),
      limit: MOST_LISTED,
    }),
  );
  return (await Promise.all(lists)).flat();
}

async function listed(
  datasetId: string,
  asked: AskedLabels & { readonly media_id: string; readonly limit: number },
): Promise<readonly ListedLabel[]> {
  const all: ListedLabel[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { ...asked, ...(cursor !== undefined && { cursor }) };
    const params = { path: { dataset_id: datasetId }, query };
    const page = await answered(service.api.GET('/api/v1/dataset/{dataset_id}/annotations', { params }));
    for (const each of page.annotations) all.push(each);
    cursor = page.next_cursor;
  }
  return all;
}
