/** Places where a test may have the process die, as `kill -9` would: `FAILPOINT=name` or `name:3` for the third time. */
const FAILPOINTS = [
  'listed',
  'chunk-stored',
  'chunk-journalled',
  'compared',
  'generation-registered',
  'table-written',
  'before-flip',
  'after-flip',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

const [wanted, times] = (process.env['FAILPOINT'] ?? '').split(':');
let left = Number(times ?? 1);

export function failpoint(name: Failpoint): void {
  if (name !== wanted) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

export const failpointNames: readonly Failpoint[] = FAILPOINTS;
