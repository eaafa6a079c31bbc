import { sharedInt32 } from '../arithmetic/shared-arrays';

let flag = sharedInt32(1);

/** In a thread: the flag with which its parent gives up what the thread does. */
export function heed(shared: Int32Array): void {
  flag = shared;
}

/** A picture may take minutes, so each step of it asks. */
export function throwIfGivenUp(): void {
  if (Atomics.load(flag, 0) !== 0) throw new Error('The comparison was given up');
}

export const giveUp = (shared: Int32Array): void => void Atomics.store(shared, 0, 1);
