import { parentPort, type Worker } from 'node:worker_threads';

const END = 'end';

/** In a thread: handles each message of its parent, until it is asked to end. */
export function onRequest(handle: (request: never) => void): void {
  parentPort!.on('message', (message: unknown) => {
    if (message === END) parentPort!.close();
    else handle(message as never);
  });
}

/**
 * Asks a thread to end once it has nothing left to do, and waits for that. Terminating a thread that loads or calls a native module
 * aborts the whole process.
 */
export async function endThread(worker: Worker): Promise<void> {
  const hasEnded = worker.threadId === -1;
  if (hasEnded) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  // A process with nothing else to do would exit, which terminates its threads.
  worker.ref();
  worker.postMessage(END);
  await ended;
}
