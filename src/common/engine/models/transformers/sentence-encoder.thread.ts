import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer } from '../../../platform/concurrency/asked-thread';
import { onRequest } from '../../../platform/concurrency/thread-end';
import { lowerThreadPriority } from '../../compute/lower-thread-priority';
import { ModelError } from '../model-error';
import { HuggingFaceFolder } from './hugging-face-folder';
import { SentenceEncoder } from './sentence-encoder';
import type { EncodedTexts, EncodeTexts, SentenceModel } from './threaded-sentence-encoder';

lowerThreadPriority();
const {
  folder: path,
  manifest: { id, device, files, outputs },
} = workerData as SentenceModel;
const folder = new HuggingFaceFolder(path, id, device, files);
const opening = SentenceEncoder.open(folder, outputs.dimension);
// Each request reports the error.
opening.catch(() => undefined);

async function answer({ job, texts }: EncodeTexts): Promise<ThreadAnswer<EncodedTexts>> {
  try {
    return { job, answer: { vectors: await (await opening).embed(texts) } };
  } catch (error) {
    // Messages between threads do not keep the class of an error.
    return error instanceof ModelError ? { job, answer: { refused: error.message } } : { job, error };
  }
}

onRequest((request: EncodeTexts) => void answer(request).then((given) => parentPort!.postMessage(given)));
parentPort!.once('close', () => void folder.close());
