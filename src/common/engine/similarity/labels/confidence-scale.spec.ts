import { scaleToBestChoice } from './confidence-scale';

const confidences = (probabilities: readonly number[]): number[] => {
  const scaled = Float32Array.from(probabilities);
  scaleToBestChoice(scaled);
  return [...scaled];
};
const chosen = (probabilities: readonly number[]): number =>
  confidences(probabilities).filter((confidence) => confidence >= 0.5).length;

it('chooses as many as have the best expected F1, in the same order', () => {
  const likely = [
    ...new Array<number>(20).fill(0.9),
    ...new Array<number>(20).fill(0.3),
    ...new Array<number>(300).fill(0.01),
  ];
  expect(chosen(likely)).toBe(20);
  expect(chosen([...new Array<number>(200).fill(0.1), ...new Array<number>(800).fill(0.01)])).toBe(200);
  const scaled = confidences(likely);
  expect(scaled).toEqual([...scaled].sort((a, b) => b - a));
});

it('keeps probabilities where fewer than one wrong label is expected', () => {
  const probabilities = [0.4, 0.2, 0, 0];
  confidences(probabilities).forEach((confidence, at) => expect(confidence).toBeCloseTo(probabilities[at]!, 6));
  expect(confidences([])).toEqual([]);
});

it('chooses no improbable labels, and keeps certainty', () => {
  expect(chosen(new Array<number>(1000).fill(0.02))).toBe(0);
  expect(confidences([1, 0, 1])).toEqual([1, 0, 1]);
});
