import { everyObject, type ObjectStore } from '../../src/common/platform/storage/object-store';

export async function keysBelow(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of everyObject(store, prefix)) keys.push(key);
  return keys;
}
