import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { textManifestFields, type TextModelManifest } from './model-manifest';
import { defineRuntime } from './model-runtime';
import { stemOf, foldText, wordsOf, STOP_WORDS } from './text-words';
import type { TextEmbedding } from './embedding';

/** Limits for hostile texts; the rest of a text adds little. */
const MAX_CHARACTERS = 20_000;
const MAX_WORD = 40;
const KNOWN_WORDS = 20_000;
const TEXTS_PER_TURN = 64;
const TURN_MS = 5;

const PIECE_SIZES = [3, 4, 5];
/** The weight of letter n-grams relative to the word's 1; they make "colour" and "color" similar. */
const PIECES_WEIGHT = 1.1;
const PAIR_WEIGHT = 0.3;
const PICTURE_WEIGHT = 0.25;

/** Stems that only say that a picture shows something. */
const PICTURE_STEMS: ReadonlySet<string> = new Set(
  ['photo', 'photograph', 'picture', 'image', 'shot', 'view', 'scene', 'showing', 'depicting'].map(stemOf),
);

/** The positions and amounts that a word adds to the vector of its text. */
interface Contribution {
  readonly places: Uint16Array;
  readonly amounts: Float32Array;
}

/** Hashes stems, pairs of adjacent stems and n-grams of stems to the positions of a vector; not a learned model. */
class HashedWords implements TextEmbedding {
  private readonly known = new Map<string, Contribution>();

  constructor(private readonly manifest: TextModelManifest) {}

  get dimension(): number {
    return this.manifest.outputs.dimension;
  }

  async embed(texts: readonly string[]): Promise<(Float32Array | null)[]> {
    const vectors: (Float32Array | null)[] = [];
    let turnEnds = performance.now() + TURN_MS;
    for (const text of texts) {
      vectors.push(this.embedOne(text));
      if (vectors.length % TEXTS_PER_TURN !== 0 && text.length < MAX_CHARACTERS) continue;
      if (performance.now() < turnEnds) continue;
      await setImmediate();
      turnEnds = performance.now() + TURN_MS;
    }
    return vectors;
  }

  /** Only memory, which needs no release. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  private embedOne(text: string): Float32Array | null {
    const stems = stemsOf(text);
    if (stems.length === 0) return null;
    const vector = new Float32Array(this.dimension);
    for (const [stem, count] of counted(stems)) this.addWord(vector, stem, dampened(count));
    for (const [pair, count] of counted(pairsOf(stems))) addFeature(vector, pair, PAIR_WEIGHT * dampened(count));
    return unitOrNull(vector);
  }

  private addWord(vector: Float32Array, stem: string, weight: number): void {
    const { places, amounts } = this.contributionOf(stem);
    for (let i = 0; i < places.length; i++) vector[places[i]!]! += weight * amounts[i]!;
  }

  private contributionOf(stem: string): Contribution {
    let contribution = this.known.get(stem);
    if (contribution === undefined) {
      contribution = this.describe(stem);
      if (this.known.size >= KNOWN_WORDS) this.known.clear();
      this.known.set(stem, contribution);
    }
    return contribution;
  }

  private describe(stem: string): Contribution {
    const weight = PICTURE_STEMS.has(stem) ? PICTURE_WEIGHT : 1;
    const pieces = piecesOf(stem);
    const hashes = [`w:${stem}`, ...pieces].map(hashOf);
    const share = (weight * PIECES_WEIGHT) / Math.sqrt(pieces.length);
    return {
      places: Uint16Array.from(hashes, (hash) => hash % this.dimension),
      amounts: Float32Array.from(hashes, (hash, i) => signOf(hash) * (i === 0 ? weight : share)),
    };
  }
}

export const hashedWordsRuntime = defineRuntime({
  type: 'TEXT_ENCODING',
  name: 'hashed-words',
  runsIn: 'service',
  manifest: z.strictObject(textManifestFields),
  open: ({ manifest }) => Promise.resolve(new HashedWords(manifest)),
});

const dampened = (count: number): number => 1 + Math.log(count);

const pairsOf = (stems: readonly string[]): string[] => stems.slice(1).map((stem, at) => `b:${stems[at]!} ${stem}`);

const signOf = (hash: number): number => (hash >>> 31 === 0 ? 1 : -1);

function stemsOf(text: string): string[] {
  const stems: string[] = [];
  for (const word of wordsOf(foldText(text.slice(0, MAX_CHARACTERS)))) {
    if (!STOP_WORDS.has(word)) stems.push(stemOf(word.slice(0, MAX_WORD)));
  }
  return stems;
}

function counted(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** The n-grams of three to five characters of a word with its boundaries marked. */
function piecesOf(stem: string): string[] {
  const marked = `<${stem}>`;
  const pieces: string[] = [];
  for (const size of PIECE_SIZES) {
    for (let start = 0; start + size <= marked.length; start++) pieces.push(marked.slice(start, start + size));
  }
  return pieces.length === 0 ? [marked] : pieces;
}

function addFeature(vector: Float32Array, feature: string, weight: number): void {
  const hash = hashOf(feature);
  vector[hash % vector.length]! += signOf(hash) * weight;
}

/** FNV-1a with a final mix, so that all bits depend on every character. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function unitOrNull(vector: Float32Array): Float32Array | null {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? null : vector.map((value) => value / length);
}
