import { Additions } from '../../support/additions';
import { filesForm } from '../../support/api-client';
import { withHeldJobs } from '../../support/at-once';
import { SnapshotClient } from '../../support/snapshot-client';
import { runningApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

interface Status {
  readonly status: string;
  readonly inserted_rows: number;
  readonly error_count: number;
  readonly sample_errors: readonly { readonly reason: string; readonly row_index: number }[];
}

interface Field {
  readonly field_name: string;
  readonly field_type: string;
}

const NOBODY = '11111111-2222-4333-8444-555555555555';

describe('custom fields', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let source: string;

  beforeAll(async () => {
    source = await additions.writeFolder('Fields', [0, 1, 2]);
  });

  const pathOf = (id: string, rest: string): string => `/api/v1/datasets/${id}/custom_metadata/${rest}`;
  const declare = async (id: string, body: object): Promise<string> =>
    (await additions.api.must<{ task_id: string }>(200, 'POST', pathOf(id, 'tasks'), body)).task_id;
  const status = (id: string, task: string): Promise<Status> =>
    additions.api.must<Status>(200, 'GET', pathOf(id, `tasks/${task}/status`));
  const send = async (id: string, task: string, body: object): Promise<Status> => {
    await additions.api.must(202, 'POST', pathOf(id, `tasks/${task}`), body);
    await additions.api.untilStatus(id, ['READY']);
    return status(id, task);
  };
  const schema = (id: string): Promise<readonly Field[]> =>
    additions.api.must<Field[]>(200, 'GET', pathOf(id, 'schema'));
  const mediaOf = async (id: string): Promise<string[]> =>
    (await additions.rows(id)).sort((a, b) => (a.fileName < b.fileName ? -1 : 1)).map((row) => row.id);
  const valuesOf = (id: string, media: string): Promise<unknown> =>
    additions.api.must(200, 'GET', `/api/v1/datasets/${id}/image/${media}/custom_metadata`);
  const found = async (id: string, filter: object): Promise<number> =>
    (
      await additions.api.must<{ total: number }>(
        200,
        'GET',
        `/api/v1/dataset/${id}/facets?vql=${encodeURIComponent(JSON.stringify([{ metadata: filter }]))}`,
      )
    ).total;

  it.each<[string, object, unknown, unknown, readonly [unknown, RegExp][]]>([
    [
      'string',
      {},
      'north',
      'north',
      [
        [5, /not a text/],
        ['x'.repeat(256), /255/],
        ['a\0', /not a text/],
      ],
    ],
    [
      'float',
      {},
      1e300,
      1e300,
      [
        ['5', /not a finite number/],
        [null, /no value/],
        [[1], /not a finite number/],
      ],
    ],
    [
      'boolean',
      {},
      false,
      false,
      [
        ['false', /neither true nor false/],
        [0, /neither/],
      ],
    ],
    [
      'datetime',
      {},
      '2026-01-31T13:00:00+01:00',
      '2026-01-31T12:00:00.000Z',
      [
        ['2026-01-31', /with its zone/],
        ['9999-12-31T23:59:59-14:00', /with its zone/],
        ['2026-02-30T00:00:00Z', /with its zone/],
        [1, /with its zone/],
      ],
    ],
    [
      'link',
      {},
      'https://site/a?b=c',
      'https://site/a?b=c',
      [
        ['javascript:alert(1)', /http or https/],
        ['site', /http/],
        [`https://a/${'b'.repeat(2_048)}`, /2048/],
      ],
    ],
    [
      'enum',
      { enum_options: ['sun', 'rain'] },
      'sun',
      'sun',
      [
        ['snow', /one of the options sun, rain/],
        [['sun'], /a list/],
      ],
    ],
    [
      'enum',
      { enum_options: ['sun', 'rain'], is_multi: true },
      ['rain', 'sun', 'rain'],
      ['rain', 'sun'],
      [
        [[], /1 to 100/],
        [['sun', 'snow'], /list of options/],
        [{}, /list of options/],
      ],
    ],
  ])('of the type %s are declared, and invalid rows are skipped', async (type, options, value, stored, mistakes) => {
    const id = await additions.indexed(`Field ${type}`, source);
    const media = await mediaOf(id);
    const task = await declare(id, { field_name: 'own', field_type: type, ...options });
    expect(await status(id, task)).toMatchObject({ status: 'INIT', progress: 0, inserted_rows: 0, error_count: 0 });
    const mistaken = mistakes.map(([wrong]) => ({ media_id: media[1], value: wrong }));
    const after = await send(id, task, [{ media_id: media[0]!.toUpperCase(), value }, ...mistaken]);
    expect(after).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', inserted_rows: 1, error_count: mistakes.length });
    for (const [at, { reason, row_index: row }] of after.sample_errors.entries()) {
      expect(row).toBe(at + 1);
      expect(reason).toMatch(mistakes[at]![1]);
    }
    expect(await valuesOf(id, media[0]!)).toEqual([{ field_name: 'own', field_type: type, value: stored }]);
    expect(await valuesOf(id, media[1]!)).toEqual([]);
    const filter = { op: 'eq', field: 'own', value: Array.isArray(stored) ? 'rain' : stored };
    expect(await found(id, filter)).toBe(1);
    expect(await additions.tasks(id)).toContainEqual(
      expect.objectContaining({ task_type: 'CUSTOM_METADATA', status: 'COMPLETED' }),
    );
  });

  it('report rows without media and malformed rows with their position', async () => {
    const id = await additions.indexed('Bad rows', source);
    const [first] = await mediaOf(id);
    const task = await declare(id, { field_name: 'score', field_type: 'float' });
    const rows = [7, null, [], {}, { media_id: 'a', value: 1 }, { media_id: NOBODY, value: 1 }];
    const file = filesForm(
      [{ name: 'v.json', bytes: Buffer.from(JSON.stringify([...rows, { media_id: first, value: 1 }])) }],
      'file',
    );
    expect(await send(id, task, file)).toEqual({
      task_id: task,
      status: 'COMPLETED_WITH_ERRORS',
      progress: 100,
      inserted_rows: 1,
      error_count: 6,
      sample_errors: [
        { row_index: 0, reason: 'The row is not an object.' },
        { row_index: 1, reason: 'The row is not an object.' },
        { row_index: 2, reason: 'The row is not an object.' },
        { row_index: 3, reason: 'The row has no media_id.' },
        { row_index: 4, reason: 'The media_id "a" is not a UUID.' },
        { row_index: 5, reason: `The dataset has no image, frame or object ${NOBODY}.` },
      ],
    });
  });

  it('accept a hundred thousand rows with mistakes', async () => {
    const id = await additions.indexed('Many rows', source);
    const task = await declare(id, { field_name: 'score', field_type: 'float' });
    const rows = Array.from({ length: 100_000 }, (_, at) => ({ media_id: `${at}`, value: 1 }));
    const after = await send(id, task, rows);
    expect(after).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', inserted_rows: 0, error_count: 100_000 });
    expect(after.sample_errors).toHaveLength(100);
    const again = await declare(id, { field_name: 'more', field_type: 'float' });
    await additions.api.must(422, 'POST', pathOf(id, `tasks/${again}`), [...rows, { media_id: 'a', value: 1 }]);
    expect(await status(id, again)).toMatchObject({ status: 'INIT' });
  });

  it('are set after an abort, by a retry or by sending them again', async () => {
    const id = await additions.indexed('Aborted fields', source);
    const [first] = await mediaOf(id);
    const task = await declare(id, { field_name: 'score', field_type: 'float' });
    const values = [{ media_id: first, value: 2 }];
    await withHeldJobs(running, async () => {
      await additions.api.must(202, 'POST', pathOf(id, `tasks/${task}`), values);
      expect(await status(id, task)).toMatchObject({ status: 'RUNNING' });
      await additions.api.must(409, 'POST', pathOf(id, 'tasks'), { field_name: 'b', field_type: 'float' });
      const [aborted] = await additions.tasks(id);
      await additions.api.must(200, 'POST', `/api/v1/tasks/${aborted!.task_id}/abort`);
    });
    expect(await status(id, task)).toMatchObject({ status: 'FAILED', inserted_rows: 0 });
    const [aborted] = await additions.tasks(id);
    await additions.api.must(200, 'POST', `/api/v1/tasks/${aborted!.task_id}/retry`);
    await waitUntil(async () => (await status(id, task)).status === 'COMPLETED');
    expect(await valuesOf(id, first!)).toEqual([{ field_name: 'score', field_type: 'float', value: 2 }]);
    await additions.api.must(409, 'POST', pathOf(id, `tasks/${task}`), values);
  });

  it('keep their type in clones and after a restore, and are also declared by annotations', async () => {
    const id = await additions.indexed('Versions of fields', source);
    const [first] = await mediaOf(id);
    const annotate = async (metadata: object): Promise<unknown> => {
      await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/annotations`, {
        annotations: [{ media_id: first, metadata: [metadata] }],
      });
      await additions.api.untilStatus(id, ['READY']);
      return (await additions.tasks(id))[0]!.error_message;
    };
    const snapshots = new SnapshotClient(additions.api);
    const { snapshot_id: before } = await snapshots.keep(id);
    expect(await annotate({ field_name: 'site', value: 'north' })).toBeNull();
    await declare(id, { field_name: 'weather', field_type: 'enum', enum_options: ['sun'] });
    expect(await annotate({ field_name: 'weather', value: 'sun' })).toBeNull();
    expect(await annotate({ field_name: 'weather', value: 'rain' })).toMatch(/one of the options sun/);
    expect(await found(id, { op: 'one_of', field: 'weather', value: ['sun'] })).toBe(1);

    await snapshots.restore(id, before);
    expect(await valuesOf(id, first!)).toEqual([]);
    expect((await schema(id)).map(({ field_name: name }) => name)).toEqual(['site', 'weather']);
    // Declared but without values.
    expect(await found(id, { op: 'eq', field: 'site', value: 'north' })).toBe(0);
    expect(await annotate({ field_name: 'site', value: 5 })).toMatch(/has the type string; 5 is not a text/);

    const { id: clone } = await snapshots.clone(id, before);
    expect(await schema(clone)).toEqual(await schema(id));
  });
});
