import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../../../test/support/random';
import { SpooledVectors } from './spooled-vectors';

const ROWS = 3_000;
const DIMENSION = 3;

describe('spooled vectors', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spooled-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('are returned in the order of the rows, whatever the order of writing, and leave no file', async () => {
    const random = new Random(7);
    const shuffled = Array.from({ length: ROWS }, (_, row) => ({
      row,
      at: row < 900 ? row : 900 + random.next() * ROWS,
    }))
      .sort((a, b) => a.at - b.at)
      .map(({ row }) => row);
    // Every seventh row has no vector.
    const places = Int32Array.from(shuffled, (row) => (row % 7 === 6 ? -1 : row));
    const spooled = await SpooledVectors.create(join(folder, 'spool'), ROWS, DIMENSION);
    try {
      for (let first = 0; first < ROWS; first += 500) {
        const block = places.subarray(first, first + 500);
        for (const place of block) if (place >= 0) spooled.mark(place);
        await spooled.write(
          { vectors: Float32Array.from(shuffled.slice(first, first + 500).flatMap(vectorOf)) },
          block,
        );
      }
      expect(await readdir(join(folder, 'spool'))).toEqual([]);
      for (let times = 0; times < 2; times++) {
        const found: (number[] | null)[] = [];
        for await (const { embedding } of spooled.addedTo(rows())) found.push(embedding && [...embedding]);
        expect(found).toEqual(Array.from({ length: ROWS }, (_, row) => (row % 7 === 6 ? null : vectorOf(row))));
      }
    } finally {
      await spooled.close();
    }
  });
});

const vectorOf = (row: number): number[] => [row, row + 0.5, -row];

async function* rows(): AsyncGenerator<{ id: number }> {
  for (let id = 0; id < ROWS; id++) yield await Promise.resolve({ id });
}
