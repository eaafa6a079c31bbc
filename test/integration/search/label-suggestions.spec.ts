import { Additions } from '../../support/additions';
import { drawJudged, SWAPPED, WRONG_OBJECT } from '../../support/judged-drawings';
import { HistoryClient } from '../../support/history-client';
import { runningApp } from '../../support/test-app';

interface Suggestion {
  readonly media_id: string;
  readonly file_name: string;
  readonly image_id: string;
  readonly label_now: string;
  readonly suggested: string;
  readonly confidence: number;
}
interface Decided {
  readonly decision_id: string | null;
  readonly n_taken_over: number;
  readonly n_kept: number;
  readonly unmatched: readonly string[];
}
interface Pairs {
  readonly total: number;
  readonly pairs: readonly { readonly label: string; readonly suggested: string; readonly count: number }[];
}

describe('suggestions of other labels', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let dataset: string;

  const path = (rest = ''): string => `/api/v1/dataset/${dataset}/label_suggestions${rest}`;
  const pairs = (query = ''): Promise<Pairs> => additions.api.must(200, 'GET', path(query));
  const media = async (query = ''): Promise<readonly Suggestion[]> =>
    (await additions.api.must<{ media: readonly Suggestion[] }>(200, 'GET', path(`/media${query}`))).media;
  const files = async (query = ''): Promise<string[]> => (await media(query)).map(({ file_name: name }) => name).sort();
  const decide = (takeOver: readonly Suggestion[], keep: readonly Suggestion[] = []): Promise<Decided> =>
    additions.api.must(200, 'POST', path('/decisions'), { take_over: takeOver.map(seen), keep: keep.map(seen) });
  const seen = ({ media_id, label_now: label, suggested }: Suggestion) => ({ media_id, label, suggested });
  const undo = (id: string): Promise<{ count: number }> =>
    additions.api.must(200, 'POST', path('/undo'), { decision_id: id });
  const labelsOf = async (mediaId: string): Promise<string[]> => {
    const { annotations } = await additions.api.must<{ annotations: { label: string; shape: object | null }[] }>(
      200,
      'GET',
      `/api/v1/dataset/${dataset}/annotations?source=ground_truth&media_id=${mediaId}`,
    );
    return annotations.filter(({ shape }) => shape === null).map(({ label }) => label);
  };

  beforeAll(async () => {
    const folder = additions.place('drawn');
    await drawJudged(folder);
    dataset = await additions.indexed('Judged', folder);
  });

  const swapped = SWAPPED.map(({ file }) => file).sort();

  it('are counted by pairs, and listed', async () => {
    const { total, pairs: found } = await pairs();
    expect(total).toBe(SWAPPED.length);
    expect(found.map(({ label, suggested, count }) => ({ wrong: label, right: suggested, count }))).toEqual(
      expect.arrayContaining(SWAPPED.map(({ wrong, right }) => ({ wrong, right, count: 1 }))),
    );
    expect(await files()).toEqual(swapped);
    const { file, wrong, right } = SWAPPED[1]!;
    const [only, ...others] = await media(`?label=${wrong}&suggested=${right}`);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ file_name: file, label_now: wrong, suggested: right });
    expect(await media('?confidence=1')).toEqual([]);
    expect(await files('?limit=2&page_number=1')).toHaveLength(1);
  });

  it('are taken over at once and remembered if they are not, and both are undone together', async () => {
    const [first, second, third] = await media();
    const { decision_id: id, ...counts } = await decide([first!], [second!]);
    expect(counts).toEqual({ n_taken_over: 1, n_kept: 1, unmatched: [] });
    expect(await labelsOf(first!.media_id)).toEqual([first!.suggested]);
    expect(await labelsOf(second!.media_id)).toEqual([second!.label_now]);
    expect(await files()).toEqual([third!.file_name]);
    const [change] = await new HistoryClient(additions.api, dataset).all();
    expect(change).toMatchObject({ change_id: id, source: 'ground_truth', changed: 1 });
    expect(await undo(id!)).toEqual({ count: 2 });
    expect(await labelsOf(first!.media_id)).toEqual([first!.label_now]);
    expect(await files()).toEqual(swapped);
    expect(await additions.api.ask('POST', path('/undo'), { decision_id: id })).toMatchObject({ status: 409 });
  });

  it('are kept without a change, until that is undone', async () => {
    const [first] = await media();
    const { decision_id: id } = await decide([], [first!]);
    expect(await files()).not.toContain(first!.file_name);
    expect(await undo(id!)).toEqual({ count: 1 });
    expect(await files()).toEqual(swapped);
    expect(await additions.api.ask('POST', path('/undo'), { decision_id: id })).toMatchObject({
      status: 404,
      body: { detail: 'Decision not found' },
    });
  });

  it('are not taken over where the label is another one by now', async () => {
    const [first, second] = await media();
    const stale = { ...first!, label_now: 'something else' };
    const unknown = { ...second!, media_id: '0f000000-0000-4000-8000-000000000000' };
    expect(await decide([stale, unknown])).toEqual({
      decision_id: null,
      n_taken_over: 0,
      n_kept: 0,
      unmatched: [stale.media_id, unknown.media_id],
    });
    expect(await files()).toEqual(swapped);
  });

  it('are decided by the thousand', async () => {
    const idOf = (at: number): string => `0f000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
    const keep = Array.from({ length: 5_000 }, (_, at) => ({ media_id: idOf(at), label: 'cat', suggested: 'dog' }));
    const { unmatched } = await additions.api.must<Decided>(200, 'POST', path('/decisions'), { keep, take_over: [] });
    expect(unmatched).toHaveLength(5_000);
  });

  it('of an object change its annotation', async () => {
    const [object, ...others] = await media('?entity_type=OBJECTS');
    expect(others).toEqual([]);
    expect(object).toMatchObject({ label_now: WRONG_OBJECT.wrong, suggested: WRONG_OBJECT.right });
    const { decision_id: id } = await decide([object!]);
    const { label_sources: now } = await additions.api.must<{ label_sources: { label: string }[] }>(
      200,
      'GET',
      `/api/v1/dataset/${dataset}/media/${object!.media_id}`,
    );
    expect(now.map(({ label }) => label)).toEqual([WRONG_OBJECT.right]);
    expect(await media('?entity_type=OBJECTS')).toEqual([]);
    await undo(id!);
    expect(await media('?entity_type=OBJECTS')).toHaveLength(1);
  });

  it('with enough confidence are taken over together', async () => {
    const all = await media();
    const highest = all[0]!.confidence;
    const body = { confidence: highest, label: all[0]!.label_now };
    expect(await additions.api.must(200, 'POST', path('/decisions/by_confidence'), body)).toMatchObject({
      n_taken_over: 1,
      has_more: false,
    });
    expect(await files()).toEqual(
      all
        .slice(1)
        .map(({ file_name: name }) => name)
        .sort(),
    );
    const rest = await additions.api.must<Decided>(200, 'POST', path('/decisions/by_confidence'), { confidence: 0.5 });
    expect(rest.n_taken_over).toBe(all.length - 1);
    expect(await media()).toEqual([]);
  });
});
