import type { Shape, ShownAnnotation } from './shapes';
import type { VideoFrame } from './video-frames';

interface Timed {
  readonly annotation: ShownAnnotation;
  readonly seconds: number;
}

const trackOf = ({ source, track_id: track, label }: ShownAnnotation): string => JSON.stringify([source, track, label]);

/** The shapes that tracks may have in a frame that has none of them: between those of the nearest frames before and after it. */
export function trackShapesAt(
  frame: VideoFrame,
  frames: readonly VideoFrame[],
  {
    here,
    around,
  }: {
    /** Of the frame. */
    readonly here: readonly ShownAnnotation[];
    readonly around: readonly ShownAnnotation[];
  },
): readonly ShownAnnotation[] {
  const timeOf = new Map(frames.map(({ id, seconds }) => [id, seconds]));
  const [before, after] = [new Map<string, Timed>(), new Map<string, Timed>()];
  for (const annotation of around) {
    const seconds = timeOf.get(annotation.media_id);
    if (annotation.track_id === null || seconds === undefined || seconds === frame.seconds) continue;
    const nearest = seconds < frame.seconds ? before : after;
    const track = trackOf(annotation);
    const known = nearest.get(track);
    if (known === undefined || Math.abs(known.seconds - frame.seconds) > Math.abs(seconds - frame.seconds))
      nearest.set(track, { annotation, seconds });
  }
  for (const annotation of here) before.delete(trackOf(annotation));
  return [...before].flatMap(([track, from]) => {
    const to = after.get(track);
    if (to === undefined) return [];
    const share = (frame.seconds - from.seconds) / (to.seconds - from.seconds);
    const shape = shapeBetween(from.annotation.shape, to.annotation.shape, share);
    return shape === undefined ? [] : [{ ...from.annotation, shape, confidence: null }];
  });
}

const mixed = (from: number, to: number, share: number): number => from + share * (to - from);

const mixedAll = (from: readonly number[], to: readonly number[], share: number): number[] =>
  from.map((number, at) => mixed(number, to[at]!, share));

/** Undefined for shapes of different kinds or numbers of points, and for masks. */
function shapeBetween(from: Shape | null, to: Shape | null, share: number): Shape | undefined {
  if (from?.type === 'box' && to?.type === 'box') {
    const side = (name: 'x' | 'y' | 'width' | 'height'): number => mixed(from[name], to[name], share);
    const rotation = turned(from.rotation ?? 0, to.rotation ?? 0, share);
    return { type: 'box', x: side('x'), y: side('y'), width: side('width'), height: side('height'), rotation };
  }
  if (from?.type === 'polygon' && to?.type === 'polygon') {
    const { rings } = to;
    const isLike =
      from.rings.length === rings.length && from.rings.every(({ length }, at) => length === rings[at]!.length);
    return isLike
      ? { type: 'polygon', rings: from.rings.map((ring, at) => mixedAll(ring, rings[at]!, share)) }
      : undefined;
  }
  if (from?.type === 'keypoints' && to?.type === 'keypoints' && from.points.length === to.points.length) {
    const places = mixedAll(from.points, to.points, share);
    // Visible, hidden or not labelled, whichever is less.
    const points = places.map((place, at) => (at % 3 === 2 ? Math.min(from.points[at]!, to.points[at]!) : place));
    return { type: 'keypoints', points };
  }
  return undefined;
}

/** Degrees, the shorter way around. */
const turned = (from: number, to: number, share: number): number => {
  const turn = (((to - from) % 360) + 540) % 360;
  return from + share * (turn - 180);
};
