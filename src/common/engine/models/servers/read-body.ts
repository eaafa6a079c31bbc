export interface ReadBody {
  readonly bytes: Buffer;
  /** False if there was more than the limit. */
  readonly isWhole: boolean;
}

/** Reads at most so many bytes of a response, and stops the transfer of the rest. */
export async function readBody(response: Response, mostBytes: number): Promise<ReadBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // A response without a body has none to read.
  const body: AsyncIterable<Uint8Array> | [] = response.body ?? [];
  for await (const chunk of body) {
    size += chunk.length;
    if (size > mostBytes) return { bytes: Buffer.concat(chunks), isWhole: false };
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}
