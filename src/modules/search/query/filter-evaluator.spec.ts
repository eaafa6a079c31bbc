import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  anyFilter,
  plainFilters,
  FILTERABLE_ROWS,
  filterableDataset,
  FOUND_BY_EVALUATIONS,
  FilterableEncoder,
  LABEL_HIERARCHY,
  pictureVectorOf,
  madeRow,
  SIMILARITY_TEXTS,
  type FilterableDataset,
} from '../../../../test/support/filterable-dataset';
import { CallerGoneError, whileCallerWaits } from '../../../common/platform/concurrency/caller-gone';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import type { OpenedVersion } from '../../versions';
import { withFound } from './domain/evaluation-filters';
import { RANGES, type Filter, type RangeMeasure, type SetOp } from './domain/filter';
import { FilterEvaluator } from './filter-evaluator';

/** The number of runs; set another one with `FUZZ_RUNS=10000 npm test -- filter-evaluator`. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 150);
const MS_A_RUN = 400;
const rangeOf = (field: RangeMeasure): fc.Arbitrary<Filter> =>
  plainFilters.range.filter((filter) => filter.kind === 'range' && filter.field === field);
const SAMPLES = { seed: 1, numRuns: 30 };

const meaning: Filter = { kind: 'textSimilarity', by: 'meaning', text: SIMILARITY_TEXTS[0]! };
const nothing: Filter = { kind: 'labels', op: 'one_of', values: ['none'] };
const images: Filter = { kind: 'mediaType', kinds: ['IMAGE'] };

describe.each(['captions', 'captions and pictures'])(
  'filters of a dataset whose texts are compared with %s',
  (which) => {
    const folder = mkdtempSync(join(tmpdir(), 'filter-evaluator-'));
    let encoder: FilterableEncoder | undefined;
    let dataset: FilterableDataset;

    beforeAll(async () => {
      if (which === 'captions and pictures') encoder = await FilterableEncoder.start();
      dataset = await filterableDataset(folder, encoder);
    });

    afterAll(async () => {
      await encoder?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    async function opened<T>(work: (version: OpenedVersion) => Promise<T>): Promise<T> {
      using version = await dataset.search.versions.open(dataset.pointer);
      return await work(version);
    }

    async function passing(version: OpenedVersion, filters: readonly Filter[]): Promise<OrdinalSet> {
      const known = withFound(filters, FOUND_BY_EVALUATIONS);
      const passed = await new FilterEvaluator(version, 'IMAGES', LABEL_HIERARCHY).all(known);
      return passed ?? OrdinalSet.all(version.rows);
    }

    /** Evaluates each filter separately, without the candidates of the others. */
    async function composed(version: OpenedVersion, filter: Filter): Promise<OrdinalSet> {
      if (filter.kind === 'not') return (await composed(version, filter.filter)).complement();
      if (filter.kind !== 'and' && filter.kind !== 'or') return passing(version, [filter]);
      const sets: OrdinalSet[] = [];
      for (const part of filter.filters) sets.push(await composed(version, part));
      return sets.reduce((found, set) => (filter.kind === 'and' ? found.and(set) : found.or(set)));
    }

    it.each<[string, Filter]>([
      ['alone', meaning],
      ['in a side of or', { kind: 'or', filters: [meaning, nothing] }],
      ['in a group', { kind: 'and', filters: [meaning, images] }],
      ['in a group in a side of or', { kind: 'or', filters: [nothing, { kind: 'and', filters: [meaning, images] }] }],
      ['in not not', { kind: 'not', filter: { kind: 'not', filter: meaning } }],
    ])('match no row without a vector by a text without a threshold: %s', async (_, filter) => {
      const rows = await opened(async (version) => (await passing(version, [images, filter])).toArray());
      expect(rows.length).toBeGreaterThan(0);
      const isCompared = (row: number): boolean =>
        /[a-z]/.test(madeRow(row).caption ?? '') || (encoder !== undefined && pictureVectorOf(row) !== null);
      expect([...rows].filter((row) => !isCompared(row))).toEqual([]);
      const all = Array.from({ length: 50 }, (_, row) => row).filter(isCompared);
      expect([...rows]).toEqual(all);
    });

    it.each([
      ...Object.entries(plainFilters),
      ...Object.values(RANGES).map((field) => [`range of ${field}`, rangeOf(field)] as const),
    ])('of kind %s find some rows of the test dataset, and not all', async (_, any) => {
      const counts = await opened((version) =>
        Promise.all(fc.sample(any, SAMPLES).map(async (filter) => (await passing(version, [filter])).size)),
      );
      expect(counts.filter((count) => count > 0 && count < FILTERABLE_ROWS)).not.toEqual([]);
    });

    it.each<[string, SetOp, string[], (labels: readonly string[]) => boolean]>([
      ['a parent', 'one_of', ['ANIMAL'], (labels) => labels.some((label) => /^dog$/i.test(label))],
      ['a label without others below it', 'one_of', ['dog'], (labels) => labels.some((label) => /^dog$/i.test(label))],
      ['an unknown label', 'one_of', ["O'Clock"], (labels) => labels.includes("o'clock")],
      ['all of several', 'is', ['animal', "o'clock"], (labels) => labels.length > 1 && labels.includes("o'clock")],
      ['none of several', 'not_one_of', ['animal', "o'clock"], (labels) => labels.length === 0],
      ['no such label', 'one_of', ['anima'], () => false],
    ])('of labels with the narrower ones find %s', async (_, op, values, isFound) => {
      const filter: Filter = { kind: 'labels', op, values, withNarrower: true };
      const rows = await opened(async (version) => [...(await passing(version, [filter])).toArray()]);
      const expected = Array.from({ length: FILTERABLE_ROWS }, (_, row) => row);
      expect(rows).toEqual(expected.filter((row) => isFound(madeRow(row).labels ?? [])));
    });

    it('compute the duplicates of a similarity once', async () => {
      const similar: Filter = { kind: 'duplicates', similarity: 0.9 };
      const filters: Filter[] = [similar, { kind: 'not', filter: similar }, { kind: 'or', filters: [similar, images] }];
      await opened(async (version) => {
        const looked = jest.spyOn(version, 'duplicates');
        await passing(version, filters);
        expect(looked).toHaveBeenCalledTimes(1);
      });
    });

    it('stop when the request is aborted', async () => {
      let asked = 0;
      const filters = Array<Filter>(10).fill(images);
      await expect(
        whileCallerWaits(
          () => (asked += 1) > 3,
          () => opened((version) => passing(version, filters)),
        ),
      ).rejects.toThrow(CallerGoneError);
      expect(asked).toBe(4);
    });

    it(
      'match the same rows together as separately',
      () =>
        fc.assert(
          fc.asyncProperty(fc.array(anyFilter, { minLength: 1, maxLength: 3 }), (filters) =>
            opened(async (version) => {
              const together = (await passing(version, filters)).toArray();
              expect(together).toEqual((await composed(version, { kind: 'and', filters })).toArray());
            }),
          ),
          { numRuns: RUNS },
        ),
      RUNS * MS_A_RUN,
    );
  },
);
