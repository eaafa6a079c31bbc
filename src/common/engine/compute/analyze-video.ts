import { createHash, hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { nameOfOpened, type OpenFile } from '../../platform/storage/folder/file-calls';
import type { ObjectStore } from '../../platform/storage/object-store';
import type { MediaSources } from '../../platform/storage/sources/source-files';
import type { Analyzed } from './analyze-image';
import { checkDimensions } from './decode/decoded-image';
import { openImage } from './decode/open-image';
import type { PixelDescriber } from './describe-pixels';
import { type VideoAnalysis, MediaRejected } from './media-analysis';
import type { Container } from './media-type';
import { rejectIfUnreadable } from './read-media';
import { THUMBNAIL_SIDE } from './thumbnail-store';
import { extractFrames, probeVideo, type ReadableVideo, type VideoFacts } from './video-tools';

/** Slightly more than 8K; limited, because a decoder holds many frames at a time. */
const VIDEO = { what: 'video', maxPixels: 36_000_000 };
const MAX_FRAMES = 500;
const MIN_INTERVAL = 0.5;
const FALLBACK_INTERVAL = 1;

type Frame = VideoAnalysis['frames'][number];

export interface VideoFile {
  readonly source: string;
  readonly container: Container;
  readonly mimeType: string;
  readonly frameHeight: number | null;
}

interface DecodedVideo {
  readonly sha256: string;
  readonly frameHeight: number | null;
  readonly times: readonly number[];
}

interface FramePlace {
  readonly imageKey: string;
  /** The hash of the video. */
  readonly video: string;
  readonly timestamp: number;
}

export class VideoAnalyzer {
  constructor(
    private readonly sources: MediaSources,
    private readonly store: ObjectStore,
    /** The folder for temporary files of an analysis. */
    private readonly scratch: string,
  ) {}

  async analyze(
    { source, container, mimeType, frameHeight }: VideoFile,
    describer: PixelDescriber,
    signal: AbortSignal,
  ): Promise<Analyzed<VideoAnalysis>> {
    await mkdir(this.scratch, { recursive: true, mode: 0o700 });
    const folder = await mkdtemp(join(this.scratch, 'video-'));
    const opened = await rejectIfUnreadable(source, () => this.sources.openFile(source));
    try {
      const path = (await this.pathOf(source, opened)) ?? (await this.fetch(source, join(folder, 'video'), signal));
      const file = { path, container };
      const facts = await probeVideo(file, signal);
      checkDimensions(facts.width, facts.height, VIDEO);
      const sha256 = await rejectIfUnreadable(source, () => hashFile(path, signal));
      const times = await this.extract(file, { ...facts, frameHeight }, folder, signal);
      const frames = await this.describeFrames(folder, { sha256, frameHeight, times }, describer, signal);
      const { size } = await stat(path);
      const thumbnailKey = frames[0]!.thumbnailKey;
      return {
        analysis: { kind: 'VIDEO', mimeType, sizeBytes: size, sha256, ...facts, thumbnailKey, frames },
        stored: Promise.resolve(),
      };
    } finally {
      await opened?.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** ffmpeg opens files by path: use the path of the open descriptor that was checked, if there is one. */
  private async pathOf(source: string, opened: OpenFile | undefined): Promise<string | undefined> {
    return opened && (nameOfOpened(opened.descriptor) ?? (await this.sources.localPath(source)));
  }

  private async fetch(source: string, path: string, signal: AbortSignal): Promise<string> {
    await pipeline(await this.sources.open(source), createWriteStream(path), { signal });
    return path;
  }

  /** Extracts key frames or, for a video without key frames, one frame per second. */
  private async extract(
    file: ReadableVideo,
    { durationSeconds, frameHeight }: VideoFacts & Pick<VideoFile, 'frameHeight'>,
    folder: string,
    signal: AbortSignal,
  ): Promise<number[]> {
    const pattern = join(folder, 'output_%06d.jpg');
    const spread = durationSeconds / MAX_FRAMES;
    const frames = (keyFramesOnly: boolean, interval: number): Promise<number[]> => {
      const minimumInterval = Math.max(interval, spread);
      const selection = { keyFramesOnly, minimumInterval, most: MAX_FRAMES, height: frameHeight };
      return extractFrames(file, pattern, selection, signal);
    };
    const keyFrames = await frames(true, MIN_INTERVAL);
    return keyFrames.length > 0 ? keyFrames : frames(false, FALLBACK_INTERVAL);
  }

  private async describeFrames(
    folder: string,
    { sha256, frameHeight, times }: DecodedVideo,
    describer: PixelDescriber,
    signal: AbortSignal,
  ): Promise<Frame[]> {
    const names = (await readdir(folder)).filter((name) => name.startsWith('output_')).sort();
    if (names.length === 0 || times.length < names.length) {
      throw new MediaRejected('unreadable', 'No frame of the video can be read.');
    }
    const frames: Frame[] = [];
    // Part of the name, so that datasets indexed before and after a change of the height both keep their frames.
    const keyPrefix = `frames/${sha256}/${frameHeight === null ? '' : `${frameHeight}p/`}`;
    for (const [at, name] of names.entries()) {
      signal.throwIfAborted();
      const bytes = await readFile(join(folder, name));
      const timestamp = Math.max(0, Math.round((times[at]! - times[0]!) * 1000) / 1000);
      frames.push(
        await this.describeFrame(bytes, { imageKey: `${keyPrefix}${name}`, video: sha256, timestamp }, describer),
      );
    }
    return frames;
  }

  private async describeFrame(
    bytes: Buffer,
    { imageKey, video, timestamp }: FramePlace,
    describer: PixelDescriber,
  ): Promise<Frame> {
    const image = await openImage({ bytes, format: 'jpeg', swapRedBlueForTiffHeic: false });
    const pixels = await image.pixels(THUMBNAIL_SIDE);
    const { description, stored } = await describer.describe(pixels, hash('sha256', bytes));
    await Promise.all([stored, this.store.put(imageKey, bytes)]);
    return {
      mimeType: 'image/jpeg',
      sizeBytes: bytes.length,
      sha256: hash('sha256', `${video} ${timestamp}`),
      width: image.width,
      height: image.height,
      ...description,
      timestamp,
      imageKey,
    };
  }
}

async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest, { signal });
  return digest.digest('hex');
}
