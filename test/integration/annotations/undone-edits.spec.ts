import { createHash } from 'node:crypto';
import { ExportInfoReader } from '../../../src/modules/export/export.reader';
import { Additions } from '../../support/additions';
import { ExportClient } from '../../support/export-client';
import { HistoryClient } from '../../support/history-client';
import { LongRun } from '../../support/long-run';
import { Random } from '../../support/random';
import { SAID_SHAPES } from '../../support/said-shapes';
import { SourceClient } from '../../support/source-client';
import { runningApp } from '../../support/test-app';

const EDITS = Number(process.env['EDITS'] ?? 200);
const PER_EDIT_MS = 1_000;
/** Edits that wait for another are published together. */
const MOST_AT_ONCE = 4;
const SOURCES = ['ground_truth', 'kept', 'begun'];
const MODES = ['add', 'merge', 'merge', 'replace', 'delete'];
const PICTURES = ['0.jpg', '1.jpg', '2.jpg', '3.jpg'];
const EXPORTS = [
  ...['json', 'csv', 'parquet', 'coco', 'yolo'].map((format) => `export_format=${format}`),
  ...['json', 'coco', 'datumaro', 'cvat', 'voc'].flatMap((format) =>
    ['ground_truth', 'kept'].map((source) => `export_format=${format}&source=${source}`),
  ),
];

describe(`${EDITS} random edits`, () => {
  const running = runningApp();
  const additions = new Additions(running);
  let dataset: string;
  let sources: SourceClient;
  const random = new Random(44);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random.next() * of.length)]!;

  beforeAll(async () => {
    // Exports have the time when they were made.
    const info = running.app.get(ExportInfoReader);
    const of = info.of.bind(info);
    jest.spyOn(info, 'of').mockImplementation(async (task) => ({ ...(await of(task)), exportedAt: new Date(0) }));
    dataset = await additions.indexed('Undone', await additions.writeFolder('Pictures', [0, 1, 2, 3]));
    sources = new SourceClient(additions.api, dataset);
    const objects = [
      { label: 'ear', bounding_box: { x: 0.25, y: 0.5, width: 0.5, height: 0.25 } },
      { label: 'nose', bounding_box: { x: 0.1, y: 0.1, width: 0.3, height: 0.3 } },
    ];
    const annotations = PICTURES.slice(1).map((file) => ({ file_name: file, labels: ['pet', 'cat', 'ant'], objects }));
    await additions.api.must(202, 'POST', sources.path(), { annotations });
    await additions.api.untilStatus(dataset, ['READY']);
    await sources.send({ source: 'kept', annotations: SAID_SHAPES });
    await sources.send({ source: 'ground_truth', annotations: SAID_SHAPES });
  });

  const known = async (source: string): Promise<string[]> => {
    const { annotations } = await sources.list(`?source=${source}&limit=1000`);
    return annotations.map(({ id, file_path: file }) => `${file} ${id}`);
  };
  const shape = (): object | null => {
    const [x, y, width, height] = [
      random.between(0, 99),
      random.between(0, 99),
      random.next() * 60,
      random.next() * 20,
    ];
    if (random.next() < 0.4) return null;
    if (random.next() < 0.3) return { type: 'polygon', rings: [[x, y, x + width, y, x, y + height]] };
    return { type: 'box', x, y, width, height };
  };
  const annotation = (mode: string, ids: readonly string[]): object => {
    const [file, id] = pick([...ids, ...PICTURES.map((each) => `${each} new-${Math.floor(random.next() * 9)}`)]).split(
      ' ',
    );
    const isNamed = mode === 'merge' || random.next() < 0.8;
    const said = { label: pick(['cat', 'dog', 'pet', 'ear']), shape: shape(), attributes: { at: random.next() } };
    return { file_name: file, ...(isNamed && { id }), ...(mode !== 'delete' && said) };
  };
  const edit = async (): Promise<void> => {
    const [source, mode] = [pick(SOURCES), pick(MODES)];
    const ids = await known(source);
    const annotations = Array.from({ length: 1 + Math.floor(random.next() * 4) }, () => annotation(mode, ids));
    await sources.send({ source, mode, annotations });
  };
  const exported = async (): Promise<Map<string, string>> => {
    const client = new ExportClient(additions.api);
    const members = new Map<string, string>();
    for (const query of EXPORTS)
      for (const [name, bytes] of await client.archive(dataset, await client.start(dataset, query)))
        members.set(`${query} ${name}`, createHash('sha256').update(bytes).digest('hex'));
    return members;
  };

  it(
    'leave an export as it was to the byte, when all are undone, and as they made it, when all are done again',
    async () => {
      const run = new LongRun(2 * EDITS, 'undos');
      const history = new HistoryClient(additions.api, dataset);
      const [last] = await history.all();
      const before = await exported();
      const saidBefore = await sources.list('?limit=1000');
      for (let done = 0; done < EDITS;) {
        const together = Math.min(EDITS - done, 1 + Math.floor(random.next() * MOST_AT_ONCE));
        await Promise.all(Array.from({ length: together }, edit));
        done += together;
      }
      const after = await exported();
      expect(after).not.toEqual(before);
      const saidAfter = await sources.list('?limit=1000');
      const undoAll = async (until: string): Promise<void> => {
        let cursor = '';
        for (;;) {
          const { changes, next_cursor: next } = await history.page(`?limit=100${cursor}`);
          for (const { change_id: change } of changes) {
            if (change === until) return;
            await history.undo(change);
            run.advance();
          }
          cursor = `&cursor=${next}`;
        }
      };
      const [latest] = await history.all();
      await undoAll(last!.change_id);
      expect(await sources.list('?limit=1000')).toEqual(saidBefore);
      expect(await exported()).toEqual(before);
      await undoAll(latest!.change_id);
      expect(await sources.list('?limit=1000')).toEqual(saidAfter);
      expect(await exported()).toEqual(after);
      run.held();
    },
    60_000 + EDITS * PER_EDIT_MS,
  );
});
