import { agreementOf, cohenKappa, type AnswerPattern } from './agreement';

/**
 * The answers of four people to 60 items, with `-` for none. The figures are those of `cohen_kappa_score` of scikit-learn, of
 * `krippendorff.alpha` of the package krippendorff (`level_of_measurement='nominal'`), and the mean over the items of the share of equal pairs.
 */
const ANSWERS = [
  'hbhtbbtbhtbtbbbhhbbbthbtbbtttbtthbbbtbhhbtbthttbbtttbhbttbtb',
  'hbhtbbtbhtbtbbbthbhbttbtbbtttbtthtbbtbhhbtbthhbbbthtbhbhtbtb',
  '---tb--b-tbtbbb-hbbb---t-----------bt-----btht----t--hb-t-tb',
  'btthththhh-hh-tbbt-tht-ttbhbh-hth-b-tbb-h-h-tb---bhhhbh-h-th',
] as const;

const patterns = (people: readonly string[]): AnswerPattern[] =>
  Array.from(people[0]!, (_, at) => ({
    values: people.map((said) => said[at]!).filter((said) => said !== '-'),
    items: 1,
  }));

const pairs = (first: string, second: string) =>
  Array.from(first, (said, at) => ({ first: said, second: second[at]!, items: 1 }));

const NEAR = 1e-9;

describe('the agreement of answers', () => {
  it('is that of other programs, for two people', () => {
    const [first, second] = ANSWERS;
    expect(Math.abs(cohenKappa(pairs(first, second))! - 0.7906672481465329)).toBeLessThan(NEAR);
    const { observed, krippendorffAlpha } = agreementOf(patterns([first, second]));
    expect(Math.abs(observed! - 0.8666666666666667)).toBeLessThan(NEAR);
    expect(Math.abs(krippendorffAlpha! - 0.7922758018765)).toBeLessThan(NEAR);
  });

  it('is that of other programs, for several people who did not answer everything', () => {
    const { observed, krippendorffAlpha } = agreementOf(patterns(ANSWERS));
    expect(Math.abs(observed! - 0.586111111111111)).toBeLessThan(NEAR);
    expect(Math.abs(krippendorffAlpha! - 0.35482518655152184)).toBeLessThan(NEAR);
  });

  it('counts equal patterns together', () => {
    const [one, other] = [
      { values: ['a', 'a', 'b'], items: 1 },
      { values: ['b', 'b'], items: 1 },
    ];
    const apart = agreementOf([one, other, one, one, other]);
    const together = agreementOf([
      { ...one, items: 3 },
      { ...other, items: 2 },
    ]);
    expect(together.observed).toBeCloseTo(apart.observed!, 12);
    expect(together.krippendorffAlpha).toBeCloseTo(apart.krippendorffAlpha!, 12);
  });

  it('is unknown without answers, or where all answers are the same', () => {
    expect(agreementOf([])).toEqual({ observed: null, krippendorffAlpha: null });
    expect(agreementOf([{ values: ['a', 'a'], items: 9 }])).toEqual({ observed: 1, krippendorffAlpha: null });
    expect(cohenKappa([])).toBeNull();
    expect(cohenKappa([{ first: 'a', second: 'a', items: 3 }])).toBeNull();
  });
});
