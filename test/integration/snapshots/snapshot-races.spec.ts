import { join } from 'node:path';
import { ApiClient, filesForm, type Answer } from '../../support/api-client';
import { atOnce } from '../../support/at-once';
import { pictureBytes, writePicture } from '../../support/pictures';
import { SnapshotClient } from '../../support/snapshot-client';
import { runningApp } from '../../support/test-app';

/** The number of races per pair of operations; half of them start in reverse order. */
const RACES = Number(process.env['RACES'] ?? 5);
const MAX_MS = 60_000 + RACES * 3_000;
const PICTURES = 3;

/** The expected responses of the restore and of the other operation. */
type Outcome = readonly [readonly [number, string], readonly [number, string]];

const ACCEPTED = [202, ''] as const;
const DONE = [200, ''] as const;
const UNKNOWN = [404, 'Snapshot not found'] as const;
const blocked = (operation: string, task = 'SNAPSHOT_RESTORE') =>
  [409, `Operation '${operation}' is blocked while ${task} task is running`] as const;
const NOT_CLONED =
  "Operation 'snapshot_clone' needs a dataset that is READY or PARTIAL INDEX or ERROR; this one is READ ONLY";
const NOT_ANNOTATED = "Operation 'annotate' needs a dataset that is READY or PARTIAL INDEX; this one is READ ONLY";

interface Round {
  readonly id: string;
  readonly number: number;
  readonly older: string;
  readonly wanted: string;
}

interface Pair {
  readonly with: string;
  readonly other: (round: Round) => Promise<Answer>;
  readonly outcomes: readonly Outcome[];
  /** The status before the race; the default is READY. */
  readonly status?: 'PARTIAL INDEX';
}

describe('a restore', () => {
  const running = runningApp();
  let api: ApiClient;
  let client: SnapshotClient;
  let source: string;

  const post = (round: Round, rest: string): Promise<Answer> => api.ask('POST', client.pathOf(round.id, rest));
  const addMedia = async ({ id, number }: Round): Promise<Answer> => {
    const files = [{ name: `${number}.jpg`, bytes: await pictureBytes(100 + number) }];
    return api.ask('POST', `/api/v1/dataset/${id}/add_media`, filesForm(files));
  };

  const pairs: readonly Pair[] = [
    {
      with: 'another restore',
      other: (round) => post(round, `/${round.older}/restore`),
      outcomes: [
        [ACCEPTED, blocked('snapshot_restore')],
        [blocked('snapshot_restore'), ACCEPTED],
      ],
    },
    {
      with: 'the deletion of its snapshot',
      other: ({ id, wanted }) => api.ask('DELETE', client.pathOf(id, `/${wanted}`)),
      outcomes: [
        [ACCEPTED, [409, 'A snapshot that is being restored cannot be deleted']],
        [UNKNOWN, DONE],
      ],
    },
    {
      with: 'a new snapshot',
      other: (round) => post(round, ''),
      outcomes: [
        [ACCEPTED, blocked('snapshot')],
        [ACCEPTED, DONE],
      ],
    },
    {
      with: 'a clone',
      other: (round) => post(round, `/${round.wanted}/clone`),
      outcomes: [
        [ACCEPTED, [409, NOT_CLONED]],
        [ACCEPTED, ACCEPTED],
      ],
    },
    {
      with: 'an edit of annotations',
      other: ({ id, number }) =>
        api.ask('POST', `/api/v1/dataset/${id}/annotations`, {
          source: 'raced',
          annotations: [{ file_name: '0.jpg', label: `${number}` }],
        }),
      outcomes: [
        [ACCEPTED, [409, NOT_ANNOTATED]],
        [ACCEPTED, DONE],
      ],
    },
    {
      with: 'media that are added',
      other: addMedia,
      outcomes: [
        [ACCEPTED, blocked('add_media')],
        [blocked('snapshot_restore', 'MEDIA_ADDITION'), ACCEPTED],
      ],
    },
    {
      with: 'a reindex',
      other: ({ id }) => api.ask('POST', `/api/v1/dataset/${id}/reindex`),
      outcomes: [
        [ACCEPTED, blocked('reindex')],
        [blocked('snapshot_restore', 'REINDEX'), ACCEPTED],
      ],
      status: 'PARTIAL INDEX',
    },
  ];

  beforeAll(async () => {
    api = new ApiClient(running.url);
    client = new SnapshotClient(api);
    source = join(running.folder, 'source');
    for (let i = 0; i < PICTURES; i += 1) await writePicture(join(source, `${i}.jpg`), i);
  });

  const setStatus = (id: string, status: string): Promise<unknown> =>
    running.database.dataSource.query('UPDATE dataset SET status_new = $2 WHERE id = $1', [id, status]);

  it.each(pairs)(
    'races with $with, and exactly one of both is first',
    async ({ other, outcomes, status }) => {
      const id = await client.indexed('Raced', source);
      const seen = new Set<number>();
      for (let number = 0; number < RACES || seen.size < outcomes.length; number += 1) {
        const wanted = (await client.keep(id)).snapshot_id;
        const older = (await client.keep(id)).snapshot_id;
        const round: Round = { id, number, wanted, older };
        if (status !== undefined) await setStatus(id, status);
        const requests = [() => post(round, `/${wanted}/restore`), () => other(round)];
        const backward = number % 2 === 1;
        const answers = await atOnce(running, id, backward ? requests.reverse() : requests);
        const [restored, raced] = (backward ? answers.reverse() : answers).map(outcomeOf);
        const outcome: Outcome = [restored!, raced!];
        expect(outcomes).toContainEqual(outcome);
        seen.add(outcomes.findIndex((each) => JSON.stringify(each) === JSON.stringify(outcome)));
        await api.untilStatus(id, ['READY', 'PARTIAL INDEX']);
        await client.restore(id, 'current');
      }
      expect([...seen].sort()).toEqual([0, 1]);
    },
    MAX_MS,
  );
});

const outcomeOf = ({ status, body }: Answer): readonly [number, string] => [
  status,
  status < 400 ? '' : (body as { detail: string }).detail,
];
