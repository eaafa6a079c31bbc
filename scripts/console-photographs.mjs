// The screenshots of the console with photographs, which are in the public domain.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './toolchain.mjs';

const NAME = 'Photographs';

const search = (text) =>
  encodeURIComponent(JSON.stringify([{ text: { op: 'semantic', value: text, threshold: 0.2 } }]));

/** Pages of a dataset of photographs, whose pictures are kept in more colours than those of drawings. */
export const PAGES_OF_PHOTOGRAPHS = {
  photographs: { path: (id) => `/datasets/${id}/explore?level=4` },
  'photographs-map': { path: (id) => `/datasets/${id}/map?colour=none` },
  'photographs-search': { path: (id) => `/datasets/${id}/explore?vql=${search('flowers')}` },
};

/** The id of the dataset of photographs, which is created from their packages if it is missing. */
export async function photographs(url, readyDataset) {
  const isOurs = ({ display_name: name }) => name === NAME;
  const datasets = await fetch(`${url}/api/v1/datasets`).then((response) => response.json());
  if (!datasets.some(isOurs)) {
    const folder = execFileSync(join(root, 'bench', 'fetch-pictures'), ['free-photographs'], { encoding: 'utf8' });
    const body = new FormData();
    body.append('dataset_name', NAME);
    body.append('bucket_path', folder.trim().split('\n').at(-1));
    const response = await fetch(`${url}/api/v1/dataset`, { method: 'POST', body });
    if (!response.ok) throw new Error(`The photographs were not indexed: ${await response.text()}`);
  }
  return readyDataset(url, isOurs);
}
