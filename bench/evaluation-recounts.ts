import { MediaTableStore } from '../src/common/engine/media-table/media-table-store';
import { ID_WORDS, putId } from '../src/common/engine/annotations/segment';
import { DatasetReader } from '../src/modules/datasets';
import { SourceAnnotations } from '../src/modules/versions';
import { completedEvaluation } from '../test/support/completed-evaluation';
import type { Bench, Report } from './bench';
import { longestTurn } from './support/longest-turn';
import { answerTo, ask, makeDataset } from './support/made-dataset';
import { madeOutcomes } from './support/made-outcomes';
import { inProgram, type ProgramInProcess } from './support/program-in-process';
import { quantile } from './support/quantile';

const BOXES = Number(process.env['BOXES'] ?? 5_000_000);
const PICTURES = Math.ceil(BOXES / 34.5);
const TRUTH = Math.ceil(BOXES / 4.7);
const LABELS = 80;
const TIMES = 60;
const FEW_TIMES = 8;

async function idsOf({ app }: ProgramInProcess, dataset: string): Promise<Uint32Array> {
  const { pointer } = await app.get(DatasetReader).get(dataset);
  const ids = await app.get(SourceAnnotations).idsOf(await app.get(MediaTableStore).open(pointer!));
  const words = new Uint32Array(ids.rows * ID_WORDS);
  for (let row = 0; row < ids.rows; row++) putId(words, row, ids.idOf(row));
  return words;
}

interface Timed {
  readonly p95: number;
  /** Of the event loop, in CPU time. */
  readonly turn: number;
}

/** Each at another confidence, none of which was asked for before. */
async function timed(program: ProgramInProcess, pathAt: (confidence: number) => string, count = TIMES): Promise<Timed> {
  const times: number[] = [];
  await answerTo(program, 'GET', pathAt(0.5));
  const turn = await longestTurn(async () => {
    for (let time = 0; time < count; time++) {
      const started = performance.now();
      await answerTo(program, 'GET', pathAt((time + 0.5) / count));
      times.push(performance.now() - started);
    }
  });
  return { p95: quantile(times, 0.95), turn };
}

async function measure(report: Report, program: ProgramInProcess): Promise<void> {
  const dataset = await makeDataset(program, PICTURES);
  const ids = await idsOf(program, dataset);
  const add = (seed: number): Promise<string> => {
    const outcomes = madeOutcomes({ ids, truth: TRUTH, predictions: BOXES, labels: LABELS, seed });
    return completedEvaluation(program.app, { dataset, outcomes });
  };
  const [id, other] = [await add(1), await add(2)];
  const path = `/api/v1/dataset/${dataset}/evaluations/${id}`;
  const started = performance.now();
  await ask(program, 'GET', `${path}/counts`);
  report.note(`the first count, with its file: ${Math.round(performance.now() - started)} ms`);
  let longest = 0;
  const figure = (what: string, { p95, turn }: Timed, most: number): void => {
    report.figure(`${what}, p95`, p95, 'ms', `<${most}`, p95 < most);
    report.note(`longest turn of the event loop meanwhile, CPU: ${turn.toFixed(0)} ms`);
    longest = Math.max(longest, turn);
  };
  figure(
    `a count of ${BOXES} boxes at another confidence`,
    await timed(program, (at) => `${path}/counts?confidence=${at}`),
    300,
  );
  figure('the matrix', await timed(program, (at) => `${path}/confusion?confidence=${at}`), 300);
  const vql = (confidence: number): string => {
    const filter = { op: 'is', value: ['fp'], evaluation: id, predicted: 'label 007', confidence };
    return encodeURIComponent(JSON.stringify([{ evaluation: filter }]));
  };
  figure(
    'pictures with a wrong prediction of a label',
    await timed(program, (at) => `/api/v1/explore/${dataset}?threshold=4&vql=${vql(at)}`),
    500,
  );
  const some = (what: string, times: Timed, most: number): void => figure(`${what}, of ${FEW_TIMES}`, times, most);
  some('curves', await timed(program, (at) => `${path}/curves?precision=${at}`, FEW_TIMES), 1_000);
  some('groups of failures', await timed(program, () => `${path}/failures`, FEW_TIMES), 1_000);
  some('the comparison of two', await timed(program, () => `${path}/comparison?with=${other}`, FEW_TIMES), 5_000);
  report.figure('longest turn of the event loop, CPU', longest, 'ms', '<=50', longest <= 50);
}

export const bench: Bench = {
  name: 'evaluation-recounts',
  summary: 'an evaluation of five million boxes counted at other confidences (`BOXES=500000` for fewer)',
  run: (report) => inProgram((program) => measure(report, program)),
};
