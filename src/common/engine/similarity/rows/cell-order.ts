/** Orders the cells so that near cells mostly follow each other, by repeatedly halving them along the line between two distant ones. */
export function cellOrder(means: Float32Array, dimension: number): Int32Array {
  const count = means.length / dimension;
  const order = Int32Array.from({ length: count }, (_, cell) => cell);
  const along = new Float32Array(count);
  const dot = (one: number, other: number): number => {
    let sum = 0;
    for (let k = 0; k < dimension; k++) sum += means[one * dimension + k]! * means[other * dimension + k]!;
    return sum;
  };
  const farthestFrom = (cell: number, cells: Int32Array): number => {
    let [farthest, least] = [cell, Infinity];
    for (const other of cells) {
      const nearness = dot(cell, other);
      if (nearness < least) [farthest, least] = [other, nearness];
    }
    return farthest;
  };
  const waiting: [from: number, to: number][] = [[0, count]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [from, to] = next;
    if (to - from <= 2) continue;
    const cells = order.subarray(from, to);
    const one = farthestFrom(cells[0]!, cells);
    const other = farthestFrom(one, cells);
    for (const cell of cells) along[cell] = dot(one, cell) - dot(other, cell);
    cells.sort((a, b) => along[a]! - along[b]! || a - b);
    const middle = (from + to) >> 1;
    waiting.push([from, middle], [middle, to]);
  }
  return order;
}
