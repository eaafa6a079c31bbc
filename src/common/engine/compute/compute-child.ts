import { NoEmbeddingError } from '../models/image-embedding';
import { PictureRefusedError } from '../models/picture-model';
import { serializeError } from '../../platform/outage/serialized-error';
import { errorMessage } from '../../platform/errors/error-code';
import type { FromChild, ToChild } from './compute-messages';
import { restrictSharp } from './decode/restrict-sharp';
import { freeBytes } from './free-bytes';
import type { DescribedText, FileRequest, FileResult, TextRequest } from './media-analysis';
import { MediaAnalyzer } from './media-analyzer';
import { MediaRejected } from './media-rejected';
import type { ReadMedia } from './read-media';
import { Turns } from '../../platform/concurrency/turns';
import { watchParent } from './watch-parent';
import { lowerThreadPriority } from './lower-thread-priority';

lowerThreadPriority();

let analyzer: MediaAnalyzer | undefined;
/** While a library thread works on one file, this thread works on another. */
const turns = new Turns(2);
const cancels = new Map<number, AbortController>();

/** If the parent has gone, this process ends soon as well. */
const say = (message: FromChild): void => {
  if (process.connected) process.send!(message, undefined, undefined, () => undefined);
};

function start({ config, scratch }: Extract<ToChild, { type: 'start' }>): void {
  restrictSharp();
  try {
    analyzer = MediaAnalyzer.open(config, scratch, {
      onLoading: (modelId) => say({ type: 'loading', modelId, residentBytes: process.memoryUsage.rss() }),
      onLoaded: (modelId) => say({ type: 'loaded', modelId, residentBytes: process.memoryUsage.rss() }),
    });
    say({ type: 'ready' });
  } catch (error) {
    say({ type: 'unusable', message: errorMessage(error) });
  }
}

/** The request that needs the model reports why it cannot be loaded. */
const load = ({ model }: Extract<ToChild, { type: 'load' }>): void => void analyzer!.load(model).catch(() => undefined);

async function analyze({ id, request, alone }: Extract<ToChild, { type: 'analyze' }>): Promise<void> {
  const cancel = new AbortController();
  cancels.set(id, cancel);
  try {
    const result =
      request.kind === 'describe-text'
        ? await describeText(id, request, cancel.signal)
        : await resultOf(id, request, alone, cancel.signal);
    say({ type: 'done', id, result, residentBytes: process.memoryUsage.rss() });
  } catch (error) {
    say({ type: 'failed', id, error: serializeError(error) });
  } finally {
    cancels.delete(id);
  }
}

/** Takes no turn: somebody waits for it, and files may take minutes. */
function describeText(id: number, request: TextRequest, signal: AbortSignal): Promise<DescribedText> {
  return analyzer!.describeText(request, () => say({ type: 'working', id, kind: 'TEXT' }), signal);
}

async function resultOf(id: number, request: FileRequest, alone: boolean, signal: AbortSignal): Promise<FileResult> {
  try {
    return await analyzer!.prepare(request, async (analyze) => {
      // Reading is not limited, so that the next file is ready when one is done.
      const media = await analyzer!.read(request, signal);
      const { analysis, stored } = await turns.run(alone || holdsAllPixels(media, request), () => {
        signal.throwIfAborted();
        const onWorking = (): void => say({ type: 'working', id, kind: media.kind });
        onWorking();
        return analyze(media, signal, onWorking);
      });
      if (media.kind === 'IMAGE') freeBytes(media.bytes);
      await stored;
      return analysis;
    });
  } catch (error) {
    if (error instanceof NoEmbeddingError) return { kind: 'QUARANTINED', reason: 'unreadable', detail: error.message };
    if (error instanceof PictureRefusedError)
      return { kind: 'QUARANTINED', reason: 'refused_by_model', detail: error.message };
    if (!(error instanceof MediaRejected)) throw error;
    return { kind: 'QUARANTINED', reason: error.reason, detail: error.detail };
  }
}

/** Two such files at a time would need too much memory. */
const holdsAllPixels = (media: ReadMedia, request: FileRequest): boolean =>
  media.kind === 'IMAGE' && (cutsRegions(request) || ['heif', 'jp2', 'bmp'].includes(media.format));

function cutsRegions(request: FileRequest): boolean {
  switch (request.kind) {
    case 'analyze':
      return request.boxes.length > 0;
    case 'cut':
      return true;
    case 'apply':
    case 'encode':
      return request.regions.some((region) => region !== null);
    case 'embed':
      return request.region !== null;
  }
}

process.on('message', (message: ToChild) => {
  if (message.type === 'start') start(message);
  // The parent has been told why, and ends this process.
  else if (analyzer === undefined) return;
  else if (message.type === 'load') load(message);
  else if (message.type === 'analyze') void analyze(message);
  else cancels.get(message.id)?.abort();
});

// Without the parent nobody waits for a result; ends the whole process group, including ffmpeg.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
// A watcher thread, because a file may block this thread.
watchParent();
