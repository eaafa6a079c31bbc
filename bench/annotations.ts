import { MediaTableStore } from '../src/common/engine/media-table/media-table-store';
import { DatasetReader } from '../src/modules/datasets';
import type { Bench, Report } from './bench';
import { longestTurn } from './support/longest-turn';
import { answerTo, ask, makeDataset } from './support/made-dataset';
import { inProgram, type ProgramInProcess } from './support/program-in-process';
import { quantile } from './support/quantile';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
/** In the edits, and in the searches after them. */
const BOXES_EACH = 3;
const SEARCHED_BOXES_EACH = 5;
const BATCH = 9_999;
const LABELS = 80;
const EDITS = 200;
const EDITORS = 16;
const SECONDS = Number(process.env['SECONDS'] ?? 60);
const SEARCHES = 60;
const MEDIA_A_PAGE = 100;

interface Listed {
  readonly annotations: readonly { readonly media_id: string }[];
  readonly total: number;
}

const labelOf = (number: number): string => `thing_${number % LABELS}`;

/** A box of a picture; the confidence spreads evenly. Those that come after the edits have an attribute. */
const boxOf = (picture: string, seed: number, at: number): object => ({
  media_id: picture,
  id: `${at}`,
  label: labelOf(seed * 7 + at * 13),
  confidence: ((seed * 31 + at * 17) % 1000) / 1000,
  shape: { type: 'box', x: seed % 300, y: at * 20, width: 40 + (seed % 50), height: 30 },
  ...(at >= BOXES_EACH && { attributes: { seen: (seed + at) % 1000 } }),
});

class Annotated {
  constructor(
    private readonly program: ProgramInProcess,
    private readonly id: string,
    readonly pictures: readonly string[],
  ) {}

  change(source: string, annotations: readonly object[], mode = 'merge'): Promise<object> {
    return ask(this.program, 'POST', `/api/v1/dataset/${this.id}/annotations`, { source, mode, annotations });
  }

  media(ids: readonly string[]): Promise<object> {
    return ask(this.program, 'GET', `/api/v1/dataset/${this.id}/media?media_ids=${ids.join(',')}`);
  }

  list(query: string): Promise<Listed> {
    return ask(this.program, 'GET', `/api/v1/dataset/${this.id}/annotations?${query}`);
  }

  /** Returns when the vectors are in memory, as they are wherever somebody searches. */
  async warm(): Promise<void> {
    const query = `entity_type=IMAGES&anchor_media_id=${this.pictures[0]!}&anchor_type=MEDIA`;
    await ask(this.program, 'GET', `/api/v1/explore/${this.id}?${query}`);
  }

  /** The answer of explore, as it came: parsing it is the work of a client. */
  explore(filter: object): Promise<Buffer> {
    const vql = encodeURIComponent(JSON.stringify([{ labels: { op: 'one_of', ...filter } }]));
    return answerTo(this.program, 'GET', `/api/v1/explore/${this.id}?entity_type=IMAGES&vql=${vql}`);
  }
}

const isFound = (answer: Buffer): boolean =>
  (JSON.parse(answer.toString()) as { clusters: unknown[] }).clusters.length > 0;

async function mediaIds(program: ProgramInProcess, id: string): Promise<string[]> {
  const { pointer } = await program.app.get(DatasetReader).get(id);
  const table = await program.app.get(MediaTableStore).open(pointer!);
  const ids: string[] = [];
  for await (const rows of table.readRows(['id'])) for (const row of rows) ids.push(row.id);
  return ids;
}

/** The boxes of each picture with the numbers from `first` to before `end`. */
async function addBoxes(report: Report, of: Annotated, first: number, end: number): Promise<void> {
  const started = performance.now();
  const turn = await longestTurn(async () => {
    const each = Math.floor(BATCH / (end - first));
    for (let at = 0; at < of.pictures.length; at += each) {
      const some = of.pictures.slice(at, at + each);
      const boxes = some.flatMap((picture, i) =>
        Array.from({ length: end - first }, (_, box) => boxOf(picture, at + i, first + box)),
      );
      await of.change('detector', boxes, 'add');
    }
  });
  const seconds = (performance.now() - started) / 1000;
  report.note(
    `${(end - first) * of.pictures.length} boxes in requests of ${BATCH}: ${seconds.toFixed(1)} s, longest turn ${turn.toFixed(0)} ms`,
  );
}

