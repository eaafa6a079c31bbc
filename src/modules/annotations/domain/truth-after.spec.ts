import type { Annotation } from '../../../common/engine/annotations/annotation';
import { versionOfLabel } from '../../versions';
import { truthAfter } from './truth-after';

const label = (of: string, id = of): Annotation => ({ id, label: of, version: 1 });
const box = (id: string, of: string): Annotation => ({ id, label: of, box: [1, 2, 3, 4], version: 1 });
const by = (annotation: Annotation): Annotation => ({ ...annotation, createdBy: 'ana', version: 4 });
const polygon: Annotation = { id: 'p', label: 'sea', polygon: [[0, 0, 1, 0, 1, 1]], version: 1 };

describe('what people say after the table was written', () => {
  it('has the labels of the table, with the authors of those that were there', () => {
    const before = [by(label('cat')), label('dog')];
    const after = truthAfter({
      ...{ before, tableBefore: [], replacesBoxes: false },
      tableAfter: [label('cat', 'other'), label('pet')],
    });
    expect(after).toEqual([by(label('cat')), label('pet')]);
  });

  it('keeps shapes that no table has, and boxes that are not in it yet', () => {
    const before = [polygon, by(box('new', 'boat'))];
    const table = { tableBefore: [box('old', 'car')], tableAfter: [box('old', 'car'), box('cut', 'bus')] };
    expect(truthAfter({ before: [...before, box('old', 'car')], ...table, replacesBoxes: false })).toEqual([
      box('old', 'car'),
      box('cut', 'bus'),
      polygon,
      by(box('new', 'boat')),
    ]);
    expect(truthAfter({ before, tableBefore: [], tableAfter: [box('cut', 'bus')], replacesBoxes: true })).toEqual([
      box('cut', 'bus'),
      polygon,
    ]);
  });

  it('keeps a polygon when the object that was made of it is replaced, and gives it the label of its object', () => {
    const made = { ...box('p', 'sea') };
    const replaced = { tableBefore: [made], tableAfter: [box('cut', 'bus')], replacesBoxes: true };
    expect(truthAfter({ before: [polygon], ...replaced })).toEqual([box('cut', 'bus'), polygon]);
    const relabelled = { tableBefore: [made], tableAfter: [box('p', 'lake')], replacesBoxes: false };
    expect(truthAfter({ before: [polygon], ...relabelled })).toEqual([
      { ...polygon, label: 'lake', version: 1 + versionOfLabel('lake') },
    ]);
  });

  it('does not bring back a box that was removed, and forgets one that the table lost', () => {
    const before = [box('kept', 'car'), box('lost', 'bus')];
    const tableBefore = [box('kept', 'car'), box('lost', 'bus'), box('removed', 'van')];
    const tableAfter = [box('kept', 'taxi'), box('removed', 'van')];
    expect(truthAfter({ before, tableBefore, tableAfter, replacesBoxes: false })).toEqual([
      { ...box('kept', 'taxi'), version: 1 + versionOfLabel('taxi') },
    ]);
  });
});
