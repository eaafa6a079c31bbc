import sharp from 'sharp';
import { NoEmbeddingError } from '../models/embedding';
import { PictureRefusedError } from '../models/picture-model';
import { serializeError } from '../../platform/outage/outage';
import { errorMessage } from '../../platform/errors/error-code';
import type { FromChild, ToChild } from './compute-messages';
import { freeBytes } from './decode/decoded-image';
import {
  type DescribedText,
  type FileRequest,
  type FileResult,
  type TextRequest,
  MediaRejected,
} from './media-analysis';
import { MediaAnalyzer } from './media-analyzer';
import { MemoryShare } from './memory-share';
import { Turns } from '../../platform/concurrency/turns';
import { lowerThreadPriority } from './lower-thread-priority';

const LOADERS = ['Jpeg', 'Png', 'Webp', 'Tiff', 'Nsgif'];

lowerThreadPriority();

const memory = new MemoryShare();
let analyzer: MediaAnalyzer | undefined;
/** While a library thread works on one file, this thread works on another. */
const turns = new Turns(2);
const cancels = new Map<number, AbortController>();
/** The requests with a large image that wait for their turn to decode. */
const waiting = new Map<number, () => void>();

/** If the parent has disconnected, this process ends soon too. */
const say = (message: FromChild): void => {
  if (process.connected) process.send!(message, undefined, undefined, () => undefined);
};

function start({ config, scratch, limits }: Extract<ToChild, { type: 'start' }>): void {
  restrictSharp();
  memory.limitTo(limits);
  try {
    analyzer = MediaAnalyzer.open(config, scratch, {
      onLoading: (modelId) => {
        memory.loading(true);
        say({ type: 'loading', modelId, residentBytes: process.memoryUsage.rss() });
      },
      onLoaded: (modelId) => {
        memory.loading(false);
        say({ type: 'loaded', modelId, residentBytes: process.memoryUsage.rss() });
      },
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

/** Does not wait for files, which may take minutes, because a client waits for the text. */
function describeText(id: number, request: TextRequest, signal: AbortSignal): Promise<DescribedText> {
  return analyzer!.describeText(request, () => say({ type: 'working', id, kind: 'TEXT' }), signal);
}

async function resultOf(id: number, request: FileRequest, alone: boolean, signal: AbortSignal): Promise<FileResult> {
  const room = new LargeRoom(id, signal);
  try {
    return await analyzer!.prepare(request, async (analyze) => {
      // Reading is not limited, so that the next file is ready when one is finished.
      const read = await analyzer!.read(request, signal);
      const { analysis, stored, media } = await turns.run(alone, async () => {
        signal.throwIfAborted();
        const onWorking = (): void => say({ type: 'working', id, kind: read?.kind ?? 'IMAGE' });
        onWorking();
        if (read === undefined) await room.wait();
        const media = read ?? (await analyzer!.readLarge(request, signal));
        return { ...(await analyze({ ...media, waitForMemory: () => room.wait() }, signal, onWorking)), media };
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
  } finally {
    room.leave();
  }
}

/** Memory for a large image or file. Only one request of all children has it at a time, until it is finished. */
class LargeRoom {
  private entered: Promise<void> | undefined;
  private isInside = false;

  constructor(
    private readonly id: number,
    private readonly signal: AbortSignal,
  ) {}

  wait(): Promise<void> {
    return (this.entered ??= this.enter());
  }

  leave(): void {
    waiting.delete(this.id);
    if (this.isInside) memory.large(false);
  }

  private async enter(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      waiting.set(this.id, resolve);
      this.signal.addEventListener('abort', () => reject(this.signal.reason as Error), { once: true });
      say({ type: 'large', id: this.id });
    });
    this.isInside = true;
    memory.large(true);
  }
}

process.on('message', (message: ToChild) => {
  if (message.type === 'start') start(message);
  // The parent has received the reason, and ends this process.
  else if (analyzer === undefined) return;
  else if (message.type === 'load') load(message);
  else if (message.type === 'analyze') void analyze(message);
  else if (message.type === 'go') waiting.get(message.id)?.();
  else cancels.get(message.id)?.abort();
});

// Without the parent, the result is not needed. Ends the whole process group, including ffmpeg.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));

/** Restricts sharp in processes that decode untrusted files: only the loaders of supported formats, one thread, no cache. */
function restrictSharp(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}Buffer`) });
  sharp.concurrency(1);
  sharp.cache(false);
}
