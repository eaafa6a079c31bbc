import type { NearPairs } from '../../src/common/engine/media-table/edges-file';
import type { MediaRow } from '../../src/common/engine/media-table/media-row';
import type { TextEmbedding } from '../../src/common/engine/models/embedding';
import { collectionRow } from './collection-row';
import { nestedClusters } from './media-collection';
import { Random } from '../../test/support/random';

const BATCH = 8_192;
/** The interval in rows at which families of near duplicates begin. */
const FAMILY_EVERY = 20;
const FAMILY = 4;
/** The largest change of a member relative to the first of its family; the cosine decreases from nearly 1 to about 0.9. */
const MAX_CHANGE = 0.5;

const THINGS = ['dog', 'car', 'tree', 'house', 'boat', 'bird', 'bridge', 'child', 'horse', 'tower'];
const COLOURS = ['brown', 'red', 'green', 'white', 'black', 'yellow', 'grey', 'blue', 'orange', 'silver'];
const PLACES = ['beach', 'street', 'forest', 'market', 'harbour', 'garden', 'station', 'mountain', 'river', 'square'];

export interface CollectionOptions {
  readonly rows: number;
  readonly dimension: number;
  readonly texts: TextEmbedding;
}

/** Two words that a tenth of the captions contain. */
export const commonWords = (n: number): string => `${COLOURS[n % 10]!} ${THINGS[n % 10]!}`;

export const captionOf = (row: number): string => {
  const hash = Math.imul(row, 0x9e3779b1) >>> 0;
  const kind = row % 10;
  const place = PLACES[(hash >>> 4) % 10]!;
  return `a ${COLOURS[kind]!} ${THINGS[kind]!} near the ${place}, picture ${(hash >>> 8) % 5000} of a ${PLACES[(hash >>> 20) % 10]!}`;
};

const normalised = (vector: Float32Array): Float32Array => {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const scale = 1 / Math.sqrt(sum);
  return vector.map((value) => value * scale);
};

/** A large collection whose vectors form clusters, with families of near duplicates whose pairs are all known. */
export class CaptionedCollection {
  private readonly first: number[] = [];
  private readonly second: number[] = [];
  private readonly cosine: number[] = [];
  private readonly random = new Random(17);
  private readonly noise: Float32Array;
  private readonly clusters: readonly Int32Array[];

  constructor(private readonly options: CollectionOptions) {
    const { rows, dimension } = options;
    this.clusters = nestedClusters(rows, this.random);
    this.noise = Float32Array.from({ length: 1 << 20 }, () => this.random.normal() / Math.sqrt(dimension));
  }

  /** Only complete after all batches were made. */
  nearPairs(): NearPairs {
    return {
      first: Int32Array.from(this.first),
      second: Int32Array.from(this.second),
      cosine: Float32Array.from(this.cosine),
    };
  }

  async *batches(): AsyncGenerator<MediaRow[]> {
    let family: Float32Array[] = [];
    for (let start = 0; start < this.options.rows; start += BATCH) {
      const count = Math.min(BATCH, this.options.rows - start);
      const captions = Array.from({ length: count }, (_, i) => captionOf(start + i));
      const meanings = await this.options.texts.embed(captions);
      const rows: MediaRow[] = [];
      for (let i = 0; i < count; i++) {
        const row = start + i;
        const inFamily = row % FAMILY_EVERY;
        if (inFamily === 0) family = [];
        const vector = inFamily > 0 && inFamily < FAMILY ? this.copyOf(family[0]!) : this.vectorOf(row);
        if (inFamily < FAMILY) this.join(row, vector, family);
        rows.push(
          collectionRow(row, this.clusters, this.random, {
            caption: captions[i]!,
            embedding: vector,
            captionEmbedding: meanings[i]!,
          }),
        );
      }
      yield rows;
    }
  }

  private vectorOf(row: number): Float32Array {
    const { dimension } = this.options;
    const centre = this.stretch(Math.imul(this.clusters[3]![row]!, 0x85ebca6b));
    const own = this.stretch(this.random.integer(1 << 20));
    const vector = new Float32Array(dimension);
    for (let i = 0; i < dimension; i++) vector[i] = 0.6 * centre[i]! + 0.8 * own[i]!;
    return normalised(vector);
  }

  private copyOf(vector: Float32Array): Float32Array {
    const change = this.random.next() * MAX_CHANGE;
    const own = this.stretch(this.random.integer(1 << 20));
    return normalised(vector.map((value, i) => value + change * own[i]!));
  }

  private stretch(seed: number): Float32Array {
    const from = (seed >>> 0) % (this.noise.length - this.options.dimension);
    return this.noise.subarray(from, from + this.options.dimension);
  }

  private join(row: number, vector: Float32Array, family: Float32Array[]): void {
    for (const [i, other] of family.entries()) {
      let dot = 0;
      for (let at = 0; at < vector.length; at++) dot += vector[at]! * other[at]!;
      if (dot < 0.8) continue;
      this.first.push(row - family.length + i);
      this.second.push(row);
      this.cosine.push(dot);
    }
    family.push(vector);
  }
}
