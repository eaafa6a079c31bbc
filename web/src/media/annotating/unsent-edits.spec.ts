import { newId, newSaid, requestOf, saysTheSame, withShape, type Annotation, type Change } from './edit';
import { afterRedo, afterUndo, NO_STEPS, withoutSteps, withStep, type Steps } from './edit-steps';
import {
  afterFirst,
  isMade,
  overwriting,
  withEdit,
  withoutFirst,
  withUnsent,
  type Unsent,
  type UnsentEdit,
} from './unsent-edits';

const boat = newSaid('a', 'boat', { type: 'box', x: 1, y: 2, width: 3, height: 4 });
const ship = { ...boat, label: 'ship' };
const edit = (key: string, changes: readonly Change[], rest: Partial<UnsentEdit> = {}): UnsentEdit => ({
  ...{ key, datasetId: 'd', mediaId: 'm', source: 's', undoes: null, changes },
  ...rest,
});
const add = edit('add', [{ id: 'a', before: null, after: boat, seen: null }]);
const change = edit('change', [{ id: 'a', before: boat, after: ship, seen: 7 }]);
const remove = edit('remove', [{ id: 'a', before: ship, after: null, seen: 8 }]);
const stored = (said: object, version: number) => ({ ...said, media_id: 'm', source: 's', version }) as Annotation;
const seenIn = (unsent: Unsent) => unsent.map(({ changes }) => changes[0]!.seen);

describe('edits that wait', () => {
  it('are sent with the version that comes of the edit before', () => {
    const unsent = [add, change, remove].reduce<Unsent>(withEdit, []);
    expect(seenIn(unsent)).toEqual([null, null, null]);
    const next = afterFirst(unsent, { changeId: 'c', versionOf: () => 9 });
    expect(seenIn(next)).toEqual([9, null]);
    expect(seenIn(afterFirst(next, { changeId: 'c', versionOf: () => 11 }))).toEqual([11]);
  });

  it('keep the version that was seen if no other edit changes the annotation', () => {
    expect(seenIn(withEdit([edit('other', add.changes, { mediaId: 'n' })], change))).toEqual([null, 7]);
  });

  it('take back a change once its id is known', () => {
    const undo = edit('undo', [{ id: 'a', before: boat, after: null, seen: null }], {
      undoes: { key: 'add', changeId: null },
    });
    const [left] = afterFirst(withEdit([add], undo), { changeId: 'c', versionOf: () => 9 });
    expect(left!.undoes).toEqual({ key: 'add', changeId: 'c' });
  });

  it('are given up with later ones of the same annotation', () => {
    const both = edit('both', [...change.changes, { id: 'b', before: null, after: { ...boat, id: 'b' }, seen: null }]);
    expect(withoutFirst([add, both, remove]).map(({ key, changes }) => [key, changes.map(({ id }) => id)])).toEqual([
      ['both', ['b']],
    ]);
    expect(withoutFirst([add, edit('elsewhere', change.changes, { source: 't' })])).toHaveLength(1);
    expect(withoutFirst([])).toEqual([]);
  });

  it('overwrite what is stored, also what is gone', () => {
    expect(overwriting([change], 'a', stored(boat, 12))[0]!.changes[0]).toMatchObject({ after: ship, seen: 12 });
    expect(requestOf(overwriting([change], 'a', null)[0]!)).toMatchObject({
      mode: 'add',
      annotations: [{ label: 'ship' }],
    });
  });

  it('were made if what is stored is what they wanted', () => {
    expect(isMade(change, 'a', stored({ ...ship, area: 12 }, 12))).toBe(true);
    expect(isMade(change, 'a', stored({ ...ship, attributes: { wet: true } }, 12))).toBe(false);
    expect(isMade(change, 'a', null)).toBe(false);
    expect(isMade(remove, 'a', null)).toBe(true);
  });
});

it('makes a request of an edit', () => {
  const about = { media_id: 'm', id: 'a' };
  const said = { label: 'boat', shape: boat.shape, attributes: {}, crowd: false, ignored: false };
  expect(requestOf(add)).toEqual({ source: 's', kind: 'truth', mode: 'add', annotations: [{ ...about, ...said }] });
  expect(requestOf(change)).toMatchObject({ mode: 'merge', annotations: [{ label: 'ship', version: 7 }] });
  expect(requestOf(remove)).toMatchObject({ mode: 'delete', annotations: [{ ...about, version: 8 }] });
  const sure = edit('k', [
    { id: 'a', before: null, after: { ...boat, confidence: 0.5, track_id: '3', area: 2 }, seen: null },
  ]);
  expect(requestOf(sure).annotations[0]).toMatchObject({ confidence: 0.5, track_id: '3', area: 2 });
});

it('shows edits that wait over what is stored, and leaves the rest as it is', () => {
  const listed = [stored(boat, 1), stored({ ...boat, id: 'b' }, 2)];
  const make = (each: Parameters<Parameters<typeof withUnsent>[2]>[0]) => each as Annotation;
  expect(withUnsent(listed, [], make)).toBe(listed);
  const shown = withUnsent(
    listed,
    [change, edit('new', [{ id: 'c', before: null, after: { ...boat, id: 'c' }, seen: null }])],
    make,
  );
  expect(shown.map(({ id, label, version }) => [id, label, version])).toEqual([
    ['a', 'ship', 1],
    ['b', 'boat', 2],
    ['c', 'boat', 0],
  ]);
  expect(shown[1]).toBe(listed[1]);
  expect(withUnsent(listed, [remove], make)).toEqual([listed[1]]);
});

it('compares what is said, in any order of its fields', () => {
  expect(saysTheSame({ ...boat, shape: { height: 4, width: 3, y: 2, x: 1, type: 'box' } }, boat)).toBe(true);
  expect(saysTheSame(withShape(boat, null), boat)).toBe(false);
  expect(saysTheSame({ ...boat, attributes: { a: 1 } }, { ...boat, attributes: { b: 1 } })).toBe(false);
  expect(newId()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

describe('steps', () => {
  it('are undone and done again, up to 200; a new one forgets what was undone', () => {
    let steps: Steps<number> = NO_STEPS;
    for (let step = 0; step < 250; step += 1) steps = withStep(steps, step);
    expect([steps.done.length, steps.done[0]]).toEqual([200, 50]);
    steps = afterUndo(afterUndo(steps, -249), -248);
    expect([steps.done.at(-1), steps.undone]).toEqual([247, [-249, -248]]);
    steps = afterRedo(steps, 248);
    expect([steps.done.at(-1), steps.undone]).toEqual([248, [-249]]);
    expect(withStep(steps, 1).undone).toEqual([]);
  });

  it('of what was given up are forgotten', () => {
    const other = edit('other', [{ id: 'z', before: null, after: boat, seen: null }]);
    expect(withoutSteps({ done: [add, other, change], undone: [remove] }, change)).toEqual({
      done: [other],
      undone: [],
    });
  });
});
