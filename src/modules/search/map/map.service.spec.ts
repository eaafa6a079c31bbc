import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderOf } from '../../versions';
import {
  FILTERABLE_ROWS,
  filterableDataset,
  kindOf,
  madeRow,
  type FilterableDataset,
} from '../../../../test/support/filterable-dataset';
import { decodeTile } from '../../../../test/support/map-tile';
import { idOf } from '../../../../test/support/media-rows';
import type { Filter } from '../query/domain/filter';
import { makeSearchQuery } from '../query/domain/make-search-query';
import type { MapColour } from './domain/map-colours';
import { MapChangedError, NoSuchRowError, NoSuchTileError, type AskedTile } from './map.service';

const ROOT = { z: 0, x: 0, y: 0 };
/** The rows of images and frames with a place. */
const PLACED = Array.from({ length: FILTERABLE_ROWS }, (_, row) => row).filter(
  (row) => ['IMAGE', 'FRAME'].includes(kindOf(row)) && row % 6 !== 5,
);

describe('the map of a dataset', () => {
  const folder = mkdtempSync(join(tmpdir(), 'map-service-'));
  let dataset: FilterableDataset;

  beforeAll(async () => {
    dataset = await filterableDataset(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const asked = (colour: MapColour, ...filters: Filter[]): AskedTile => ({
    query: makeSearchQuery({ entityType: 'IMAGES', level: 0, filters, caption: undefined, anchor: undefined }),
    colour,
    evaluation: colour === 'outcome' ? idOf('evaluation a') : undefined,
    mapVersion: undefined,
    tile: ROOT,
  });
  const tileOf = async (of: AskedTile) => decodeTile((await dataset.search.map.tile(dataset.search.state(), of)).bytes);

  it('contains each row of its type with a place once', async () => {
    const { rows, total } = await tileOf(asked('none'));
    expect(total).toBe(PLACED.length);
    expect([...rows].sort((a, b) => a - b)).toEqual(PLACED);
    expect(await dataset.search.map.overview(dataset.search.state(), asked('none'))).toMatchObject({
      total: 70,
      placed: PLACED.length,
      matching: 70,
      legend: [],
    });
  });

  it.each<MapColour>(['cluster', 'label', 'tag', 'issue', 'batch', 'outcome'])(
    'counts in the legend of %s what it colours',
    async (by) => {
      const { legend } = await dataset.search.map.overview(dataset.search.state(), asked(by));
      expect(legend.length).toBeGreaterThan(0);
      expect(legend.map(({ media }) => media)).toEqual(legend.map(({ media }) => media).sort((a, b) => b - a));
      const { colours } = await tileOf(asked(by));
      expect(colours.every((colour) => colour < legend.length || colour === 20 || colour === 65_535)).toBe(true);
      legend.forEach(({ media }, place) => {
        const coloured = colours.filter((colour) => colour === place).length;
        expect(coloured).toBeLessThanOrEqual(media);
      });
      expect(colours.some((colour) => colour === legend.length - 1)).toBe(true);
    },
  );

  it('names clusters after the labels or folders of their media', async () => {
    const { legend } = await dataset.search.map.overview(dataset.search.state(), asked('cluster'));
    const rows = Array.from({ length: FILTERABLE_ROWS }, (_, row) => madeRow(row));
    const known = new Set(rows.flatMap(({ labels = [], path = '' }) => [...labels, folderOf(path)]));
    const names = legend.flatMap(({ name }) => name ?? []);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name.split(', ').filter((each) => !known.has(each))).toEqual([]);
  });

  it('evaluates a search once for concurrent tiles, and caches the rows', async () => {
    const select = jest.spyOn(dataset.search.engine, 'matching');
    const of = asked('label', { kind: 'range', field: 'height', min: 20 });
    const tiles = [ROOT, ...[0, 1].flatMap((x) => [0, 1].map((y) => ({ z: 1, x, y })))];
    const found = await Promise.all(tiles.map((tile) => tileOf({ ...of, tile })));
    const { matching } = await dataset.search.map.overview(dataset.search.state(), of);
    expect(select).toHaveBeenCalledTimes(1);
    select.mockRestore();
    const [root, ...children] = found;
    expect(children.reduce((sum, { total }) => sum + total, 0)).toBe(root!.total);
    root!.rows.forEach((row, i) => expect(root!.matches[i]).toBe(row >= 20 ? 1 : 0));
    expect(matching).toBe(50);
  });

  it('filters by areas consistently with the tiles', async () => {
    const area: Filter = { kind: 'mapArea', polygon: [[0.2, 0], [0.8, 0], [0.8, 0.6], [0.2, 0.6]] }; // prettier-ignore
    const { rows, x, y, matches } = await tileOf(asked('none', area));
    rows.forEach((_, i) => {
      const [left, top] = [x[i]! / 65_536, y[i]! / 65_536];
      expect(matches[i]).toBe(left >= 0.2 && left < 0.8 && top < 0.6 ? 1 : 0);
    });
    expect(matches).toContain(1);
  });

  it('refuses unknown tiles and rows, and other versions', async () => {
    const { map } = dataset.search;
    const state = dataset.search.state();
    const of = asked('none');
    await expect(map.tile(state, { ...of, tile: { z: 3, x: 8, y: 0 } })).rejects.toThrow(NoSuchTileError);
    await expect(map.tile(state, { ...of, mapVersion: 'other' })).rejects.toThrow(MapChangedError);
    const media = { mapVersion: undefined };
    await expect(map.media(state, { ...media, rows: [FILTERABLE_ROWS] })).rejects.toThrow(NoSuchRowError);
    const previews = await map.media(state, { ...media, rows: [7, 3, 7] });
    expect(previews.map(({ row }) => row.fileName)).toHaveLength(3);
    expect(previews[0]).toEqual(previews[2]);
  });
});
