import type { Annotation } from '../../../common/engine/annotations/annotation';
import { editsBetween } from './edits-between';
import { changedPicture } from './source-change';

const ACT = { by: 'someone', at: '1970-01-01T00:00:00.000Z', version: 9 };
const said = (id: string, label: string, version = 1): Annotation => ({ id, label, version });

function again(before: Annotation[], after: Annotation[], now: Annotation[], mode: 'add' | 'merge' = 'add') {
  const { annotations } = changedPicture(now, { edits: editsBetween(before, after, mode), replaces: false }, ACT);
  return annotations.map(({ id, label, version }) => `${id} ${label} ${version}`);
}

describe('edits between two times', () => {
  const before = [said('1', 'cat'), said('2', 'dog'), said('3', 'cow')];
  const after = [said('1', 'cat'), said('2', 'wolf', 2), said('4', 'hen')];

  it('make the one from the other', () => {
    expect(again(before, after, before)).toEqual(['1 cat 1', '2 wolf 9', '4 hen 9']);
  });

  it('keep what others did meanwhile', () => {
    const now = [said('1', 'lion', 2), said('2', 'dog'), said('3', 'cow'), said('5', 'ant')];
    expect(again(before, after, now)).toEqual(['1 lion 2', '2 wolf 9', '5 ant 1', '4 hen 9']);
  });

  it('leave an annotation with the same id as it is, unless they merge', () => {
    const now = [...before, said('4', 'ant')];
    expect(again(before, after, now)).toContain('4 ant 1');
    expect(again(before, after, now, 'merge')).toContain('4 hen 9');
  });
});
