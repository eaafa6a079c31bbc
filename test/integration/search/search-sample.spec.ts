import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { SampleSummary } from '#sample';
import { ApiClient, filesForm } from '../../support/api-client';
import { drawnSample } from '../../support/drawn-sample';
import { startTestApp, type TestApp } from '../../support/test-app';

interface Preview {
  readonly media_id: string;
  readonly original_uri: string;
  readonly caption: string | null;
  readonly relevance_score?: number | null;
  readonly user_tags: Record<string, { name: string; count: number }> | null;
}

interface Cluster {
  readonly cluster_id: string;
  readonly n_images: number;
  readonly previews: readonly Preview[];
  readonly relevance_score: number | null;
  readonly relevance_score_type?: string | null;
  readonly formed_by: string;
  readonly user_tags: Record<string, { name: string; count: number }> | null;
}

interface Group {
  readonly group_id: string;
  readonly n_members: number;
  readonly doubt: string | null;
  readonly members: readonly Preview[];
}

interface Effect {
  readonly kept: number;
  readonly removed: number;
}

interface Explored {
  readonly clusters: readonly Cluster[];
  readonly total_pages: number;
}

describe('searching the sample dataset', () => {
  let running: TestApp;
  let api: ApiClient;
  let sample: SampleSummary;
  let id: string;

  beforeAll(async () => {
    const { root, summary } = await drawnSample();
    sample = summary;
    running = await startTestApp({ MEDIA_ROOTS: root });
    api = new ApiClient(running.url);
    id = await api.indexed('Sample', sample.folder);
  });
  afterAll(() => running.close());

  const explore = (query: Record<string, string>, page = 0): Promise<Explored> =>
    api.must<Explored>(
      200,
      'GET',
      `/api/v1/explore/${id}?${new URLSearchParams({ ...query, page_number: String(page) }).toString()}`,
    );
  const vql = (...filters: object[]): Record<string, string> => ({ vql: JSON.stringify(filters) });

  /** All clusters of all pages. */
  async function allClusters(query: Record<string, string>): Promise<Cluster[]> {
    const first = await explore(query);
    const clusters = [...first.clusters];
    for (let page = 1; page < first.total_pages; page++) clusters.push(...(await explore(query, page)).clusters);
    return clusters;
  }

  async function membersOf(cluster: Cluster, query: Record<string, string> = {}): Promise<Preview[]> {
    const path = `/api/v1/explore/${id}/clusters/${cluster.cluster_id}`;
    const asked = new URLSearchParams({ ...query, limit: '1000' });
    return (await api.must<{ members: Preview[] }>(200, 'GET', `${path}?${asked.toString()}`)).members;
  }

  /** The paths of all media in a result. */
  async function pathsOf(asked: Record<string, string>): Promise<string[]> {
    const query = { threshold: '4', ...asked };
    const clusters = await allClusters(query);
    // The previews of a small cluster are all its members.
    const members = await Promise.all(
      clusters.map(async (cluster) =>
        cluster.previews.length === cluster.n_images ? cluster.previews : await membersOf(cluster, query),
      ),
    );
    return members
      .flat()
      .map((member) => member.original_uri)
      .sort();
  }

  it.each(['blurred', 'dark', 'bright'] as const)('finds %s pictures by their issue', async (kind) => {
    const issue = { blurred: 'blur', dark: 'dark', bright: 'bright' }[kind];
    const found = await pathsOf(vql({ issues: { op: 'issue', value: issue, mode: 'in' } }));
    const known = sample.truth[kind];
    expect(known.filter((path) => !found.includes(path))).toEqual([]);
    expect(found.length).toBeLessThanOrEqual(known.length * 2);
    const others = await pathsOf(vql({ issues: { op: 'issue', value: issue, mode: 'not_in' } }));
    expect(others.filter((path) => found.includes(path))).toEqual([]);
  });

  it('finds exactly the known duplicates at 1.0', async () => {
    const asked = [{ duplicate_threshold: '1' }, vql({ duplicates: { op: 'duplicates', value: 1 } })];
    for (const query of asked) {
      const clusters = await allClusters(query);
      const groups = await Promise.all(
        clusters.map(async (cluster) => (await membersOf(cluster)).map((member) => member.original_uri).sort()),
      );
      const known = sample.truth.duplicates.map((group) => [...group].sort());
      const isPicture = (path: string): boolean => !sample.videos.some((video) => path.startsWith(video));
      expect(groups.filter((group) => group.every(isPicture)).sort()).toEqual(known.sort());
      for (const cluster of clusters) {
        expect(cluster).toMatchObject({ formed_by: 'DUPLICATES', relevance_score: null, doubt: null });
        expect(cluster).not.toHaveProperty('relevance_score_type');
        expect(cluster.previews[0]).not.toHaveProperty('relevance_score');
      }
    }
  });

  it('finds more near duplicates at lower similarities, and refuses too low ones', async () => {
    const at = async (similarity: string): Promise<number> =>
      (await pathsOf({ duplicate_threshold: similarity })).length;
    const [high, middle, low] = [await at('0.99'), await at('0.95'), await at('0.9')];
    expect(high).toBeLessThanOrEqual(middle);
    expect(middle).toBeLessThanOrEqual(low);
    expect(low).toBeGreaterThan(sample.truth.duplicates.flat().length);
    await api.must(422, 'GET', `/api/v1/explore/${id}?duplicate_threshold=0.5`);
  });

  it('finds a family of drawings by an example image', async () => {
    const [original] = sample.truth.nearDuplicates;
    const bytes = await readFile(join(sample.folder, original!.edited));
    const anchor = await api.must<{ anchor_media_id: string; anchor_type: string }>(
      200,
      'POST',
      `/api/v1/dataset/${id}/search-image-similarity?entity_type=IMAGES&threshold=2`,
      filesForm([{ name: 'query.jpg', bytes }], 'file'),
    );
    const { clusters } = await explore({ entity_type: 'IMAGES', threshold: '2', ...anchor });
    const best = clusters[0]!;
    expect(best.relevance_score).toBeLessThan(0.001);
    expect([original!.original, original!.edited]).toContain(best.previews[0]!.original_uri);
    const family = sample.truth.families.get(original!.original);
    const families = best.previews.map((preview) => sample.truth.families.get(preview.original_uri));
    expect(families.filter((each) => each === family).length).toBeGreaterThan(families.length / 2);
    expectRising(clusters);
  });

  it('finds a picture by its mirrored copy', async () => {
    const [group] = sample.truth.duplicates;
    const bytes = await sharp(join(sample.folder, group![0]!)).autoOrient().flop().png().toBuffer();
    const anchor = await api.must<{ anchor_media_id: string; anchor_type: string }>(
      200,
      'POST',
      `/api/v1/dataset/${id}/search-image-similarity?entity_type=IMAGES&threshold=0`,
      filesForm([{ name: 'mirrored.png', bytes }], 'file'),
    );
    const [best] = (await explore({ entity_type: 'IMAGES', threshold: '0', ...anchor })).clusters;
    expect(best!.relevance_score).toBeLessThan(0.01);
    expect(group).toContain(best!.previews[0]!.original_uri);
  });

  it('lists groups of different drawings last, marks them as doubtful, and excludes them from rules by default', async () => {
    const path = `/api/v1/dataset/${id}/duplicates`;
    const groupsAt = (page: number) =>
      api.must<{ open_groups: number; total_pages: number; groups: Group[] }>(
        200,
        'GET',
        `${path}?duplicate_threshold=0.95&limit=100&page_number=${page}`,
      );
    const first = await groupsAt(0);
    const groups = [...first.groups];
    for (let page = 1; page < first.total_pages; page++) groups.push(...(await groupsAt(page)).groups);
    const doubted = groups.filter(({ doubt }) => doubt !== null);
    expect(groups.slice(-doubted.length)).toEqual(doubted);
    const largest = groups.reduce((a, b) => (b.n_members > a.n_members ? b : a));
    expect(largest.doubt).toBe('LARGE');
    const families = new Set(largest.members.map(({ original_uri: uri }) => sample.truth.families.get(uri)));
    expect([...families]).toEqual(['wood']);
    const overview = await api.must<Effect & { doubtful: Effect & { groups: number } }>(
      200,
      'GET',
      `${path}/overview?duplicate_threshold=0.95`,
    );
    expect(overview).toMatchObject({ kept: groups.length - doubted.length, doubtful: { groups: doubted.length } });
    const decide = (more: object) =>
      api.must<Effect & { batch_id: string }>(200, 'POST', `${path}/decisions/by_rule`, more);
    const certain = await decide({ duplicate_threshold: 0.95 });
    expect(certain).toMatchObject({ kept: overview.kept, removed: overview.removed });
    expect((await groupsAt(0)).groups.map(({ group_id }) => group_id)).toEqual(doubted.map(({ group_id }) => group_id));
    const others = await decide({ duplicate_threshold: 0.95, include_doubtful: true });
    expect(others).toMatchObject({ kept: overview.doubtful.kept, removed: overview.doubtful.removed });
    expect((await groupsAt(0)).open_groups).toBe(0);
    for (const { batch_id: batch } of [certain, others])
      await api.must(200, 'DELETE', `${path}/decisions?batch_id=${batch}`);
  });

  it('returns the anchor itself first, at distance 0', async () => {
    const [browsed] = (await explore({})).clusters;
    const media = browsed!.previews[3]!.media_id;
    const { clusters, total_pages } = await explore({
      entity_type: 'IMAGES',
      anchor_media_id: media,
      anchor_type: 'MEDIA',
    });
    expect(clusters[0]!.previews[0]).toMatchObject({ media_id: media, relevance_score: 0 });
    expect(clusters[0]!.relevance_score).toBe(0);
    expect(total_pages).toBe((await explore({})).total_pages);
    expectRising(clusters);
  });

  it('finds captions by word stems, phrases and exclusions', async () => {
    const caption = (await allClusters({})).flatMap((each) => each.previews).find((each) => each.caption)!.caption!;
    const noun = /\b([a-z]{4,})s?\b/.exec(caption)![1]!;
    const found = async (value: string): Promise<string[]> => pathsOf(vql({ text: { op: 'fts', value } }));
    const plain = await found(noun);
    expect(plain.length).toBeGreaterThan(0);
    expect(await found(`${noun}s`)).toEqual(plain);
    expect(await found(noun.toUpperCase())).toEqual(plain);
    const phrase = await found(`"${caption.split(' ').slice(0, 3).join(' ')}"`);
    expect(phrase.length).toBeGreaterThan(0);
    const without = await found(`${noun} -zebra`);
    expect(without).toEqual(plain);
    expect(await found('zebracrossingless')).toEqual([]);
  });

  it('returns captions below the given distance, ranked', async () => {
    const caption = (await allClusters({})).flatMap((each) => each.previews).find((each) => each.caption)!.caption!;
    const query = { entity_type: 'IMAGES', caption };
    const all = (await explore(query)).clusters;
    expect(all[0]!.relevance_score).toBeCloseTo(0, 5);
    expectRising(all);
    const near = await pathsOf({ ...query, textual_similarity_threshold: '0.9' });
    const nearer = await pathsOf({ ...query, textual_similarity_threshold: '0.2' });
    expect(nearer.length).toBeGreaterThan(0);
    expect(nearer.length).toBeLessThan(near.length);
    expect(nearer.filter((path) => !near.includes(path))).toEqual([]);
    for (const cluster of (await explore({ ...query, textual_similarity_threshold: '0.2' })).clusters)
      for (const preview of cluster.previews) expect(preview.relevance_score).toBeLessThan(0.2);
    const similar = await pathsOf(vql({ text: { op: 'semantic', value: caption, threshold: 0.8 } }));
    expect(similar).toEqual(nearer);
  });

  it('combines filters with AND, and groups with OR', async () => {
    const labelled = (label: string): object => ({ labels: { op: 'one_of', value: [label] } });
    const facets = await api.must<{ labels: { value: string; count: number }[] }>(
      200,
      'GET',
      `/api/v1/dataset/${id}/facets`,
    );
    const [a, b] = facets.labels.map(({ value }) => value);
    const [ofA, ofB] = [await pathsOf(vql(labelled(a!))), await pathsOf(vql(labelled(b!)))];
    expect(ofA).toHaveLength(facets.labels[0]!.count);
    const either = [...new Set([...ofA, ...ofB])].sort();
    expect(await pathsOf(vql({ or: [labelled(a!), labelled(b!)] }))).toEqual(either);
    expect(await pathsOf(vql(labelled(a!), { not: labelled(b!) }))).toEqual(ofA.filter((path) => !ofB.includes(path)));
    expect(await pathsOf({ labels: JSON.stringify([a]), ...vql(labelled(b!)) })).toEqual(
      ofA.filter((path) => ofB.includes(path)),
    );
    const folder = ofA[0]!.split('/')[0]!;
    expect(await pathsOf(vql(labelled(a!), { folders: { op: 'starts_with', value: folder } }))).toEqual(
      ofA.filter((path) => path.startsWith(folder)),
    );
  });

  it('returns 413 for too long queries, and escapes every text', async () => {
    const long = await api.ask('GET', `/api/v1/explore/${id}?labels=[${'x'.repeat(1_000_000)}]`);
    expect([long.status, long.body]).toEqual([413, { detail: expect.stringContaining('16 KiB') as string }]);
    const hostile = [
      "' OR 1=1 --",
      "'; DROP TABLE media; --",
      '100%',
      'a\\b',
      '"quoted"',
      '\u202Eright',
      '%27',
      '`',
      '_',
    ];
    for (const value of hostile) {
      for (const filter of [{ labels: { op: 'one_of', value: [value] } }, { files: { op: 'contains', value } }]) {
        const { clusters } = await explore(vql(filter));
        if ('labels' in filter || value.length > 1) expect(clusters).toEqual([]);
      }
      await explore(vql({ text: { op: 'fts', value: `sky ${value}` } }));
    }
  });

  it('returns tags in clusters and previews, and finds untagged media', async () => {
    const { id: tag } = await api.must<{ id: string }>(200, 'POST', `/api/v1/dataset/${id}/tags`, { name: 'keep' });
    const cluster = (await explore({ threshold: '2' })).clusters[0]!;
    const body = { media_selection: [{ type: 'cluster', payload: { cluster_id: cluster.cluster_id } }] };
    await api.must(200, 'POST', `/api/v1/dataset/${id}/tags/${tag}/assign`, body);
    const again = (await explore({ threshold: '2' })).clusters[0]!;
    expect(again.user_tags).toEqual({ [tag]: { name: 'keep', count: (await membersOf(cluster)).length } });
    expect(again.previews[0]!.user_tags).toEqual({ [tag]: { name: 'keep', count: 1 } });
    const tagged = await pathsOf({ tags: `[${tag}]` });
    expect(tagged).toEqual((await membersOf(cluster)).map((member) => member.original_uri).sort());
    const untagged = await pathsOf({ tags: 'untagged' });
    expect(untagged.filter((path) => tagged.includes(path))).toEqual([]);
    expect([...untagged, ...tagged].sort()).toEqual(await pathsOf({}));
  });

  it('searches individual captions by text', async () => {
    const models = await api.must<{ is_default: boolean }[]>(
      200,
      'GET',
      `/api/v1/vector_search/${id}/embedding_models`,
    );
    expect(models.length).toBeGreaterThan(0);
    const caption = (await allClusters({})).flatMap((each) => each.previews).find((each) => each.caption)!.caption!;
    const { results, total } = await api.must<{ results: (Preview & { relevance_score: number })[]; total: number }>(
      200,
      'POST',
      `/api/v1/vector_search/${id}`,
      { text: caption, entity_type: 'IMAGES', limit: 5 },
    );
    expect(total).toBe(5);
    expect(results[0]!.caption).toBe(caption);
    const scores = results.map((each) => each.relevance_score);
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
  });
});

function expectRising(clusters: readonly Cluster[]): void {
  const scores = clusters.map((cluster) => cluster.relevance_score!);
  expect(scores).toEqual([...scores].sort((a, b) => a - b));
  for (const { previews, relevance_score, relevance_score_type } of clusters) {
    expect(relevance_score_type).toBe('cosine_distance');
    const own = previews.map((preview) => preview.relevance_score!);
    expect(own).toEqual([...own].sort((a, b) => a - b));
    expect(own[0]).toBe(relevance_score);
  }
}
