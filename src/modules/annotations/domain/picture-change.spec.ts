import type { Annotation } from '../../../common/engine/annotations/annotation';
import { Random } from '../../../../test/support/random';
import { countsOf, pictureChange, withoutChange, type PictureChange } from './picture-change';
import { changedPicture, newAct, type Edit, type GivenAnnotation } from './source-change';

const one = (id: string, version: number, label = id): Annotation => ({ id, label, version });
const idsOf = (list: readonly Annotation[]): string => list.map(({ id, version }) => `${id}${version}`).join(' ');

describe('a change of the annotations of a picture', () => {
  const before = [one('a', 1), one('b', 1), one('c', 1)];
  const after = [one('a', 1), one('b', 2), one('d', 2)];
  const change = pictureChange(before, after);

  it('has what differs, at its place', () => {
    expect(change).toEqual({
      before: [
        { at: 1, annotation: one('b', 1) },
        { at: 2, annotation: one('c', 1) },
      ],
      after: [
        { at: 1, annotation: one('b', 2) },
        { at: 2, annotation: one('d', 2) },
      ],
    });
    expect(countsOf(change)).toEqual({ added: 1, changed: 1, removed: 1 });
  });

  it('is undone to exactly what was before', () => {
    expect(withoutChange(after, change)).toEqual({ annotations: before, conflicts: [] });
  });

  it('is undone beside other changes, which stay', () => {
    const later = [one('x', 3), ...after, one('y', 3)];
    expect(idsOf(withoutChange(later, change).annotations)).toBe('x3 b1 c1 a1 y3');
  });

  it('is not undone if another change came after it', () => {
    const { conflicts } = withoutChange([one('a', 1), one('b', 3), one('c', 3)], change);
    expect(conflicts).toEqual([
      { id: 'b', sent: 2, current: one('b', 3) },
      { id: 'd', sent: 2, current: null },
      { id: 'c', sent: 1, current: one('c', 3) },
    ]);
  });

  it('of any edits is undone and done again, each time exactly', () => {
    const random = new Random(7);
    const pick = (count: number): number => Math.floor(random.next() * count);
    const anyGiven = (): GivenAnnotation => ({
      label: `l${pick(3)}`,
      ...(pick(9) > 0 && { id: `i${pick(8)}` }),
    });
    const anyEdit = (): Edit => ({ kind: (['add', 'merge', 'remove'] as const)[pick(3)]!, given: anyGiven() });
    let now: readonly Annotation[] = [one('i0', 1), one('i5', 1)];
    const states = [now];
    const changes: PictureChange[] = [];
    for (let round = 0; round < 500; round += 1) {
      const edits = Array.from({ length: 1 + pick(4) }, anyEdit);
      const { annotations } = changedPicture(now, { edits, replaces: pick(20) === 0 }, newAct('someone'));
      changes.push(pictureChange(now, annotations));
      states.push((now = annotations));
    }
    const undos = changes.toReversed().map((made, back) => {
      const { annotations, conflicts } = withoutChange(now, made);
      expect(conflicts).toEqual([]);
      expect(annotations).toEqual(states[states.length - 2 - back]);
      const undo = pictureChange(now, annotations);
      now = annotations;
      return undo;
    });
    for (const [back, undo] of undos.toReversed().entries()) {
      now = withoutChange(now, undo).annotations;
      expect(now).toEqual(states[back + 1]);
    }
  });
});
