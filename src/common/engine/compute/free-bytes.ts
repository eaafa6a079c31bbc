/** Of ECMAScript 2024. */
interface TransferableBuffer {
  transfer(length: number): ArrayBuffer;
}

/**
 * Gives the memory of bytes that nobody looks at any more back at once. Left to the collector, a few files of them
 * make it run, at the price of a tenth of their analysis.
 */
export function freeBytes(bytes: Uint8Array): void {
  const ownsAll = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  if (ownsAll) (bytes.buffer as unknown as TransferableBuffer).transfer(0);
}
