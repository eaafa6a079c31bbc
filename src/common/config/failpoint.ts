/**
 * Places where a test may have the process die, as `kill -9` would: `FAILPOINT=name` or `name:3` for the third time. With
 * `FAILPOINT_SIGNAL=SIGSTOP` it stands still there instead, until somebody sends it SIGCONT.
 */
const FAILPOINTS = [
  'listed',
  'chunk-stored',
  'chunk-journalled',
  'known-left-out',
  'clustering-started',
  'compared',
  'generation-registered',
  'generation-copied',
  'rows-appended',
  'table-written',
  'tags-carried',
  'archive-begun',
  'before-flip',
  'after-flip',
  'views-counted',
  'view-recording',
  'view-recorded',
  'webhook-due',
  'webhook-sent',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

const [wanted, times] = (process.env['FAILPOINT'] ?? '').split(':');
const signal = process.env['FAILPOINT_SIGNAL'] === 'SIGSTOP' ? 'SIGSTOP' : 'SIGKILL';
let left = Number(times ?? 1);

export function failpoint(name: Failpoint): void {
  if (name !== wanted) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, signal);
}

export const failpointNames: readonly Failpoint[] = FAILPOINTS;
