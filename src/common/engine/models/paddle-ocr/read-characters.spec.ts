import { readCharacters } from './read-characters';

const CHARACTERS = ['a', 'b', '中'];

/** The probabilities of steps whose best class is given; class 0 is the blank. */
const steps = (...best: readonly [number, number][]): Float32Array =>
  Float32Array.from(
    best.flatMap(([of, probability]) => [0, 1, 2, 3].map((each) => (each === of ? probability : 0.01))),
  );

describe('the characters of a line', () => {
  it('are the best classes without repetitions and blanks', () => {
    const found = readCharacters(steps([1, 0.5], [1, 0.9], [0, 0.9], [1, 0.7], [3, 0.9], [0, 1], [0, 1]), CHARACTERS);
    expect(found.text).toBe('aa中');
    expect(found.confidence).toBeCloseTo((0.5 + 0.7 + 0.9) / 3);
  });

  it('are none in blanks', () => {
    expect(readCharacters(steps([0, 1], [0, 0.6]), CHARACTERS)).toEqual({ text: '', confidence: 0 });
    expect(readCharacters(new Float32Array(), CHARACTERS)).toEqual({ text: '', confidence: 0 });
  });
});
