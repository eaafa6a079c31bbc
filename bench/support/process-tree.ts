import { readdirSync, readFileSync } from 'node:fs';

const PAGE = 4096;
const TICKS_PER_SECOND = 100;

interface ProcessFigures {
  readonly parent: number;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** Processor time so far and resident memory of a process and all below it, by /proc. */
export function processTree(root = process.pid): { cpuSeconds: number; residentBytes: number } {
  const all = new Map<number, ProcessFigures>();
  for (const name of readdirSync('/proc')) {
    const figures = /^\d+$/.test(name) ? figuresOf(name) : undefined;
    if (figures) all.set(Number(name), figures);
  }
  const ours = [...all].filter(([pid]) => isBelow(root, pid, all)).map(([, figures]) => figures);
  return {
    cpuSeconds: ours.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    residentBytes: ours.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
  };
}

/** Processor time so far of one process alone. */
export const cpuSecondsOf = (pid: number): number => figuresOf(String(pid))?.cpuSeconds ?? 0;

function figuresOf(pid: string): ProcessFigures | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number);
    const [parent, user, system, pages] = [fields[1]!, fields[11]!, fields[12]!, fields[21]!];
    return { parent, cpuSeconds: (user + system) / TICKS_PER_SECOND, residentBytes: pages * PAGE };
  } catch {
    // It ended meanwhile.
    return undefined;
  }
}

function isBelow(root: number, pid: number, all: ReadonlyMap<number, ProcessFigures>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = all.get(at)?.parent) {
    if (at === root) return true;
  }
  return false;
}

/** The highest resident memory seen, by looking every so often. */
export class ResidentMemory {
  private highest = 0;
  private readonly timer = setInterval(() => this.look(), 500);

  constructor(private readonly root = process.pid) {}

  stop(): number {
    this.look();
    clearInterval(this.timer);
    return this.highest;
  }

  private look(): void {
    this.highest = Math.max(this.highest, processTree(this.root).residentBytes);
  }
}
