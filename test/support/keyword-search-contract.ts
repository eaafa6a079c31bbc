import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { KeywordQuery } from '../../src/common/engine/media-table/caption-index';
import type { MediaTable } from '../../src/common/engine/media-table/media-table';
import type { MediaTableStore } from '../../src/common/engine/media-table/media-table-store';
import { DIMENSIONS, inBatches, mediaRow, mediaRows, unitVector } from './media-rows';

const word = (text: string): KeywordQuery => ({ kind: 'word', word: text });
const phrase = (text: string): KeywordQuery => ({ kind: 'phrase', words: text });
const and = (...parts: KeywordQuery[]): KeywordQuery => ({ kind: 'and', parts });
const or = (...parts: KeywordQuery[]): KeywordQuery => ({ kind: 'or', parts });
const not = (part: KeywordQuery): KeywordQuery => ({ kind: 'not', part });

const CAPTIONS = [
  'A dog running on the beach',
  'two dogs, a run along the shore',
  'Cat and dog on a sofa',
  null,
  'a red-car parked near the house',
  'the house of a red painter and a car',
  'Café crème on the Straße',
  '犬が走る',
  '東京都の犬',
  'Привет мир',
  `it's "quoted" \\ 50% off; don't`,
  '',
  'state-of-the-art file_name.jpg',
  'the of and to',
  'the beach on which a dog is running',
];

