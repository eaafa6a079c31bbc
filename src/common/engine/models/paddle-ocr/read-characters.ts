export interface ReadText {
  readonly text: string;
  /** The mean of the characters' probabilities; 0 without text. */
  readonly confidence: number;
}

/**
 * The most probable class of each step, without repetitions and blanks (CTC). Class 0 is the blank; the others are the characters in their order.
 */
export function readCharacters(probabilities: Float32Array, characters: readonly string[]): ReadText {
  const classes = characters.length + 1;
  let [text, sum, count, last] = ['', 0, 0, 0];
  for (let first = 0; first < probabilities.length; first += classes) {
    let best = 0;
    for (let each = 1; each < classes; each++)
      if (probabilities[first + each]! > probabilities[first + best]!) best = each;
    if (best !== 0 && best !== last) {
      text += characters[best - 1]!;
      sum += probabilities[first + best]!;
      count += 1;
    }
    last = best;
  }
  return { text, confidence: count === 0 ? 0 : sum / count };
}
