import {
  type RecordBatch,
  RecordBatchReader,
  Schema,
  Table,
  tableFromArrays,
  tableFromIPC,
  tableToIPC,
} from 'apache-arrow';
import type { ObjectStore } from '../../platform/storage/object-store';
import type { TableVersion } from './table-version';

/** Pairs of near duplicates by ordinal, each once, with the cosines of the similarity structure. */
export interface NearPairs {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly cosine: Float32Array;
}

/** A file of pairs. The pairs of its version are in this file and in the earlier parts that it lists. */
interface Part {
  readonly version: number;
  readonly pairs: number;
}

const PARTS = 'parts';
/** The short list of parts is at the beginning of a file. */
const HEAD_BYTES = 16_384;

const folderOf = (generation: string): string => `edges/${generation}/`;
const keyOf = ({ generation, version }: TableVersion): string => `${folderOf(generation)}${version}.arrow`;

/**
 * Writes the pairs of a version: `lists`, and those of the version `over` which it is based on. Earlier parts are referenced rather than copied,
 * except recent ones of at most twice the size of the following ones, which are merged. So a version has few parts, and the cost of writing depends
 * on the new pairs only.
 */
export async function writeEdges(
  store: ObjectStore,
  at: TableVersion,
  lists: readonly NearPairs[],
  over?: TableVersion,
): Promise<void> {
  const before = over === undefined ? [] : await readParts(store, over);
  const isSame = over?.generation === at.generation;
  let own = lists.reduce((sum, { first }) => sum + first.length, 0);
  let kept = before.length;
  while (kept > 0 && (!isSame || before[kept - 1]!.pairs <= 2 * own)) own += before[--kept]!.pairs;
  const merged = await Promise.all(before.slice(kept).map(({ version }) => readPart(store, { ...over!, version })));
  const parts = [...before.slice(0, kept), { version: at.version, pairs: own }];
  await store.put(keyOf(at), encode(joined([...merged, ...lists]), parts));
}

export async function readEdges(store: ObjectStore, at: TableVersion): Promise<NearPairs> {
  const { pairs, parts } = decode(await store.read(keyOf(at)));
  const earlier = parts.filter(({ version }) => version !== at.version);
  if (earlier.length === 0) return pairs;
  const read = await Promise.all(earlier.map(({ version }) => readPart(store, { ...at, version })));
  return joined([...read, pairs]);
}

/** Ignores a missing file. */
export const dropEdges = (store: ObjectStore, generation: string): Promise<void> =>
  store.deletePrefix(folderOf(generation));

async function readParts(store: ObjectStore, at: TableVersion): Promise<readonly Part[]> {
  const head = await store.read(keyOf(at), { start: 0, end: HEAD_BYTES - 1 });
  return partsOf(RecordBatchReader.from(head).open().schema);
}

const readPart = async (store: ObjectStore, at: TableVersion): Promise<NearPairs> =>
  decode(await store.read(keyOf(at))).pairs;

function encode(pairs: NearPairs, parts: readonly Part[]): Uint8Array {
  const { schema, batches } = tableFromArrays({ ...pairs });
  const metadata = new Map([[PARTS, JSON.stringify(parts)]]);
  return tableToIPC(new Table(new Schema(schema.fields, metadata), batches as RecordBatch[]), 'stream');
}

function decode(bytes: Uint8Array): { pairs: NearPairs; parts: readonly Part[] } {
  const table = tableFromIPC(bytes);
  const pairs = {
    first: columnOf(table.getChild('first')?.toArray(), Int32Array),
    second: columnOf(table.getChild('second')?.toArray(), Int32Array),
    cosine: columnOf(table.getChild('cosine')?.toArray(), Float32Array),
  };
  return { pairs, parts: partsOf(table.schema) };
}

function partsOf({ metadata }: Schema): readonly Part[] {
  const parts = metadata.get(PARTS);
  if (parts === undefined) throw new Error('The file of near duplicates has no list of its parts');
  return JSON.parse(parts) as readonly Part[];
}

function joined(lists: readonly NearPairs[]): NearPairs {
  const length = lists.reduce((sum, { first }) => sum + first.length, 0);
  const whole = { first: new Int32Array(length), second: new Int32Array(length), cosine: new Float32Array(length) };
  let at = 0;
  for (const { first, second, cosine } of lists) {
    whole.first.set(first, at);
    whole.second.set(second, at);
    whole.cosine.set(cosine, at);
    at += first.length;
  }
  return whole;
}

function columnOf<A extends Int32Array | Float32Array>(array: unknown, kind: new () => A): A {
  if (array instanceof kind) return array;
  throw new Error('The file of near duplicates lacks a column');
}
