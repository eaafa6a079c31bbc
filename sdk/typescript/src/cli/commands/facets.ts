import type { Dataset } from '../../dataset.js';
import type { Command } from '../command.js';
import type { Cell } from '../output.js';
import { FILTERS, queryOf } from './search.js';

type Facets = Awaited<ReturnType<Dataset['facets']>>;
type Row = readonly [facet: string, value: string, count: number];

/** The facets that the service filters by a text. */
const searchedRows = ({ labels, broader_labels: broader, tags, folders, custom_metadata: fields }: Facets): Row[] => [
  ...labels.map(({ value, count }): Row => ['label', value, count]),
  ...broader.map(({ value, count }): Row => ['broader label', value, count]),
  ...tags.map(({ name, count }): Row => ['tag', name, count]),
  ...folders.map(({ value, count }): Row => ['folder', value, count]),
  ...fields.flatMap(({ field_name: name, values }) =>
    (values ?? []).map(({ value, count }): Row => [name, value, count]),
  ),
];

const otherRows = ({ media_types: types, issues, unlabeled, untagged, custom_metadata: fields }: Facets): Row[] => [
  ...types.map(({ value, count }): Row => ['type', value, count]),
  ...issues.map(({ issue, count }): Row => ['issue', issue, count]),
  ['label', 'unlabeled', unlabeled],
  ['tag', 'untagged', untagged],
  ...fields.flatMap(({ field_name: name, values, min, max, count }): Row[] =>
    values === null ? [[name, `${min} to ${max}`, count]] : [],
  ),
];

export const facets: Command = {
  name: 'facets',
  operands: 'DATASET',
  summary: 'Count media by label, tag, issue, folder and custom field',
  details: 'Filters that match any of several values do not affect the counts of their own facet.',
  options: {
    search: {
      type: 'string',
      value: 'TEXT',
      help: 'Only labels, tags, folders and field values that contain this text.',
    },
    source: { type: 'string', value: 'NAME', help: 'Count the labels of the annotations of this source.' },
    ...FILTERS,
  },
  async run(run) {
    const dataset = await (await run.service()).findDataset(run.positionals[0]!);
    const search = run.text('search');
    const found = await dataset.facets(await queryOf(run, dataset), search, run.text('source'));
    const rows: readonly (readonly Cell[])[] = [
      ...(search === undefined ? otherRows(found) : []),
      ...searchedRows(found),
    ];
    run.answer(found, () =>
      run.table(
        ['FACET', 'VALUE', 'MEDIA'],
        rows.filter(([, , count]) => count !== 0),
      ),
    );
  },
};
