/** Releases memory at once instead of at garbage collection; the arrays on it become empty. */
export function free(buffers: readonly ArrayBufferLike[]): void {
  for (const buffer of buffers)
    if (buffer.byteLength > 0) structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
}
