/** A file of vectors can't be used. The message continues a sentence that begins with the file. */
export class VectorFault extends Error {}

/** Writes the vector at `from` with length 1 to the place `at`. `whose` names it if it has no direction. */
export function writeUnitVector(
  numbers: ArrayLike<number>,
  from: number,
  target: Float32Array,
  at: number,
  dimension: number,
  whose: () => string,
): void {
  let largest = 0;
  for (let i = 0; i < dimension; i++) {
    const size = Math.abs(numbers[from + i]!);
    if (!(size < Infinity)) throw new VectorFault(`has NaN or infinity in the vector of ${whose()}`);
    if (size > largest) largest = size;
  }
  if (largest === 0)
    throw new VectorFault(`has only zeros in the vector of ${whose()}, which can't be compared with others`);
  // By the largest number first, because squares of very large or small ones are infinite or 0.
  let squares = 0;
  for (let i = 0; i < dimension; i++) squares += (numbers[from + i]! / largest) ** 2;
  const length = Math.sqrt(squares);
  for (let i = 0; i < dimension; i++) target[at + i] = numbers[from + i]! / largest / length;
}
