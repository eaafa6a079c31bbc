import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { MediaRejected } from './media-analysis';
import type { Container } from './media-type';
import { toolLimit, watchTool } from './memory-share';
import { MEMORY_SIGNAL } from './readers/reader-messages';
import { isOnPath } from '../../platform/config/program-on-path';

const run = promisify(execFile);
const MAX_OUTPUT = 64 * 1024 * 1024;
export interface ReadableVideo {
  readonly path: string;
  readonly container: Container;
}

/**
 * Names the format, because ffmpeg would otherwise guess it from the content, and some formats are lists of other files. The other two options
 * prevent it from opening other files through references.
 */
const input = ({ path, container }: ReadableVideo): readonly string[] => [
  ...['-f', container, '-format_whitelist', container, '-protocol_whitelist', 'file'],
  ...['-i', path],
];

export interface VideoFacts {
  /** In upright orientation. */
  readonly width: number;
  readonly height: number;
  readonly durationSeconds: number;
}

const probeSchema = z.object({
  streams: z.array(
    z.object({
      width: z.int().optional(),
      height: z.int().optional(),
      duration: z.coerce.number().optional(),
      side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
    }),
  ),
  format: z.object({ duration: z.coerce.number().optional() }).default({}),
});

interface ToolFailure {
  readonly code: string | number | undefined;
  readonly stderr: string;
}

const failureOf = (error: unknown): ToolFailure => {
  const { code, stderr } = error as { code?: string | number; stderr?: string };
  return { code, stderr: stderr ?? '' };
};

async function tool(name: 'ffmpeg' | 'ffprobe', args: readonly string[], signal: AbortSignal) {
  try {
    const running = run(name, [...args], { signal, maxBuffer: MAX_OUTPUT });
    return await watchTool(running.child.pid, running);
  } catch (error) {
    if ((error as { signal?: string }).signal === MEMORY_SIGNAL)
      throw new MediaRejected('too_large', `Reading the video takes more than ${toolLimit()} MiB of memory.`);
    if (failureOf(error).code === 'ENOENT') {
      throw new MediaRejected('no_video_support', 'Videos require ffmpeg and ffprobe, which are not installed.');
    }
    throw error;
  }
}

export async function hasVideoSupport(): Promise<boolean> {
  const found = await Promise.allSettled([run('ffmpeg', ['-version']), run('ffprobe', ['-version'])]);
  return found.every(({ status }) => status === 'fulfilled');
}

export async function probeVideo(file: ReadableVideo, signal: AbortSignal): Promise<VideoFacts> {
  const wanted = 'stream=width,height,duration:stream_side_data=rotation:format=duration';
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', wanted, '-of', 'json', ...input(file)];
  const { stdout } = await tool('ffprobe', args, signal).catch((error: unknown) => {
    if (error instanceof MediaRejected || signal.aborted) throw error;
    throw new MediaRejected('unreadable', `The video can't be read: ${lastLine(failureOf(error).stderr, file.path)}`);
  });
  const { streams, format } = probeSchema.parse(JSON.parse(stdout));
  const stream = streams[0];
  if (!stream?.width || !stream.height) throw new MediaRejected('unreadable', 'The file contains no video stream.');
  const turned = stream.side_data_list.some(({ rotation }) => Math.abs(rotation ?? 0) % 180 === 90);
  return {
    width: turned ? stream.height : stream.width,
    height: turned ? stream.width : stream.height,
    durationSeconds: format.duration ?? stream.duration ?? 0,
  };
}

export interface FrameSelection {
  readonly keyFramesOnly: boolean;
  readonly minimumInterval: number;
  readonly most: number;
  /** Taller frames are scaled down to this height. */
  readonly height: number | null;
}

/** Writes JPEG files named by the pattern, numbered from 1; returns their times in seconds. */
export async function extractFrames(
  file: ReadableVideo,
  pattern: string,
  { keyFramesOnly, minimumInterval, most, height }: FrameSelection,
  signal: AbortSignal,
): Promise<number[]> {
  const scale = height === null ? '' : `,scale=-2:'min(${height}\\,ih)'`;
  const filter = `select='isnan(prev_selected_t)+gte(t-prev_selected_t\\,${minimumInterval})',showinfo${scale}`;
  const skip = keyFramesOnly ? ['-skip_frame', 'nokey'] : [];
  const reading = ['-nostdin', '-v', 'info', '-nostats', '-threads', '1', ...skip, ...input(file)];
  const output = ['-map', '0:v:0', '-vf', filter, '-vsync', 'vfr', '-frames:v', `${most}`, '-q:v', '3', pattern];
  const { stderr } = await tool('ffmpeg', [...reading, ...output], signal).catch((error: unknown) => {
    if (error instanceof MediaRejected || signal.aborted) throw error;
    // Frames read before the damage are kept; the caller fails if there are none.
    return failureOf(error);
  });
  return stderr.split('\n').flatMap((line) => {
    // The other lines contain metadata of the file.
    const time = line.startsWith('[Parsed_showinfo') ? / pts_time:\s*(-?[\d.]+)/.exec(line)?.[1] : undefined;
    return time === undefined ? [] : [Number(time)];
  });
}

const lastLine = (text: string, path: string): string =>
  text.trim().split('\n').at(-1)?.replaceAll(path, 'the file').trim() ?? 'damaged';

interface PackageManager {
  readonly program: string;
  readonly platform: NodeJS.Platform;
  readonly command: string;
}

const MANAGERS: readonly PackageManager[] = [
  { program: 'apt-get', platform: 'linux', command: 'sudo apt-get install ffmpeg' },
  { program: 'dnf', platform: 'linux', command: 'sudo dnf install ffmpeg-free' },
  { program: 'apk', platform: 'linux', command: 'sudo apk add ffmpeg' },
  { program: 'brew', platform: 'darwin', command: 'brew install ffmpeg' },
  { program: 'winget', platform: 'win32', command: 'winget install Gyan.FFmpeg' },
];

/** The programs of this machine; replaced in tests. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  hasProgram(name: string): Promise<boolean>;
}

const thisMachine: Machine = { platform: process.platform, hasProgram: isOnPath };

/** Whether videos can be read on this machine, and what to do if not. */
export class VideoSupport {
  private found = false;
  private advice: Promise<string> | undefined;

  constructor(private readonly machine: Machine = thisMachine) {}

  /** Empty if videos can be read. Checked until ffmpeg is found, because it may be installed while the service runs. */
  async warnings(): Promise<readonly string[]> {
    this.found ||= (await this.machine.hasProgram('ffmpeg')) && (await this.machine.hasProgram('ffprobe'));
    if (this.found) return [];
    this.advice ??= this.findAdvice();
    return [`Videos can't be read, because ffmpeg and ffprobe are not on the path. ${await this.advice}`];
  }

  private async findAdvice(): Promise<string> {
    for (const { program, platform, command } of MANAGERS)
      if (platform === this.machine.platform && (await this.machine.hasProgram(program)))
        return `Install them: ${command}`;
    return 'Install the package ffmpeg of this system.';
  }
}
