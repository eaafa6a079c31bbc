import { newSaid, saysTheSame } from './edit';
import { copiedTo } from './next-frame';

const ball = newSaid('a', 'ball', { type: 'box', x: 1, y: 2, width: 3, height: 4 });
const shoe = { ...newSaid('b', 'shoe', { type: 'box', x: 9, y: 9, width: 3, height: 4 }), track_id: '7' };

it('copies shapes with new ids and without their confidence', () => {
  const changes = copiedTo([], [{ ...ball, confidence: 0.5 }, shoe]);
  expect(changes).toMatchObject([
    { before: null, after: { label: 'ball', confidence: null }, seen: null },
    { before: null, after: { label: 'shoe', track_id: '7' }, seen: null },
  ]);
  expect(changes.every(({ id, after }) => after!.id === id && id !== 'a' && id !== 'b')).toBe(true);
  expect(saysTheSame({ ...changes[1]!.after!, id: 'b' }, shoe)).toBe(true);
});

it('copies nothing that is there, and no second shape of a track', () => {
  const moved = { ...shoe, id: 'c', shape: ball.shape };
  expect(copiedTo([{ ...ball, id: 'd' }, moved], [ball, shoe])).toEqual([]);
});
