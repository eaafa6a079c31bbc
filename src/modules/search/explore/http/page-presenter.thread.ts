import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer } from '../../../../common/platform/concurrency/asked-thread';
import { onRequest } from '../../../../common/platform/concurrency/thread-end';
import { createStorage, type StorageConfig } from '../../../../common/platform/storage/create-storage';
import { SignedMediaUrls } from '../../media/signed-media-urls';
import { presentClusters, type FoundPage } from './explore.presenter';

export interface PresenterData {
  /** Used to sign addresses like the service. */
  readonly storage: StorageConfig;
}

export interface PresentRequest extends FoundPage {
  readonly job: number;
  readonly servesOriginals: boolean;
}

const { sources } = createStorage((workerData as PresenterData).storage);

async function answer({ job, found, asked, names, servesOriginals }: PresentRequest): Promise<void> {
  const urls = new SignedMediaUrls(sources, () => servesOriginals);
  const written: ThreadAnswer<Uint8Array> = await presentClusters({ found, asked, names }, urls).then(
    (bytes) => ({ job, answer: bytes }),
    (error: unknown) => ({ job, error }),
  );
  const { answer: bytes } = written;
  // Small buffers share memory with others, so they cannot be transferred.
  const isAlone = bytes !== undefined && bytes.byteLength === bytes.buffer.byteLength;
  parentPort!.postMessage(written, isAlone ? [bytes.buffer as ArrayBuffer] : []);
}

onRequest((request: PresentRequest) => void answer(request));
