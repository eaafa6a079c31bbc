import type { components } from 'dataset-media-service-sdk';

type MediaDetail = components['schemas']['MediaDetail'];

export interface VideoFrame {
  readonly id: string;
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
}

/** Whose annotations are asked for together. */
const AT_ONCE = 20;

/** By time. */
export const framesOf = ({ type, children }: Pick<MediaDetail, 'type' | 'children'>): readonly VideoFrame[] =>
  type !== 'VIDEO'
    ? []
    : children
        .flatMap(({ media_id: id, frame_timestamp: seconds, width, height }) =>
          seconds === null ? [] : [{ id, seconds, width, height }],
        )
        .sort((one, other) => one.seconds - other.seconds);

/** The nearest one. */
export function frameAt(frames: readonly VideoFrame[], seconds: number): VideoFrame | undefined {
  let nearest = frames[0];
  for (const frame of frames)
    if (Math.abs(frame.seconds - seconds) < Math.abs(nearest!.seconds - seconds)) nearest = frame;
  return nearest;
}

/** The ids of the frames around one, and of those before and after them. */
export function aroundFrame(
  frames: readonly VideoFrame[],
  frame: VideoFrame | undefined,
): Readonly<Record<'before' | 'now' | 'next', readonly string[]>> {
  const at = frame === undefined ? 0 : frames.indexOf(frame);
  const start = at - (at % AT_ONCE);
  const idsFrom = (from: number) => frames.slice(from, from + AT_ONCE).map(({ id }) => id);
  return { before: start === 0 ? [] : idsFrom(start - AT_ONCE), now: idsFrom(start), next: idsFrom(start + AT_ONCE) };
}
