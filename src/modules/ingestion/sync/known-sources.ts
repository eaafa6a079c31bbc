import { hash } from 'node:crypto';

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

type Digest = readonly [high: number, low: number];

const NO_VERSION: Digest = [0, 0];
const FREE = -1;

function digestOf(text: string | null): Digest {
  if (text === null) return NO_VERSION;
  const hex = hash('sha256', text, 'hex');
  return [Number.parseInt(hex.slice(0, 8), 16), Number.parseInt(hex.slice(8, 16), 16)];
}

/** 64-bit hashes of many texts. */
class Digests {
  private readonly words: Uint32Array;

  constructor(count: number) {
    this.words = new Uint32Array(2 * count);
  }

  set(at: number, digest: Digest): void {
    this.words.set(digest, 2 * at);
  }

  has(at: number, [high, low]: Digest): boolean {
    return this.words[2 * at] === high && this.words[2 * at + 1] === low;
  }
}

/** The files of a table by location, about 45 bytes each. Locations are compared by 64-bit hashes; a collision is very unlikely. */
export class KnownSources {
  private readonly sources: Digests;
  private readonly versions: Digests;
  private readonly sizes: Float64Array;
  private readonly ordinals: Int32Array;
  /** Files that were observed, or don't belong to the source. */
  private readonly present: Uint8Array;
  private readonly places: Int32Array;
  private count = 0;

  constructor(files: number) {
    this.sources = new Digests(files);
    this.versions = new Digests(files);
    this.sizes = new Float64Array(files);
    this.ordinals = new Int32Array(files);
    this.present = new Uint8Array(files);
    this.places = new Int32Array(2 ** Math.ceil(Math.log2(2 * files + 2))).fill(FREE);
  }

  add({ source, version, size, ordinal, isOfSource }: KnownFile): void {
    const entry = this.count++;
    const digest = digestOf(source);
    this.sources.set(entry, digest);
    this.versions.set(entry, digestOf(version));
    this.sizes[entry] = size;
    this.ordinals[entry] = ordinal;
    this.present[entry] = isOfSource ? 0 : 1;
    let at = this.firstPlace(digest);
    while (this.places[at] !== FREE) at = this.next(at);
    this.places[at] = entry;
  }

  has(source: string): boolean {
    return this.entriesOf(source).length > 0;
  }

  /** `changed` means that it may have changed; only its bytes are conclusive. Without a version the size decides. */
  observe({ source, version, size }: FileState): 'new' | 'changed' | 'same' {
    const entries = this.entriesOf(source);
    if (entries.length === 0) return 'new';
    const asked = digestOf(version);
    let isSame = false;
    for (const entry of entries) {
      this.present[entry] = 1;
      const hasVersion = version !== null && !this.versions.has(entry, NO_VERSION);
      isSame ||= hasVersion ? this.versions.has(entry, asked) : this.sizes[entry] === size;
    }
    return isSame ? 'same' : 'changed';
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
