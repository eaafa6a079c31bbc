import { filesForm } from '../support/api-client';
import { HistoryClient } from '../support/history-client';
import { waitUntil } from '../support/wait-until';
import { runningHome } from '../support/running-home';
import {
  allOr,
  ANNOTATED_OBJECT_FAILPOINTS,
  MERGE_FAILPOINT,
  SOURCE_FAILPOINTS,
  SOURCE_FILE_FAILPOINTS,
} from './failpoints';

describe('the program, killed at a failpoint while the annotations of a source are changed', () => {
  const home = runningHome();
  let id: string;

  beforeAll(async () => {
    id = await home().indexed('Sources', 3);
  });

  const path = (): string => `/api/v1/dataset/${id}/annotations`;
  const said = (label: string): object => ({
    source: 'detector',
    mode: 'replace',
    annotations: [0, 1, 2].map((seed) => ({ file_name: `${seed}.jpg`, label })),
  });
  const labels = async (): Promise<string[]> => {
    const { annotations } = await home().api.must<{ annotations: { label: string }[] }>(200, 'GET', path());
    return annotations.map(({ label }) => label);
  };

  let done = 0;
  const EXPECTED = { 'annotations-written': 'before', 'annotations-published': 'after' } as const;
  it.each(SOURCE_FAILPOINTS)('at %s, has all annotations of one time, and can be changed again', async (point) => {
    const expected = EXPECTED[point];
    await home().api.must(200, 'POST', path(), said('before'));
    await home().dieAt(point, (api) => api.must(200, 'POST', path(), said('after')));
    expect(await labels()).toEqual([expected, expected, expected]);
    await home().api.must(200, 'POST', path(), said('again'));
    expect(await labels()).toEqual(['again', 'again', 'again']);
  });

  it.each(SOURCE_FAILPOINTS)(
    'at %s, has undone a change as a whole or not at all, and can do it again',
    async (point) => {
      const history = new HistoryClient(home().api, id);
      await home().api.must(200, 'POST', path(), said('seen'));
      const { change_id: change } = await home().api.must<{ change_id: string }>(200, 'POST', path(), said('mistaken'));
      await home().dieAt(point, (api) => api.must(200, 'POST', `${path()}/undo`, { change_id: change }));
      const isUndone = EXPECTED[point] === 'after';
      expect(await labels()).toEqual(Array(3).fill(isUndone ? 'seen' : 'mistaken'));
      const undo = isUndone ? (await history.all('?limit=1'))[0]! : { change_id: await history.undo(change) };
      expect(await labels()).toEqual(Array(3).fill('seen'));
      expect((await history.all()).find((each) => each.change_id === change)!.undone_by).toBe(undo.change_id);
      await history.undo(undo.change_id);
      expect(await labels()).toEqual(Array(3).fill('mistaken'));
    },
  );

  it('at annotations-merged, has all annotations, and merges their files afterwards', async () => {
    const large = (round: number): object => ({
      source: 'large',
      mode: 'replace',
      annotations: Array.from({ length: 9_000 }, (_, at) => ({ file_name: `${at % 3}.jpg`, label: `${round} ${at}` })),
    });
    const filesNow = (): Promise<number> =>
      home()
        .query(
          `SELECT jsonb_array_length(source -> 'segments') AS files
         FROM dataset JOIN annotation_state AS state ON state.id = annotation_state, jsonb_array_elements(sources) AS source
         WHERE source ->> 'name' = 'large'`,
        )
        .then(([row]) => Number(row!['files']));
    // Each is a file of its own, and so many are merged.
    for (let round = 1; round <= 16; round += 1) await home().api.must(200, 'POST', path(), large(round));
    expect(await filesNow()).toBe(16);
    await home().dieAt(MERGE_FAILPOINT, (api) => api.must(200, 'POST', path(), large(17)));
    const last = `${path()}?source=large&limit=1&label=${encodeURIComponent('17 8999')}`;
    expect(await home().api.must(200, 'GET', last)).toMatchObject({ total: 1 });
    const more = { source: 'large', annotations: [{ file_name: '0.jpg', label: 'more' }] };
    await home().api.must(200, 'POST', path(), more);
    await waitUntil(async () => (await filesNow()) <= 2);
    expect(await home().api.must(200, 'GET', `${path()}?source=large&limit=1`)).toMatchObject({ total: 9_001 });
    expect(await home().api.must(200, 'GET', last)).toMatchObject({ total: 1 });
  });

  it.each(allOr(['annotations-written', 'after-flip'], SOURCE_FILE_FAILPOINTS))(
    'at %s, brings in all annotations of a file once',
    async (point) => {
      const coco = {
        images: [0, 1, 2].map((seed) => ({ id: seed, file_name: `${seed}.jpg` })),
        categories: [{ id: 1, name: 'from a file' }],
        annotations: [0, 1, 2].map((seed) => ({ image_id: seed, category_id: 1, bbox: [1, 1, 5, 5] })),
      };
      const form = filesForm([{ name: 'coco.json', bytes: Buffer.from(JSON.stringify(coco)) }]);
      const sent = new FormData();
      sent.set('source', `killed at ${point}`);
      for (const [name, value] of form) sent.append(name, value);
      await home().dieAt(point, (api) => api.must(202, 'POST', `${path()}/files`, sent));
      const tasks = `/api/v1/tasks?dataset_id=${id}&task_status=COMPLETED&task_type=ANNOTATION_IMPORT`;
      done += 1;
      await waitUntil(async () => (await home().api.must<{ total: number }>(200, 'GET', tasks)).total === done);
      const query = `${path()}?source=${encodeURIComponent(`killed at ${point}`)}`;
      expect(await home().api.must(200, 'GET', query)).toMatchObject({ total: 3 });
    },
  );

  it.each(allOr(['chunk-journalled', 'tags-carried'], ANNOTATED_OBJECT_FAILPOINTS))(
    'at %s, makes each object of a source once, and removes the one that it lost',
    async (point) => {
      const source = `objects at ${point}`;
      const shape = { type: 'box', x: 10, y: 10, width: 50, height: 50 };
      const annotations = [0, 1, 2].map((seed) => ({ file_name: `${seed}.jpg`, id: 'a', label: source, shape }));
      const sources = `/api/v1/dataset/${id}/annotation_sources/${encodeURIComponent(source)}`;
      const made = async (): Promise<number> => {
        const facets = `/api/v1/dataset/${id}/facets?entity_type=OBJECTS`;
        const { labels: counts } = await home().api.must<{ labels: { value: string; count: number }[] }>(
          ...([200, 'GET', facets] as const),
        );
        return counts.find(({ value }) => value === source)?.count ?? 0;
      };
      await home().api.must(200, 'POST', path(), { source, annotations });
      await home().dieAt(point, (api) => api.must(202, 'POST', `${sources}/objects`));
      await home().api.untilStatus(id, ['READY']);
      expect(await made()).toBe(3);
      const removed = [{ file_name: '1.jpg', id: 'a' }];
      await home().api.must(200, 'POST', path(), { source, mode: 'delete', annotations: removed });
      await home().dieAt('before-flip', (api) => api.must(202, 'POST', `${sources}/objects`));
      await home().api.untilStatus(id, ['READY']);
      expect(await made()).toBe(2);
      const { tasks } = await home().api.must<{ tasks: object[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`);
      expect(tasks[0]).toMatchObject({ task_type: 'ANNOTATION', status: 'COMPLETED', warnings: [] });
    },
  );
});
