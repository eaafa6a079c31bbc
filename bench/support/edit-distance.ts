/** The least number of characters to insert, remove or replace (Levenshtein). */
export function editDistance(from: string, to: string): number {
  let above = Uint32Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row++) {
    const own = new Uint32Array(to.length + 1);
    own[0] = row;
    for (let at = 1; at <= to.length; at++)
      own[at] = Math.min(above[at]! + 1, own[at - 1]! + 1, above[at - 1]! + (from[row - 1] === to[at - 1] ? 0 : 1));
    above = own;
  }
  return above[to.length]!;
}
