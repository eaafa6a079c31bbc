/** What a region of a picture was read as. */
interface Reading {
  readonly region: number;
  readonly text: string;
  readonly confidence: number;
}

const SURE = 0.95;
const LACKS_SPACES = /[.,;:]\p{Script=Latin}|[\p{Script=Latin}\d]{16}/u;

/** Whether a reading is certain, and does not seem to lack spaces. */
export const isReadWell = ({ text, confidence }: Reading): boolean => confidence >= SURE && !LACKS_SPACES.test(text);

export function surestOfEach<Line extends Reading>(readings: readonly Line[]): Line[] {
  const surest = new Map<number, Line>();
  for (const line of readings) {
    const other = surest.get(line.region);
    if (other === undefined || isSurer(line, other)) surest.set(line.region, line);
  }
  return [...surest.values()];
}

/** Of the same characters, the reading with more spaces is right. */
function isSurer(line: Reading, other: Reading): boolean {
  const moreSpaces = line.text.length - other.text.length;
  const isSame = line.text.replaceAll(' ', '') === other.text.replaceAll(' ', '');
  return isSame && moreSpaces !== 0 ? moreSpaces > 0 : line.confidence >= other.confidence;
}
