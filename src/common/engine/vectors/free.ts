/** Releases memory immediately instead of at garbage collection. Arrays on it become empty. */
export function free(buffers: readonly ArrayBufferLike[]): void {
  for (const buffer of buffers)
    if (buffer.byteLength > 0) structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
}
