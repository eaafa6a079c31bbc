import type { ApiClient } from '../support/api-client';
import { datasetPath, pick, request, type Situation, type StepMaker } from './history-step';

/** The label that each source gives to pictures, by path. */
export type Said = ReadonlyMap<string, ReadonlyMap<string, string>>;

interface Listed {
  readonly id: string;
  readonly source: string;
  readonly file_path: string;
  readonly label: string;
}

interface Page {
  readonly annotations: readonly Listed[];
  readonly next_cursor: string | null;
}

const SOURCES: readonly string[] = ['ground_truth', 'detector-a', 'annotator-2'];
/** Of the only annotation of a source in a picture. */
const ID = '1';
const SHARE_ANNOTATED = 0.4;

/** The label begins like this. */
export const SAID = 'said-';

const anyPaths = ({ state }: Situation): string[] =>
  [...state.media.keys()].filter(() => Math.random() < SHARE_ANNOTATED);

function withLabels(said: Said, source: string, change: (labels: Map<string, string>) => void): Said {
  const labels = new Map(said.get(source));
  change(labels);
  return new Map(said).set(source, labels);
}

/** Changes annotations of a source. */
export const annotate: StepMaker = (situation) => {
  const { id, state, number } = situation;
  const paths = anyPaths(situation);
  if (paths.length === 0) return undefined;
  const [source, mode] = [pick(SOURCES), pick(['merge', 'merge', 'replace', 'delete'])];
  const label = `${SAID}${number}`;
  const said = withLabels(state.said, source, (labels) => {
    for (const path of paths) {
      if (mode === 'delete') labels.delete(path);
      else labels.set(path, label);
    }
  });
  const annotations = paths.map((path) => ({ file_name: path, id: ID, ...(mode !== 'delete' && { label }) }));
  return request(`${mode} annotations`, { ...state, said }, (api) =>
    api.must(200, 'POST', datasetPath(id, '/annotations'), { source, mode, annotations }),
  );
};

/** Reads a file into a source. */
export const importAnnotations: StepMaker = (situation) => {
  const { id, state, number } = situation;
  const paths = anyPaths(situation);
  if (paths.length === 0) return undefined;
  const [source, mode] = [pick(SOURCES), pick(['merge', 'replace'])];
  const label = `${SAID}${number}`;
  const said = withLabels(state.said, source, (labels) => {
    if (mode === 'replace') labels.clear();
    for (const path of paths) labels.set(path, label);
  });
  const form = new FormData();
  for (const [name, value] of Object.entries({ source, mode, format: 'table' })) form.set(name, value);
  const lines = paths.map((path) => `${path},${ID},${label}\n`);
  form.append('files', new Blob([`filename,id,label\n${lines.join('')}`]), 'said.csv');
  return request(`import to ${mode} annotations`, { ...state, said }, (api) =>
    api.must(202, 'POST', datasetPath(id, '/annotations/files'), form),
  );
};

/** In the current state of a dataset, or in that of a snapshot. */
export async function observeSaid(api: ApiClient, dataset: string, snapshot?: string): Promise<Said> {
  const said = new Map<string, Map<string, string>>();
  const query = `limit=1000${snapshot === undefined ? '' : `&snapshot_id=${snapshot}`}`;
  for (let cursor: string | null = ''; cursor !== null;) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: Page = await api.must(200, 'GET', datasetPath(dataset, `/annotations?${query}${from}`));
    for (const { id, source, file_path: path, label } of page.annotations) {
      if (!SOURCES.includes(source)) continue;
      const labels = said.get(source) ?? new Map<string, string>();
      expect({ source, path, id, isTwice: labels.has(path) }).toEqual({ source, path, id: ID, isTwice: false });
      said.set(source, labels.set(path, label));
    }
    cursor = page.next_cursor;
  }
  return said;
}

export const saidText = (said: Said): string =>
  [...said]
    .flatMap(([source, labels]) => Array.from(labels, ([path, label]) => `${source} ${path}=${label}`))
    .sort()
    .join(', ');
