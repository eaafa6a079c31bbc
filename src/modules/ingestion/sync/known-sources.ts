import { type Digest, digestOf, Digests, NO_VERSION, removedIn } from '../../tables';

/** The state of a file in a table or a source. */
export interface FileState {
  readonly source: string;
  readonly version: string | null;
  readonly size: number;
}

export interface KnownFile extends FileState {
  readonly ordinal: number;
  /** Whether it belongs to the source and so can be missing from it. */
  readonly isOfSource: boolean;
}

const FREE = -1;
/** The ordinal of a file that a user removed from the table. */
const REMOVED = -1;

/**
 * The files of a table by location, and those that users removed from it, about 45 bytes each. Locations are compared by 64-bit hashes, whose
 * collision is very unlikely.
 */
export class KnownSources {
  private readonly sources: Digests;
  private readonly versions: Digests;
  private readonly sizes: Float64Array;
  private readonly ordinals: Int32Array;
  /** Files that were observed or do not belong to the source. */
  private readonly present: Uint8Array;
  private readonly places: Int32Array;
  private count = 0;
  private left = 0;

  constructor(files: number) {
    this.sources = new Digests(files);
    this.versions = new Digests(files);
    this.sizes = new Float64Array(files);
    this.ordinals = new Int32Array(files);
    this.present = new Uint8Array(files);
    this.places = new Int32Array(2 ** Math.ceil(Math.log2(2 * files + 2))).fill(FREE);
  }

  /** The number of observed files that users had removed in the same state. */
  get leftOut(): number {
    return this.left;
  }

  add({ source, version, size, ordinal, isOfSource }: KnownFile): void {
    this.enter(digestOf(source), digestOf(version), size, ordinal, !isOfSource);
  }

  /** Adds records in the format of `removedFilesOf`. */
  addRemoved(files: Buffer): void {
    for (const { source, version, size } of removedIn(files)) this.enter(source, version, size, REMOVED, true);
  }

  private enter(digest: Digest, version: Digest, size: number, ordinal: number, isPresent: boolean): void {
    const entry = this.count++;
    this.sources.set(entry, digest);
    this.versions.set(entry, version);
    this.sizes[entry] = size;
    this.ordinals[entry] = ordinal;
    this.present[entry] = isPresent ? 1 : 0;
    let at = this.firstPlace(digest);
    while (this.places[at] !== FREE) at = this.next(at);
    this.places[at] = entry;
  }

  has(source: string): boolean {
    return this.entriesOf(source).length > 0;
  }

  /** `changed` means that it may have changed; only its bytes are conclusive. Without a version the size decides. */
  observe({ source, version, size }: FileState): 'new' | 'changed' | 'same' | 'removed' {
    const entries = this.entriesOf(source);
    const asked = digestOf(version);
    const isAsThen = (entry: number): boolean =>
      version !== null && !this.versions.has(entry, NO_VERSION)
        ? this.versions.has(entry, asked)
        : this.sizes[entry] === size;
    const ofTable = entries.filter((entry) => this.ordinals[entry] !== REMOVED);
    if (ofTable.length === 0) {
      if (!entries.some(isAsThen)) return 'new';
      this.left += 1;
      return 'removed';
    }
    for (const entry of ofTable) this.present[entry] = 1;
    return ofTable.some(isAsThen) ? 'same' : 'changed';
  }

  /** The file exists, but its state is unknown. */
  markPresent(source: string): void {
    for (const entry of this.entriesOf(source)) this.present[entry] = 1;
  }

  /** Ordinals of the files that were not observed, ascending. */
  missing(): Int32Array {
    const missing = this.ordinals.subarray(0, this.count).filter((_, entry) => this.present[entry] === 0);
    return missing.sort();
  }

  private entriesOf(source: string): number[] {
    const digest = digestOf(source);
    const entries: number[] = [];
    for (let at = this.firstPlace(digest); this.places[at] !== FREE; at = this.next(at)) {
      const entry = this.places[at]!;
      if (this.sources.has(entry, digest)) entries.push(entry);
    }
    return entries;
  }

  private firstPlace([high]: Digest): number {
    return high & (this.places.length - 1);
  }

  private next(place: number): number {
    return (place + 1) & (this.places.length - 1);
  }
}
