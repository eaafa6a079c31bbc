import { hash } from 'node:crypto';

/** A file as a table or a source tells of it. */
export interface FileState {
  readonly source: string;
  readonly version: string | null;
  readonly size: number;
}

export interface KnownFile extends FileState {
  readonly ordinal: number;
  /** Whether it is missed once the source no longer has it. */
  readonly isOfSource: boolean;
}

const NO_VERSION = 0n;
const FREE = -1;

const digestOf = (text: string): bigint => hash('sha256', text, 'buffer').readBigUInt64LE(0) || 1n;

/** The files of a table by where they lie, 64 bits of each location: about 45 bytes a file. */
export class KnownSources {
  private readonly digests: BigUint64Array;
  private readonly versions: BigUint64Array;
  private readonly sizes: Float64Array;
  private readonly ordinals: Int32Array;
  /** Files that are not missed, or that were seen in the source. */
  private readonly settled: Uint8Array;
  private readonly places: Int32Array;
  private count = 0;

  constructor(files: number) {
    this.digests = new BigUint64Array(files);
    this.versions = new BigUint64Array(files);
    this.sizes = new Float64Array(files);
    this.ordinals = new Int32Array(files);
    this.settled = new Uint8Array(files);
    this.places = new Int32Array(2 ** Math.ceil(Math.log2(2 * files + 2))).fill(FREE);
  }

  add({ source, version, size, ordinal, isOfSource }: KnownFile): void {
    const entry = this.count++;
    const digest = digestOf(source);
    this.digests[entry] = digest;
    this.versions[entry] = version === null ? NO_VERSION : digestOf(version);
    this.sizes[entry] = size;
    this.ordinals[entry] = ordinal;
    this.settled[entry] = isOfSource ? 0 : 1;
    let at = this.firstPlace(digest);
    while (this.places[at] !== FREE) at = this.next(at);
    this.places[at] = entry;
  }

  has(source: string): boolean {
    return this.entriesOf(source).length > 0;
  }

  /** `changed` means that it may have: only its bytes tell. Where no version is known, the size decides. */
  meet({ source, version, size }: FileState): 'new' | 'changed' | 'same' {
    const entries = this.entriesOf(source);
    if (entries.length === 0) return 'new';
    const asked = version === null ? NO_VERSION : digestOf(version);
    let isSame = false;
    for (const entry of entries) {
      this.settled[entry] = 1;
      const known = this.versions[entry]!;
      isSame ||= known === NO_VERSION || asked === NO_VERSION ? this.sizes[entry] === size : known === asked;
    }
    return isSame ? 'same' : 'changed';
  }

  /** It is there, and that is all that can be said. */
  settle(source: string): void {
    for (const entry of this.entriesOf(source)) this.settled[entry] = 1;
  }

  /** Ordinals of the files that were not met, ascending. */
  missed(): Int32Array {
    const missed = this.ordinals.subarray(0, this.count).filter((_, entry) => this.settled[entry] === 0);
    return missed.sort();
  }

  private entriesOf(source: string): number[] {
    const digest = digestOf(source);
    const entries: number[] = [];
    for (let at = this.firstPlace(digest); this.places[at] !== FREE; at = this.next(at)) {
      const entry = this.places[at]!;
      if (this.digests[entry] === digest) entries.push(entry);
    }
    return entries;
  }

  private firstPlace(digest: bigint): number {
    return Number(digest & 0xffff_ffffn) & (this.places.length - 1);
  }

  private next(place: number): number {
    return (place + 1) & (this.places.length - 1);
  }
}