/** Keyword search in captions, for every place of the table. */
export function describeKeywordSearch(where: string, store: () => MediaTableStore): void {
  type Captions = readonly (string | null)[];
  const rowsOf = (captions: Captions) => captions.map((caption, i) => mediaRow(i, { caption }));
  const create = async (captions: Captions): Promise<MediaTable> =>
    store().open(await store().create(randomUUID(), DIMENSIONS, inBatches(rowsOf(captions), 4)));
  /** Writes a third at once, and the others after the index was created. */
  const grow = async (captions: Captions): Promise<MediaTable> => {
    const [first, ...others] = inBatches(rowsOf(captions), Math.ceil(captions.length / 3));
    let at = await store().create(randomUUID(), DIMENSIONS, [first!]);
    for (const rows of others) at = await store().append(at, [rows]);
    return store().open(at);
  };
  /** Adds so many rows that the index is recreated. */
  const renew = async (captions: Captions): Promise<MediaTable> => {
    const { at } = await grow(captions);
    const others = Array.from({ length: 500 }, (_, i) => mediaRow(captions.length + i, { caption: 'unasked' }));
    return store().open(await store().append(at, inBatches(others, 250)));
  };
  const ordinalsIn = async (table: MediaTable, query: KeywordQuery): Promise<number[]> => {
    const { rows, ranks } = await table.keywordHits(query);
    expect(ranks).toHaveLength(table.rows);
    expect([...ranks.keys()].filter((ordinal) => ranks[ordinal]! < 0 !== rows.has(ordinal))).toEqual([]);
    return [...rows.toArray()];
  };

  describe.each([
    ['written at once', create],
    ['grown', grow],
    ['grown and indexed anew', renew],
  ])(`keywords on ${where}, %s`, (_, make) => {
    let table: MediaTable;
    const found = (query: KeywordQuery): Promise<number[]> => ordinalsIn(table, query);

    beforeAll(async () => {
      table = await make(CAPTIONS);
    });

    it.each<[string, KeywordQuery, number[]]>([
      ['a word', word('sofa'), [2]],
      ['a word in any form', word('running'), [0, 1, 14]],
      ['a word in any case', word('DOGS'), [0, 1, 2, 14]],
      ['a word without its accents', word('cafe'), [6]],
      ['a word with more accents', word('CÀFÉ'), [6]],
      ['a word of another script', word('привет'), [9]],
      ['a word of a script without spaces', word('犬'), [7, 8]],
      ['a word of two parts, both', word('red-car'), [4, 5]],
      ['a word that is a name', word('file_name.jpg'), [12]],
      ['both words', and(word('dog'), word('beach')), [0, 14]],
      ['either word', or(word('sofa'), word('beach')), [0, 2, 14]],
      ['a phrase', phrase('red car'), [4]],
      ['a phrase, not its words in another order', phrase('beach running'), []],
      ['a phrase in any form of its words', phrase('dogs run'), [0]],
      ['a phrase with stop words', phrase('running on the beach'), [0]],
      ['a phrase that begins with stop words', phrase('the beach'), [0, 14]],
      ['a phrase of one word', phrase('sofa'), [2]],
      ['what is not excluded', and(word('dog'), not(word('beach'))), [1, 2]],
      ['what no excluded phrase is in', and(word('car'), not(phrase('red car'))), [5]],
      ['groups', and(word('dog'), or(word('sofa'), phrase('running on the beach'))), [0, 2]],
      ['an exclusion in a group', or(word('house'), and(word('dog'), not(word('beach')))), [1, 2, 4, 5]],
      ['what lacks a group', and(word('dog'), not(and(word('run'), word('beach')))), [1, 2]],
      ['what lacks each of several', and(word('dog'), not(word('sofa')), not(word('shore'))), [0, 14]],
      ['nothing for a word that is not there', word('elephant'), []],
    ])('find %s', async (_, query, ordinals) => {
      expect(await found(query)).toEqual(ordinals);
    });

    it('ignore stop words', async () => {
      expect(await found(word('the'))).toEqual([]);
      expect(await found(and(word('dog'), word('the'), word('beach')))).toEqual([0, 14]);
      expect(await found(and(word('dog'), not(word('the'))))).toEqual([0, 1, 2, 14]);
      expect(await found(or(word('and'), word('sofa')))).toEqual([2]);
      expect(await found(phrase('of the'))).toEqual([]);
      expect(await found(and(word("it's"), word('quoted')))).toEqual([10]);
      expect(await found(word("dog's"))).toEqual([0, 1, 2, 14]);
    });

    it('do not interpret special characters', async () => {
      for (const text of ['50%', '"quoted"', 'quoted\\', 'quoted*', '(quoted)', 'quoted:50^', "quoted' OR quoted --"])
        expect(await found(word(text))).toEqual([10]);
      for (const text of ['', ' ', '%', '"', '\\', "'", '\u0000', '…', '*', "' OR 1=1 --", 'caption:*'])
        expect(await found(word(text))).toEqual([]);
    });

    it('return no results if all words are excluded', async () => {
      expect(await found(not(word('dog')))).toEqual([]);
      expect(await found(and(not(word('dog')), not(word('cat'))))).toEqual([]);
      expect(await found(and())).toEqual([]);
    });

    it('accept any query', async () => {
      const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('dog', 'the', "it's", '犬'));
      const query = fc.letrec<{ query: KeywordQuery }>((tie) => ({
        query: fc.oneof(
          { maxDepth: 4, withCrossShrink: true },
          text.map(word),
          text.map(phrase),
          fc.array(tie('query'), { maxLength: 3 }).map((parts) => and(...parts)),
          fc.array(tie('query'), { maxLength: 3 }).map((parts) => or(...parts)),
          tie('query').map(not),
        ),
      })).query;
      await fc.assert(
        fc.asyncProperty(query, async (asked) => {
          const ordinals = await found(asked);
          expect(ordinals).toEqual([...new Set(ordinals)].sort((a, b) => a - b));
        }),
        { numRuns: 130 },
      );
    });

    it('accept a word and a phrase of a megabyte', async () => {
      expect(await found(word('x'.repeat(2 ** 20)))).toEqual([]);
      expect(await found(word('dog-'.repeat(2 ** 18)))).toEqual([0, 1, 2, 14]);
      expect(await found(phrase('dog '.repeat(2 ** 18)))).toEqual([]);
    });

    it('rank the rarer word and the shorter caption higher', async () => {
      const { ranks } = await table.keywordHits(or(word('dog'), word('sofa')));
      expect(ranks.indexOf(Math.min(...ranks))).toBe(2);
    });

    it('find nothing in a table without captions', async () => {
      const plain = await store().open(await store().create(randomUUID(), DIMENSIONS, [mediaRows(5)]));
      expect((await plain.keywordHits(word('dog'))).rows.size).toBe(0);
    });

    it('find appended rows, also in a table without captions and in a fork', async () => {
      const first = await store().create(randomUUID(), DIMENSIONS, [mediaRows(5)]);
      const second = await store().append(first, [[mediaRow(5, { caption: 'two dogs' })]]);
      const third = await store().append(second, [[mediaRow(6, { caption: 'a dog' }), mediaRow(7)]]);
      expect(await ordinalsIn(await store().open(second), word('dog'))).toEqual([5]);
      expect(await ordinalsIn(await store().open(third), word('dog'))).toEqual([5, 6]);
      const fork = await store().open(await store().fork(second, randomUUID()));
      expect(await ordinalsIn(fork, word('dog'))).toEqual([5]);
      expect(await ordinalsIn(await store().open(second), word('dog'))).toEqual([5]);
    });
  });

  describe.each([
    ['written at once', create],
    ['grown', grow],
    ['grown and indexed anew', renew],
  ])(`excluded keywords on ${where}, %s`, (_, make) => {
    /** Each cat is on a tree: without trees no cat is left in any third of the rows. */
    const THIRD = ['dog', 'dog and cat on a tree', 'dog, cat, car and tree', 'dog and car', 'cat, tree', 'car', 'sky'];
    const [dog, cat, car] = [word('dog'), word('cat'), word('car')];
    const [sky, tree] = [word('sky'), word('tree')];
    const catOffTree = and(cat, not(tree));
    let table: MediaTable;

    beforeAll(async () => {
      table = await make([...THIRD, ...THIRD, ...THIRD]);
    });

    it.each<[string, KeywordQuery, number[]]>([
      ['alone', catOffTree, []],
      ['in a side of OR', or(sky, catOffTree), [6]],
      ['in a group', and(dog, or(sky, catOffTree)), []],
      ['in a group of which a side is left', and(dog, or(car, catOffTree)), [2, 3]],
      ['in an exclusion', and(dog, not(catOffTree)), [0, 1, 2, 3]],
      ['in an exclusion, of a word itself', and(dog, not(and(cat, not(cat))), not(car)), [0, 1]],
      ['in an exclusion in an exclusion', and(dog, not(and(cat, not(and(tree, not(tree)))))), [0, 3]],
      ['in a group in an exclusion', and(dog, not(or(catOffTree, and(car, not(tree))))), [0, 1, 2]],
      ['beside what finds nothing', and(dog, word('the'), or(word('the'), and(car, not(cat)))), [3]],
    ])('hold %s', async (_, query, ordinals) => {
      const thirds = [0, 1, 2].flatMap((third) => ordinals.map((ordinal) => third * THIRD.length + ordinal));
      expect(await ordinalsIn(table, query)).toEqual(thirds);
    });

    it('rank only by the parts that can match', async () => {
      const simple = await table.keywordHits(and(dog, car));
      const nested = await table.keywordHits(and(dog, or(car, catOffTree)));
      nested.ranks.forEach((rank, ordinal) => expect(rank).toBeCloseTo(simple.ranks[ordinal]!, 5));
    });
  });

  describe.each([
    ['written at once', create],
    ['grown', grow],
    ['grown and indexed anew', renew],
  ])(`any keywords on ${where}, %s`, (_, make) => {
    const VOCABULARY = ['dog', 'cat', 'car', 'house', 'tree'];
    const captions = fc.sample(
      fc.array(fc.constantFrom(...VOCABULARY, 'sky', 'rock'), { maxLength: 6 }).map((words) => words.join(' ')),
      { seed: 11, numRuns: 300 },
    );

    /** Undefined if the query has no words. */
    function expected(query: KeywordQuery): ReadonlySet<number> | undefined {
      const holding = (part: string): Set<number> =>
        new Set(captions.flatMap((caption, i) => (` ${caption} `.includes(` ${part} `) ? [i] : [])));
      switch (query.kind) {
        case 'word':
          return holding(query.word);
        case 'phrase':
          return holding(query.words);
        case 'not':
          return undefined;
        case 'or': {
          const sides = query.parts.map(expected).filter((part) => part !== undefined);
          return sides.length === 0 ? undefined : new Set(sides.flatMap((side) => [...side]));
        }
        case 'and': {
          const wanted = query.parts.map(expected).filter((part) => part !== undefined);
          const unwanted = query.parts.flatMap((part) => (part.kind === 'not' ? (expected(part.part) ?? []) : []));
          if (wanted.length === 0) return undefined;
          const all = [...wanted[0]!].filter((i) => wanted.every((part) => part.has(i)));
          return new Set(all.filter((i) => !unwanted.some((part) => new Set(part).has(i))));
        }
      }
    }

    it('find exactly the captions that contain them', async () => {
      const table = await make(captions);
      const term = fc.constantFrom(...VOCABULARY);
      const query = fc.letrec<{ query: KeywordQuery }>((tie) => ({
        query: fc.oneof(
          { maxDepth: 4 },
          term.map(word),
          fc.tuple(term, term).map((words) => phrase(words.join(' '))),
          fc.array(tie('query'), { minLength: 1, maxLength: 3 }).map((parts) => and(...parts)),
          fc.array(tie('query'), { minLength: 1, maxLength: 3 }).map((parts) => or(...parts)),
          tie('query').map(not),
        ),
      })).query;
      await fc.assert(
        fc.asyncProperty(query, async (asked) => {
          expect(await ordinalsIn(table, asked)).toEqual([...(expected(asked) ?? [])].sort((a, b) => a - b));
        }),
        { numRuns: 270 },
      );
    });
  });

  describe(`caption embeddings on ${where}`, () => {
    it('are read as they were written, as zeros if missing, also from a fork', async () => {
      const rows = Array.from({ length: 40 }, (_, i) =>
        mediaRow(i, {
          embedding: i % 5 === 0 ? null : unitVector(i),
          captionEmbedding: i % 3 === 0 ? unitVector(i, DIMENSIONS.captionEmbedding) : null,
        }),
      );
      const at = await store().create(randomUUID(), DIMENSIONS, inBatches(rows, 7));
      for (const version of [at, await store().fork(at, randomUUID())]) {
        const table = await store().open(version);
        expect(table.dimensions).toEqual(DIMENSIONS);
        const columns = ['embedding', 'caption_embedding'] as const;
        const read: Record<(typeof columns)[number], number[]> = { embedding: [], caption_embedding: [] };
        for await (const slice of table.readColumns(columns))
          for (const name of columns) read[name].push(...(slice.columns[name] as Float32Array));
        expect(read.embedding).toEqual(rows.flatMap((row) => [...(row.embedding ?? new Float32Array(8))]));
        expect(read.caption_embedding).toEqual(
          rows.flatMap((row) => [...(row.captionEmbedding ?? new Float32Array(DIMENSIONS.captionEmbedding))]),
        );
        expect(await table.takeRows([3, 4], ['captionEmbedding'])).toEqual([
          { captionEmbedding: rows[3]!.captionEmbedding },
          { captionEmbedding: null },
        ]);
      }
    });
  });
}
