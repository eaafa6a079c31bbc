import { sharedInt32 } from '../../arithmetic/shared-arrays';

/** Runs threads that poll `stop`: an abort sets it, and rejects with the signal's reason. */
export async function stoppable<T>(
  signal: AbortSignal | undefined,
  work: (stop: Int32Array) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const stop = sharedInt32(1);
  const abort = (): void => {
    Atomics.store(stop, 0, 1);
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await work(stop);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
