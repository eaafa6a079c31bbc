import pMap from 'p-map';
import type { ObjectStore } from '../../../platform/storage/object-store';

const AT_ONCE = 4;

export interface Pieces {
  readonly keyOf: (piece: number) => string;
  /** The total size, and the size of each piece but the last. */
  readonly bytes: number;
  readonly pieceBytes: number;
  readonly take: (bytes: Uint8Array, piece: number) => void;
}

/** An object stored in pieces, each of which is fetched on first use. */
export class FetchedPieces {
  private readonly isThere: Uint8Array;

  constructor(
    private readonly store: ObjectStore,
    private readonly pieces: Pieces,
  ) {
    this.isThere = new Uint8Array(Math.ceil(pieces.bytes / pieces.pieceBytes));
  }

  /** The number of bytes that have been fetched. */
  get fetched(): number {
    return this.isThere.reduce((sum, there) => sum + there, 0) * this.pieces.pieceBytes;
  }

  /** Fetches the pieces that contain these ranges of bytes; ends are exclusive. */
  async need(ranges: Iterable<readonly [from: number, to: number]>): Promise<void> {
    const missing = new Set<number>();
    for (const [from, to] of ranges)
      for (let piece = this.pieceAt(from); to > from && piece <= this.pieceAt(to - 1); piece++)
        if (this.isThere[piece] === 0) missing.add(piece);
    await pMap(missing, (piece) => this.fetch(piece), { concurrency: AT_ONCE });
  }

  private pieceAt(byte: number): number {
    return Math.floor(byte / this.pieces.pieceBytes);
  }

  private async fetch(piece: number): Promise<void> {
    const { keyOf, bytes: total, pieceBytes, take } = this.pieces;
    const key = keyOf(piece);
    const bytes = await this.store.read(key);
    const expected = Math.min(pieceBytes, total - piece * pieceBytes);
    if (bytes.length !== expected)
      throw new Error(`The object ${key} has ${bytes.length} bytes instead of ${expected}`);
    take(bytes, piece);
    this.isThere[piece] = 1;
  }
}
