import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LongRun } from '../support/long-run';
import { writePicture } from '../support/pictures';
import { ProgramHome } from '../support/program-home';
import { waitUntil } from '../support/wait-until';
import {
  EditingWriter,
  ImportingWriter,
  ObjectsWriter,
  ReplacingWriter,
  Tally,
  WriterViolation,
  type SourceWriter,
} from './annotation-writers';
import { ANNOTATED_OBJECT_FAILPOINTS, MERGE_FAILPOINT, SOURCE_FAILPOINTS, SOURCE_FILE_FAILPOINTS } from './failpoints';
import { pick } from './history-step';
import { UndoingWriter } from './undoing-writer';
import { sweepAll } from './unreferenced';

const KILLS = Number(process.env['KILLS'] ?? 4);
const PER_KILL_MS = 30_000;
/** After this many kills, waits until all tasks are over, so that a task without progress fails. */
const LIVES_BETWEEN_RESTS = 12;
const SHARE_AT_FAILPOINTS = 0.7;
const POINTS = {
  edit: SOURCE_FAILPOINTS,
  merge: [MERGE_FAILPOINT],
  import: SOURCE_FILE_FAILPOINTS,
  objects: ANNOTATED_OBJECT_FAILPOINTS,
} as const;
/** Objects are chosen rarely, because they take long. */
const KINDS = ['edit', 'edit', 'import', 'import', 'import', 'merge', 'objects'] as const;
/** After so many acknowledged requests, the program is killed where it is. */
const MOST_REQUESTS = { random: 12, edit: 12, merge: 60, import: 30, objects: 40 };
const SHARE_OF_OBJECTS = { random: 0.01, edit: 0, merge: 0, import: 0, objects: 0.5 };
/** So that requests are on their way. */
const LAST_MS = 30;
const DATASETS = ['imported', 'shared'];
const PICTURES = [0, 1, 2, 3];

/** Kills the whole program repeatedly while annotations are edited, imported, merged and made into objects. */
describe(`the program, killed ${KILLS} times while annotations are changed`, () => {
  let home: ProgramHome;
  const run = new LongRun(KILLS, 'kills while annotations are changed');
  const writers: SourceWriter[] = [];
  const tally = new Tally();

  beforeAll(async () => {
    // On a busy machine, nothing is too late.
    home = await ProgramHome.make({ CALL_TIMEOUT_SECONDS: '300' });
    await home.start();
    const folder = join(home.folder, 'source');
    for (const seed of PICTURES) await writePicture(join(folder, `${seed}.jpg`), seed);
    for (const importedInto of DATASETS) {
      const id = await home.api.indexed(`Importing into ${importedInto}`, folder);
      const files = PICTURES.map((seed) => `${seed}.jpg`);
      writers.push(
        new EditingWriter(id, 'ground_truth', 'a', files, tally),
        new EditingWriter(id, 'shared', 'b', files, tally),
        new EditingWriter(id, 'shared', 'c', files, tally),
        new UndoingWriter(id, 'shared', 'g', files, tally),
        new UndoingWriter(id, 'ground_truth', 'h', files, tally),
        new ReplacingWriter(id, 'replaced', 'd', files, tally),
        new ImportingWriter(id, importedInto, 'e', files, tally),
        new ObjectsWriter(id, 'boxes', 'f', files, tally),
      );
    }
    await home.kill();
  });

  afterAll(() => home.remove());

  const follow = async (writer: SourceWriter, life: { isOver: boolean }): Promise<void> => {
    try {
      await writer.settle(home.api);
      while (!life.isOver) await writer.write(home.api);
    } catch (error) {
      // A connection that the kill has ended.
      if (!(error instanceof TypeError && error.cause !== undefined)) throw error;
    }
  };

  const live = async (): Promise<void> => {
    await home.start();
    const kind = Math.random() < SHARE_AT_FAILPOINTS ? pick(KINDS) : 'random';
    const point = kind === 'random' ? undefined : pick<string>(POINTS[kind]);
    if (point !== undefined) await home.arm(`${point}:${pick([1, 2, 3])}`);
    for (const writer of writers) if (writer instanceof ObjectsWriter) writer.share = SHARE_OF_OBJECTS[kind];
    const life = { isOver: false };
    const end = tally.acknowledged + (kind === 'random' ? Math.random() : 1) * MOST_REQUESTS[kind];
    const work = Promise.all(writers.map((writer) => follow(writer, life)));
    const isOver = (): boolean => home.program.hasExited || tally.acknowledged >= end;
    await Promise.race([waitUntil(isOver), work]);
    await delay(Math.random() * LAST_MS);
    tally.add(`killed ${home.program.hasExited ? `at ${point}` : 'at random'}`);
    life.isOver = true;
    await home.kill();
    await work;
  };

  const rest = async (): Promise<void> => {
    await home.start();
    for (const writer of writers) await writer.settle(home.api);
    await compareCounts();
    for (const writer of writers) if (writer instanceof UndoingWriter) await writer.compareHistory(home.api);
    await home.kill();
  };

  /** The counts that are kept with each source are those of its annotations. */
  const compareCounts = async (): Promise<void> => {
    const datasets = await home.api.must<{ id: string }[]>(200, 'GET', '/api/v1/datasets');
    for (const { id } of datasets) {
      const path = `/api/v1/dataset/${id}/annotation_sources`;
      const { sources } = await home.api.must<{ sources: { name: string; n_labels: number; n_boxes: number }[] }>(
        ...([200, 'GET', path] as const),
      );
      for (const { name, n_labels: labels, n_boxes: boxes } of sources) {
        const list = `/api/v1/dataset/${id}/annotations?source=${name}&limit=1`;
        const { total } = await home.api.must<{ total: number }>(200, 'GET', list);
        if (total !== labels + boxes) throw new WriterViolation(`${name} has ${total}, and counts ${labels + boxes}`);
      }
    }
  };

  it(
    'loses nothing that was acknowledged, applies nothing twice, and shows nothing by half',
    async () => {
      for (let kill = 0; run.goesOn; kill += 1) {
        await live();
        run.advance();
        if (kill % LIVES_BETWEEN_RESTS === LIVES_BETWEEN_RESTS - 1) await rest();
      }
      await rest();
      const { needed, found } = await sweepAll(home.dataDir, { DATABASE_URL: home.databaseUrl });
      expect(found).toEqual(needed);
      run.held();
      if (KILLS > 50) console.log(tally.result);
    },
    60_000 + KILLS * PER_KILL_MS,
  );
});
