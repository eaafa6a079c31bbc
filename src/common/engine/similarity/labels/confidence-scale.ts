/** No smaller probability becomes a confidence of a half. */
const LEAST_CUT = 0.03;

/**
 * Replaces the probabilities that labels are wrong by confidences. Those from 0.5 on are the choice with the best expected F1, which takes labels from
 * half of that F1 on: where labels overlap so much that none is likely to be wrong, the likeliest ones.
 */
export function scaleToBestChoice(probabilities: Float32Array): void {
  const expected = probabilities.reduce((sum, probability) => sum + probability, 0);
  const falling = probabilities.filter((probability) => probability >= LEAST_CUT).sort();
  falling.reverse();
  let [best, right] = [0, 0];
  falling.forEach((probability, at) => {
    right += probability;
    best = Math.max(best, (2 * right) / (at + 1 + expected));
  });
  // Where fewer than one wrong label is expected, a probability is a confidence as it is.
  const cut = Math.max(LEAST_CUT, best / 2, 0.5 / Math.max(1, expected));
  probabilities.forEach((probability, at) => {
    const wrong = probability * (1 - cut);
    probabilities[at] = wrong / (wrong + (1 - probability) * cut);
  });
}
