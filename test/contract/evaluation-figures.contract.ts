import { EXAMPLE } from '../../src/common/platform/http/description/example-ids';
import { NOBODY, type Case, type Route, type World } from './contract-case';
import { evaluationRoute, unknownEvaluation } from './evaluation.contract';

/** That of `giveEvaluation`. */
const figuresOf = ({ captioned }: World, rest: string): string =>
  `/api/v1/dataset/${captioned}/evaluations/${EXAMPLE.evaluation}/${rest}`;

const wrongConfidence = (rest: string): Case => ({
  it: 'rejects a confidence above 1',
  path: (world) => figuresOf(world, `${rest}?confidence=2`),
  status: 422,
  locations: [['query', 'confidence']],
});

const unknownLabel = (rest: string): Case => ({
  it: 'rejects an unknown label',
  path: (world) => figuresOf(world, rest),
  status: 404,
  detail: "The evaluation compared nothing with the label 'ship'.",
});

const none = { wrong_class: 0, poor_box: 0, wrong_class_and_box: 0, double: 0, background: 0, missed: 0 };
const cat = { tp: 1, fp: 0, fn: 1, precision: 1, recall: 0.5, f1: 2 / 3 };

const COUNTS: readonly Case[] = [
  {
    it: 'counts at the confidence of the evaluation',
    path: (world) => figuresOf(world, 'counts'),
    status: 200,
    answers: () => ({
      confidence: 0.5,
      ...cat,
      kinds: { ...none, missed: 1 },
      per_class: [{ label: 'cat', ...cat }],
    }),
  },
  {
    it: 'counts one label at another confidence',
    path: (world) => figuresOf(world, 'counts?confidence=0.4&label=car'),
    status: 200,
    answers: () => {
      const car = { tp: 0, fp: 1, fn: 0, precision: 0, recall: null, f1: 0 };
      return { confidence: 0.4, ...car, kinds: { ...none, background: 1 }, per_class: [{ label: 'car', ...car }] };
    },
  },
  wrongConfidence('counts'),
  unknownLabel('counts?label=ship'),
  ...unknownEvaluation('/counts'),
];

const CONFUSION: readonly Case[] = [
  {
    it: 'has the cells with the filters that find their media',
    path: (world) => figuresOf(world, 'confusion?confidence=0.4'),
    status: 200,
    answers: () => {
      const cell = (truth: string | null, predicted: string | null, filter: object) => ({
        truth,
        predicted,
        count: 1,
        n_media: 1,
        vql: [{ evaluation: { op: 'is', evaluation: EXAMPLE.evaluation, confidence: 0.4, ...filter } }],
      });
      return {
        confidence: 0.4,
        labels: ['cat', 'car'],
        cells: [
          cell('cat', 'cat', { value: ['tp'], label: 'cat', predicted: 'cat' }),
          cell('cat', null, { value: ['fn'], label: 'cat', kind: ['missed'] }),
          cell(null, 'car', {
            value: ['fp'],
            predicted: 'car',
            kind: ['poor_box', 'wrong_class_and_box', 'double', 'background'],
          }),
        ],
        n_left_out: 0,
      };
    },
  },
  {
    it: 'is between some labels',
    path: (world) => figuresOf(world, 'confusion?confidence=0.4&labels=[car]'),
    status: 200,
    answers: () => expect.objectContaining({ labels: ['car'], n_left_out: 2 }) as unknown,
  },
  {
    it: 'is between 100 labels at most',
    path: (world) => figuresOf(world, `confusion?labels=[${Array.from({ length: 101 }, (_, at) => at).join(',')}]`),
    status: 422,
    locations: [['query', 'labels']],
  },
  wrongConfidence('confusion'),
  unknownLabel('confusion?labels=[cat,ship]'),
  ...unknownEvaluation('/confusion'),
];

const CURVES: readonly Case[] = [
  {
    it: 'has curves, and the confidence with a precision',
    path: (world) => figuresOf(world, 'curves?precision=0.9'),
    status: 200,
    answers: () => ({
      precision_recall: [{ confidence: 0.9, precision: 1, recall: 0.5, f1: 2 / 3 }],
      f1: expect.any(Array) as unknown,
      reliability: expect.arrayContaining([{ from: 0.4, to: 0.5, n: 1, confidence: 0.4, accuracy: 0 }]) as unknown,
      best: { confidence: 0.9, precision: 1, recall: 0.5, f1: 2 / 3 },
      for_precision: { confidence: 0.9, precision: 1, recall: 0.5, f1: 2 / 3 },
    }),
  },
  {
    it: 'has those of a label that nothing found',
    path: (world) => figuresOf(world, 'curves?label=car'),
    status: 200,
    answers: () => expect.objectContaining({ precision_recall: [], best: null }) as unknown,
  },
  {
    it: 'rejects a precision above 1',
    path: (world) => figuresOf(world, 'curves?precision=1.1'),
    status: 422,
    locations: [['query', 'precision']],
  },
  unknownLabel('curves?label=ship'),
  ...unknownEvaluation('/curves'),
];

const PICTURE: readonly Case[] = [
  {
    it: 'leaves out annotations that have changed since',
    path: (world) => figuresOf(world, `media/${world.captionedMedia}`),
    status: 200,
    answers: () => ({ truth: [], predictions: [] }),
  },
  {
    it: 'rejects unknown media',
    path: (world) => figuresOf(world, `media/${NOBODY}`),
    status: 404,
    detail: 'Media not found',
  },
  wrongConfidence(`media/${NOBODY}`),
  ...unknownEvaluation(`/media/${NOBODY}`),
];

const figure = (rest: string, cases: readonly Case[]): Route => ({
  method: 'GET',
  route: `${evaluationRoute}/{evaluation_id}/${rest}`,
  cases,
});

export const EVALUATION_FIGURES_CONTRACT: readonly Route[] = [
  figure('counts', COUNTS),
  figure('confusion', CONFUSION),
  figure('curves', CURVES),
  figure('media/{media_id}', PICTURE),
];
