import { isReadWell, surestOfEach } from './readings';

const reading = (text: string, confidence: number, region = 0) => ({ region, text, confidence });

describe('the readings of a line', () => {
  it.each([
    ['Select a language', 0.97, true],
    ['Select a language', 0.94, false],
    ['Youneedtosetapassword', 0.99, false],
    ['tags,who', 0.99, false],
    ['3,999.50', 0.99, true],
  ])('%s of %s is good: %s', (text, confidence, isGood) => {
    expect(isReadWell(reading(text, confidence))).toBe(isGood);
  });

  it('are compared by their confidence', () => {
    const readings = [reading('vide0', 0.9), reading('video', 0.95), reading('other', 0.5, 1), reading('v1deo', 0.93)];
    expect(surestOfEach(readings).map(({ text }) => text)).toEqual(['video', 'other']);
  });

  it('are compared by their spaces where the letters are the same', () => {
    const few = reading('itcomputenpm', 0.99);
    const many = reading('it compute npm', 0.92);
    expect(surestOfEach([few, many])).toEqual([many]);
    expect(surestOfEach([many, few])).toEqual([many]);
    expect(surestOfEach([reading('a b', 0.8), reading('a b', 0.9)])).toEqual([reading('a b', 0.9)]);
  });
});
