import { EXAMPLE } from '../../src/common/platform/http/description/example-ids';
import { NOBODY, type Route, type World } from './contract-case';
import { evaluationRoute, unknownEvaluation } from './evaluation.contract';

/** Of an evaluation whose outcomes are given, as is what another one found. */
const ofGiven = (rest: string) => (world: World) =>
  `/api/v1/dataset/${world.captioned}/evaluations/${EXAMPLE.evaluation}${rest}`;

const outcomes = (value: readonly string[], more: object) => ({
  evaluation: { op: 'is', evaluation: EXAMPLE.evaluation, value, ...more },
});

const WORSE = {
  conditions: [
    { by: 'label', value: 'cat', name: 'cat' },
    { by: 'folder', value: 'cats', name: 'cats' },
  ],
  n_media: 30,
  n_truth: 40,
  figure: 0.25,
  rest: 0.75,
  difference: -0.5,
  interval: [-0.625, -0.375],
  p: 0.001,
  worse: true,
  vql: [
    { or: [outcomes(['tp', 'fn'], { label: ['cat'] }), outcomes(['fp'], { predicted: ['cat'] })] },
    { folders: { op: 'one_of', value: ['cats'] } },
  ],
};

const SMALL = expect.objectContaining({
  conditions: [{ by: 'size', value: 'small', name: 'small' }],
  worse: false,
  vql: [outcomes(['tp', 'fp', 'fn'], { area: [0, 1023.999969482421875] })],
}) as unknown;

const foundOnlyBy = (better: string, worse: string) => ({
  count: 1,
  n_media: 1,
  vql: [{ evaluation: { op: 'is', evaluation: worse, value: ['fn'], better_in: better } }],
});

export const EVALUATION_SLICES_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: `${evaluationRoute}/{evaluation_id}/slices`,
    cases: [
      {
        it: 'returns those that are worse',
        path: ofGiven('/slices'),
        status: 200,
        answers: () => ({ figure: 'f1', value: 0.5, total: 1, slices: [WORSE] }),
      },
      {
        it: 'returns the others too, in pages',
        path: ofGiven('/slices?all=true&offset=1&limit=5'),
        status: 200,
        answers: () => ({ figure: 'f1', value: 0.5, total: 2, slices: [SMALL] }),
      },
      {
        it: 'returns those with a kind of condition',
        path: ofGiven('/slices?by=tag&all=true'),
        status: 200,
        answers: () => ({ figure: 'f1', value: 0.5, total: 0, slices: [] }),
      },
      { it: 'rejects another kind', path: ofGiven('/slices?by=weather'), status: 422, locations: [['query', 'by']] },
      { it: 'limits its pages', path: ofGiven('/slices?limit=101'), status: 422, locations: [['query', 'limit']] },
      ...unknownEvaluation('/slices'),
    ],
  },
  {
    method: 'GET',
    route: `${evaluationRoute}/{evaluation_id}/comparison`,
    cases: [
      {
        it: 'compares two evaluations',
        path: ofGiven(`/comparison?with=${EXAMPLE.otherEvaluation}`),
        status: 200,
        answers: () => ({
          n_media: 2,
          figures: Object.entries({ precision: 1, recall: 1 / 2, f1: 2 / 3 }).map(([name, figure]) => ({
            name,
            a: figure,
            b: figure,
            difference: 0,
            interval: [expect.any(Number), expect.any(Number)] as unknown[],
          })),
          a_right_b_wrong: foundOnlyBy(EXAMPLE.evaluation, EXAMPLE.otherEvaluation),
          b_right_a_wrong: foundOnlyBy(EXAMPLE.otherEvaluation, EXAMPLE.evaluation),
          slices: [],
        }),
      },
      {
        it: 'rejects the same evaluation',
        path: ofGiven(`/comparison?with=${EXAMPLE.evaluation}`),
        status: 400,
        detail: 'An evaluation cannot be compared with itself. Choose another one.',
      },
      { it: 'requires another one', path: ofGiven('/comparison'), status: 422, locations: [['query', 'with']] },
      {
        it: 'rejects an unknown one',
        path: ofGiven(`/comparison?with=${NOBODY}`),
        status: 404,
        detail: 'Evaluation not found',
      },
      ...unknownEvaluation(`/comparison?with=${NOBODY}`),
    ],
  },
  {
    method: 'GET',
    route: `${evaluationRoute}/{evaluation_id}/failures`,
    cases: [
      {
        it: 'returns no group of fewer than three pictures',
        path: ofGiven('/failures?outcome=fn&threshold=4&limit=3'),
        status: 200,
        answers: () => ({ groups: [] }),
      },
      {
        it: 'rejects outcomes that are no failures',
        path: ofGiven('/failures?outcome=tp'),
        status: 422,
        locations: [['query', 'outcome']],
      },
      {
        it: 'rejects an unknown granularity',
        path: ofGiven('/failures?threshold=5'),
        status: 422,
        locations: [['query', 'threshold']],
      },
      ...unknownEvaluation('/failures'),
    ],
  },
];
