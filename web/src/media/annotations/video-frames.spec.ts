import { aroundFrame, frameAt, framesOf } from './video-frames';

type Video = Parameters<typeof framesOf>[0];

const child = (id: string, seconds: number | null) =>
  ({ media_id: id, frame_timestamp: seconds, width: 4, height: 3 }) as Video['children'][number];

describe('the frames of a video', () => {
  const frames = framesOf({ type: 'VIDEO', children: [child('b', 2), child('x', null), child('a', 0), child('c', 5)] });

  it('are in the order of their times', () => {
    expect(frames.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(framesOf({ type: 'IMAGE', children: [child('a', 0)] })).toEqual([]);
  });

  it('stand for the times around them', () => {
    expect([0, 0.9, 1.1, 3.4, 3.6, 99].map((seconds) => frameAt(frames, seconds)!.id)).toEqual([
      ...['a', 'a', 'b', 'b', 'c', 'c'],
    ]);
    expect(frameAt([], 1)).toBeUndefined();
  });

  it('are asked for around the current one, and then those before and after them', () => {
    const many = framesOf({ type: 'VIDEO', children: Array.from({ length: 45 }, (_, at) => child(String(at), at)) });
    const ids = (from: number, to: number) => many.slice(from, to).map(({ id }) => id);
    expect(aroundFrame(many, undefined)).toEqual({ before: [], now: ids(0, 20), next: ids(20, 40) });
    expect(aroundFrame(many, many[39])).toEqual({ before: ids(0, 20), now: ids(20, 40), next: ids(40, 45) });
    expect(aroundFrame(many, many[44])).toEqual({ before: ids(20, 40), now: ids(40, 45), next: [] });
  });
});
