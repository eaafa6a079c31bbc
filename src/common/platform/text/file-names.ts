// Characters with a special meaning in some file systems or archive programs.
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f\\/:*?"<>|]/g;

/** File systems allow 255 bytes; leaves room for an id in front. */
const MOST_BYTES = 200;

/** A name of a file for any file system. It keeps the extension. */
export const safeFileName = (name: string): string => shortened(name.replace(UNSAFE, '_'));

function shortened(name: string): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= MOST_BYTES) return name;
  let start = bytes.length - MOST_BYTES;
  // Don't cut within a character.
  while ((bytes[start]! & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start).toString();
}

export function withoutExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot === -1 ? name : name.slice(0, dot);
}
