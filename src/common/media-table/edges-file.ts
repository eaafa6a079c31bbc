import { buffer } from 'node:stream/consumers';
import { tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';
import type { ObjectStore } from '../storage/object-store';

/** Pairs of near duplicates by ordinal, each once; cosines as the similarity structure says them. */
export interface NearPairs {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly cosine: Float32Array;
}

export const edgesKey = (generation: string): string => `edges/${generation}.arrow`;

export async function writeEdges(store: ObjectStore, generation: string, parts: readonly NearPairs[]): Promise<void> {
  const length = parts.reduce((sum, { first }) => sum + first.length, 0);
  const whole = {
    first: new Int32Array(length),
    second: new Int32Array(length),
    cosine: new Float32Array(length),
  };
  let at = 0;
  for (const part of parts) {
    whole.first.set(part.first, at);
    whole.second.set(part.second, at);
    whole.cosine.set(part.cosine, at);
    at += part.first.length;
  }
  await store.put(edgesKey(generation), tableToIPC(tableFromArrays(whole), 'file'));
}

export async function readEdges(store: ObjectStore, generation: string): Promise<NearPairs> {
  const table = tableFromIPC(await buffer(await store.get(edgesKey(generation))));
  return {
    first: columnOf(table.getChild('first')?.toArray(), Int32Array),
    second: columnOf(table.getChild('second')?.toArray(), Int32Array),
    cosine: columnOf(table.getChild('cosine')?.toArray(), Float32Array),
  };
}

function columnOf<A extends Int32Array | Float32Array>(array: unknown, kind: new () => A): A {
  if (array instanceof kind) return array;
  throw new Error('The file of near duplicates lacks a column');
}
