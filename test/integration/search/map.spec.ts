import { mkdir } from 'node:fs/promises';
import request from 'supertest';
import { Additions } from '../../support/additions';
import { decodeTile, type DecodedTile } from '../../support/map-tile';
import { runningApp } from '../../support/test-app';

interface DatasetMap {
  readonly map_version: string;
  readonly total_media: number;
  readonly placed_media: number;
  readonly matching_media: number;
  readonly legend: readonly { readonly value: string; readonly id: string | null; readonly media: number }[];
}

interface Media {
  readonly media: readonly { readonly row: number; readonly media_id: string; readonly media_thumb_uri: string }[];
}

const SEEDS = Array.from({ length: 14 }, (_, seed) => seed);

describe('the map', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let id: string;

  beforeAll(async () => {
    id = await additions.indexed('mapped', await additions.writeFolder('mapped', SEEDS));
  });
  const mapOf = (query = ''): Promise<DatasetMap> =>
    additions.api.must(200, 'GET', `/api/v1/dataset/${id}/map${query}`);
  const get = (path: string): Promise<Response> =>
    fetch(`${running.url}/api/v1/dataset/${id}/map${path}`, { headers: additions.api.headers() });
  const tileOf = async (query: string): Promise<DecodedTile> => {
    const response = await get(`/tiles/0/0/0?${query}`);
    expect(response.status).toBe(200);
    return decodeTile(Buffer.from(await response.arrayBuffer()));
  };
  const mediaOf = async (rows: readonly number[]): Promise<Media['media']> =>
    (await additions.api.must<Media>(200, 'GET', `/api/v1/dataset/${id}/map/media?rows=${rows.join(',')}`)).media;

  it('contains all media at the places in their rows', async () => {
    const map = await mapOf();
    expect(map).toMatchObject({ total_media: 14, placed_media: 14, matching_media: 14 });
    const { rows, x, y, total, matches } = await tileOf(`map_version=${map.map_version}`);
    expect(total).toBe(14);
    expect([...rows].sort((a, b) => a - b)).toEqual(SEEDS);
    expect(matches).toEqual(SEEDS.map(() => 1));
    const stored = await additions.rows(id);
    rows.forEach((row, i) => {
      const { mapPlace } = stored[row]!;
      expect(x[i]! / 65_536).toBeCloseTo(mapPlace!.x, 4);
      expect(y[i]! / 65_536).toBeCloseTo(mapPlace!.y, 4);
    });
  });

  it('returns the media of rows like explore', async () => {
    const stored = await additions.rows(id);
    const shown = await mediaOf([5, 0, 13]);
    expect(shown.map(({ row }) => row)).toEqual([5, 0, 13]);
    expect(shown.map(({ media_id: media }) => media)).toEqual([5, 0, 13].map((row) => stored[row]!.id));
    expect((await fetch(shown[0]!.media_thumb_uri)).status).toBe(200);
  });

  it('has the same media for an area in tiles and facets, and colours media by tag', async () => {
    const { rows, x, y } = await tileOf('');
    const middle = [...x].sort((a, b) => a - b)[7]! / 65_536;
    const inside = rows.filter((_, i) => x[i]! / 65_536 < middle && y[i]! < 65_535).sort((a, b) => a - b);
    const vql = [{ map_area: { op: 'in', value: [[0, 0], [middle, 0], [middle, 1], [0, 1]] } }]; // prettier-ignore
    const query = `vql=${encodeURIComponent(JSON.stringify(vql))}`;
    const filtered = await tileOf(query);
    expect(filtered.rows.filter((_, i) => filtered.matches[i] === 1).sort((a, b) => a - b)).toEqual(inside);
    expect((await mapOf(`?${query}`)).matching_media).toBe(inside.length);
    const { total } = await additions.api.must<{ total: number }>(200, 'GET', `/api/v1/dataset/${id}/facets?${query}`);
    expect(total).toBe(inside.length);
    const { id: tag } = await additions.api.must<{ id: string }>(200, 'POST', `/api/v1/dataset/${id}/tags`, {
      name: 'left',
    });
    const before = await mapOf('?color_by=tag');
    await additions.api.must(200, 'POST', `/api/v1/dataset/${id}/tags/${tag}/assign`, {
      media_selection: [
        { type: 'media', payload: { media_ids: (await mediaOf(inside)).map(({ media_id: media }) => media) } },
      ],
    });
    const after = await mapOf('?color_by=tag');
    expect(after.legend).toEqual([{ value: 'left', id: tag, media: inside.length }]);
    const tagged = await tileOf('color_by=tag');
    expect(tagged.rows.filter((_, i) => tagged.colours[i] === 0).sort((a, b) => a - b)).toEqual(inside);
    // Tags are part of the version only if the tiles show them.
    expect((await get(`/tiles/0/0/0?color_by=tag&map_version=${before.map_version}`)).status).toBe(409);
    expect((await get(`/tiles/0/0/0?color_by=label&map_version=${before.map_version}`)).status).toBe(200);
  });

  it('allows browsers to cache the tiles of a version', async () => {
    const { map_version: version } = await mapOf();
    const path = `/tiles/0/0/0?map_version=${version}`;
    const first = await get(path);
    expect(first.headers.get('cache-control')).toBe('private, max-age=86400, immutable');
    expect(first.headers.get('content-type')).toBe('application/octet-stream');
    // fetch bypasses caches for conditional requests.
    const again = await request(running.url)
      .get(`/api/v1/dataset/${id}/map${path}`)
      .set(additions.api.headers())
      .set('if-none-match', first.headers.get('etag')!);
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await get('/tiles/0/0/0')).headers.get('cache-control')).toBe('private, no-cache');
  });

  it('places added media beside similar ones, and reports the change', async () => {
    const { map_version: before } = await mapOf();
    await mkdir(additions.place('more'), { recursive: true });
    await additions.writeFolder('more', [3, 40]);
    await additions.addFolder(id, additions.place('more'));
    await additions.ended(id);
    expect(await mapOf()).toMatchObject({ total_media: 16, placed_media: 16 });
    const stale = await get(`/tiles/0/0/0?map_version=${before}`);
    expect([stale.status, await stale.json()]).toEqual([
      409,
      { detail: 'The dataset has changed since this map was made. Ask for the map again, and use its map_version.' },
    ]);
    const stored = await additions.rows(id);
    const places = stored.filter(({ path }) => path === '3.jpg').map(({ mapPlace }) => mapPlace!);
    expect(Math.hypot(places[0]!.x - places[1]!.x, places[0]!.y - places[1]!.y)).toBeLessThan(0.1);
    await additions.reindex(id);
    expect(await mapOf()).toMatchObject({ total_media: 16, placed_media: 16 });
  });
});