/** From a request until a search has found what it changed. */
async function oneByOne(report: Report, of: Annotated, size: number): Promise<void> {
  const times: number[] = [];
  const rounds = size === 1 ? EDITS : EDITS / 4;
  for (let edit = 0; edit < rounds; edit++) {
    const label = `edit of ${size} ${edit}`;
    const annotations = Array.from({ length: size }, (_, at) => {
      const picture = of.pictures[(edit * 7919 + at * 104_729) % of.pictures.length]!;
      return { media_id: picture, id: '0', label };
    });
    const started = performance.now();
    await of.change('detector', annotations);
    const answer = await of.explore({ value: [label], source: 'detector' });
    times.push(performance.now() - started);
    if (!isFound(answer)) throw new Error(`${label} was not found`);
  }
  const p95 = quantile(times, 0.95);
  report.note(`an edit of ${size}: p50 ${quantile(times, 0.5).toFixed(0)} ms`);
  report.figure(`an edit of ${size}, request to seen by search, p95`, p95, 'ms', '<=200', p95 <= 200);
}

async function atOnce(report: Report, of: Annotated): Promise<void> {
  const ends = performance.now() + SECONDS * 1000;
  let done = 0;
  const started = performance.now();
  const edit = async (editor: number): Promise<void> => {
    for (let own = 0; performance.now() < ends; own++) {
      const picture = of.pictures[(editor * 65_537 + own * 257) % of.pictures.length]!;
      await of.change('people', [{ media_id: picture, id: `${editor}-${own}`, label: `by ${editor}` }]);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: EDITORS }, (_, editor) => edit(editor)));
  const rate = done / ((performance.now() - started) / 1000);
  report.figure(`edits of ${EDITORS} people at once`, rate, '/s', '>=100', rate >= 100);
  const { total } = await of.list('source=people&limit=1');
  report.figure('edits lost or applied twice', Math.abs(total - done), '', '0', total === done);
}

/** The median. */
async function timeOf(of: Annotated, filterOf: (search: number) => object): Promise<number> {
  const times: number[] = [];
  for (let search = 0; search < SEARCHES; search++) {
    const started = performance.now();
    const filter = { source: 'detector', ...filterOf(search) };
    const answer = await of.explore(filter);
    times.push(performance.now() - started);
    if (!isFound(answer)) throw new Error(`${JSON.stringify(filter)} found nothing`);
  }
  return quantile(times, 0.5);
}

async function searches(report: Report, of: Annotated): Promise<void> {
  let [p50, byAttribute] = [0, 0];
  const turn = await longestTurn(async () => {
    p50 = await timeOf(of, (search) => ({ value: [labelOf(search)], confidence: [0.5 + search / 1000, 1] }));
    // Whatever the label.
    const any = { op: 'not_one_of', value: ['unlabeled'] };
    byAttribute = await timeOf(of, (search) => ({ ...any, attributes: { seen: [search, search + 100] } }));
  });
  report.figure('a search by label, source and confidence, p50', p50, 'ms', '<=30', p50 <= 30);
  report.figure('a search by an attribute alone, p50', byAttribute, 'ms', '<=100', byAttribute <= 100);
  report.figure('longest turn of the event loop meanwhile, CPU', turn, 'ms', '<=50', turn <= 50);
}

/** Pages of pictures with all their shapes beside the same pages without, in turns. */
async function pages(report: Report, of: Annotated): Promise<void> {
  const [alone, together]: [number[], number[]] = [[], []];
  const timed = async (into: number[], work: () => Promise<unknown>): Promise<void> => {
    const started = performance.now();
    await work();
    into.push(performance.now() - started);
  };
  for (let page = 0; page < SEARCHES; page++) {
    const first = (page * 65_537) % (of.pictures.length - MEDIA_A_PAGE);
    const ids = of.pictures.slice(first, first + MEDIA_A_PAGE);
    await timed(alone, () => of.media(ids));
    const other = of.pictures.slice(first + 1, first + 1 + MEDIA_A_PAGE);
    await timed(together, () => Promise.all([of.media(other), of.list(`limit=1000&media_id=${other.join(',')}`)]));
  }
  const [without, all] = [quantile(alone, 0.5), quantile(together, 0.5)];
  report.note(
    `a page of ${MEDIA_A_PAGE} pictures: p50 ${without.toFixed(1)} ms, with their shapes ${all.toFixed(1)} ms`,
  );
  report.figure('the same with all shapes, ratio', all / without, '', '<=1.5', all <= 1.5 * without);
}

async function measure(report: Report, program: ProgramInProcess): Promise<void> {
  const id = await makeDataset(program, ROWS);
  const annotated = new Annotated(program, id, await mediaIds(program, id));
  await annotated.warm();
  await addBoxes(report, annotated, 0, BOXES_EACH);
  await oneByOne(report, annotated, 1);
  await oneByOne(report, annotated, 1_000);
  await pages(report, annotated);
  await atOnce(report, annotated);
  await addBoxes(report, annotated, BOXES_EACH, SEARCHED_BOXES_EACH);
  await searches(report, annotated);
}

export const bench: Bench = {
  name: 'annotations',
  summary: `edits and pages of three boxes on each of a million media, and searches among five (ROWS and SECONDS for fewer)`,
  run: (report) => inProgram((program) => measure(report, program)),
};
