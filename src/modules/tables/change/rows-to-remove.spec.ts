import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIMENSIONS, mediaRow } from '../../../../test/support/media-rows';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { allButRelated, withDependents } from './remove-rows.step';

const part = (seed: number, kind: 'OBJECT' | 'FRAME', parent: MediaRow): MediaRow =>
  mediaRow(seed, { kind, parentId: parent.id });

describe('rows that are removed with a file', () => {
  let folder: string;
  let table: MediaTable;

  const video = mediaRow(0, { kind: 'VIDEO', embedding: null });
  const frame = part(1, 'FRAME', video);
  const image = mediaRow(2);
  const rows = [
    // An object may precede its frame.
    part(3, 'OBJECT', frame),
    frame,
    image,
    part(4, 'OBJECT', image),
    part(5, 'OBJECT', frame),
    video,
  ];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-remove-'));
    const tables = new MediaTableStore({ uri: join(folder, 'tables'), storageOptions: {} });
    table = await tables.open(await tables.create('all', DIMENSIONS, [rows]));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const removedWith = (files: readonly number[]) => withDependents(table, files, new AbortController().signal);

  it('are the objects of an image', async () => {
    const { ordinals, counts } = await removedWith([2]);
    expect([...ordinals.toArray()]).toEqual([2, 3]);
    expect(counts).toEqual({ images: 1, videos: 0, objects: 1, frames: 0 });
  });

  it('are the frames of a video with their objects', async () => {
    const { ordinals, counts } = await removedWith([5]);
    expect([...ordinals.toArray()]).toEqual([0, 1, 4, 5]);
    expect(counts).toEqual({ images: 0, videos: 1, objects: 2, frames: 1 });
  });

  it.each([
    ['an image, with its object', [2], [2, 3]],
    ['an object, with the frame and the video that it is in, but no other object', [0], [0, 1, 5]],
    ['a video, with all that belongs to it', [5], [0, 1, 4, 5]],
    ['nothing', [], []],
  ])('are all except %s', async (_what, wanted, kept) => {
    const { ordinals } = await allButRelated(table, OrdinalSet.of(6, wanted), new AbortController().signal);
    expect([...ordinals.complement().toArray()]).toEqual(kept);
  });
});
