import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Points at which a test can kill the process, like `kill -9`. The file named by `FAILPOINT_FILE` contains `name`, or `name:3` for the third time.
 * With `FAILPOINT_SIGNAL=SIGSTOP` the process is suspended instead, until it receives SIGCONT.
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
  'before-indexes',
  'rows-appended',
  'table-written',
  'vectors-read',
  'tags-carried',
  'annotations-written',
  'annotations-merged',
  'annotations-published',
  'findings-stored',
  'findings-journalled',
  'archive-begun',
  'comparison-begun',
  'outcomes-written',
  'before-flip',
  'after-flip',
  'views-counted',
  'view-recording',
  'view-recorded',
  'queue-fed',
  'webhook-due',
  'webhook-sent',
  'schema-migrated',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

const file = process.env['FAILPOINT_FILE'];
const signal = process.env['FAILPOINT_SIGNAL'] === 'SIGSTOP' ? 'SIGSTOP' : 'SIGKILL';

/** The counter is kept in the file, which is removed when it reaches zero, so that a test can arm a running process. */
export function failpoint(name: Failpoint): void {
  if (file === undefined || !existsSync(file)) return;
  const [wanted, times] = readFileSync(file, 'utf8').split(':');
  if (name !== wanted) return;
  const left = Number(times ?? 1) - 1;
  if (left > 0) {
    writeFileSync(file, `${name}:${left}`);
    return;
  }
  rmSync(file);
  process.kill(process.pid, signal);
}

export const failpointNames: readonly Failpoint[] = FAILPOINTS;
