import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const PAGE = 4096;
const KIB = 1024;
const TICKS_PER_SECOND = 100;

interface ProcessFigures {
  readonly parent: number;
  readonly name: string;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** The CPU time so far and the resident memory of a process and its descendants, from /proc. */
export function processTree(root = process.pid): { cpuSeconds: number; residentBytes: number } {
  const ours = figuresBelow(root).map(([, figures]) => figures);
  return {
    cpuSeconds: ours.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    residentBytes: ours.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
  };
}

/** The CPU time so far of a process and its descendants, by their names. */
export function cpuSecondsByName(root: number): ReadonlyMap<string, number> {
  const seconds = new Map<string, number>();
  for (const [pid, { name, cpuSeconds }] of figuresBelow(root)) {
    const key = pid === root ? 'service' : name;
    seconds.set(key, (seconds.get(key) ?? 0) + cpuSeconds);
  }
  return seconds;
}

function figuresBelow(root: number): [number, ProcessFigures][] {
  const all = new Map<number, ProcessFigures>();
  for (const name of readdirSync('/proc')) {
    const figures = /^\d+$/.test(name) ? figuresOf(name) : undefined;
    if (figures) all.set(Number(name), figures);
  }
  return [...all].filter(([pid]) => isBelow(root, pid, all));
}

/** The CPU time so far of one process. */
export const cpuSecondsOf = (pid: number): number => figuresOf(String(pid))?.cpuSeconds ?? 0;

export interface Spent {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** The elapsed and CPU time of `work`. The processes must not change meanwhile. */
export async function spentBy(pids: () => readonly number[], work: () => Promise<void>): Promise<Spent> {
  const cpu = (): number => pids().reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  const [started, cpuBefore] = [performance.now(), cpu()];
  await work();
  return { seconds: (performance.now() - started) / 1000, cpuSeconds: cpu() - cpuBefore };
}

/** The name of the script for Node, otherwise of the program. */
function nameOf(pid: string): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const script = words.find((word) => word.endsWith('.js')) ?? words[0]!.split(':')[0]!;
  return basename(script, '.js');
}

function figuresOf(pid: string): ProcessFigures | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number);
    const [parent, user, system, pages] = [fields[1]!, fields[11]!, fields[12]!, fields[21]!];
    return { parent, name: nameOf(pid), cpuSeconds: (user + system) / TICKS_PER_SECOND, residentBytes: pages * PAGE };
  } catch {
    // The process has exited.
    return undefined;
  }
}

function isBelow(root: number, pid: number, all: ReadonlyMap<number, ProcessFigures>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = all.get(at)?.parent) {
    if (at === root) return true;
  }
  return false;
}

/** With each shared page divided among the processes that have it. */
function proportionalBytes(pid: number): number {
  try {
    const [, kibibytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))!;
    return Number(kibibytes) * KIB;
  } catch {
    // The process has exited.
    return 0;
  }
}

/** The memory of a process, and of it with all its descendants. */
export function proportionalMemory(root: number): { own: number; all: number } {
  const all = figuresBelow(root).reduce((sum, [pid]) => sum + proportionalBytes(pid), 0);
  return { own: proportionalBytes(root), all };
}

/** The peak resident memory, sampled at intervals. */
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
