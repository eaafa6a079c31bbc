const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]!}`;
}

export function durationText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?';
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Replaces control characters in texts of the service, which a terminal would execute. */
export const plain = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '�');

export type Cell = string | number | null | undefined;

/** Columns are as wide as their longest cell. */
export function tableText(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [head, ...rows.map((row) => row.map((cell) => plain(String(cell ?? ''))))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const isNumber = head.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (isNumber[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd();
  return cells.map(line).join('\n');
}

/** One line that is overwritten on a terminal. Prints nothing elsewhere. */
export class ProgressLine {
  private length = 0;
  private last = 0;

  constructor(private readonly out: NodeJS.WriteStream = process.stderr) {}

  show(text: string, always = false): void {
    const now = Date.now();
    if (!this.out.isTTY || (!always && now - this.last < 100)) return;
    this.last = now;
    const cut = plain(text).slice(0, Math.max(20, this.out.columns - 1));
    this.out.write(`\r${cut.padEnd(this.length)}`);
    this.length = cut.length;
  }

  end(): void {
    if (this.length > 0) this.out.write(`\r${' '.repeat(this.length)}\r`);
    this.length = 0;
  }
}

/** Computes the rate of progress and the remaining time. */
export class Rate {
  private readonly start = Date.now();
  private first: number | undefined;

  of(done: number, total: number): { readonly perSecond: number; readonly secondsLeft: number } {
    this.first ??= done;
    const seconds = (Date.now() - this.start) / 1000;
    const perSecond = seconds > 0 ? (done - this.first) / seconds : 0;
    return { perSecond, secondsLeft: perSecond > 0 ? (total - done) / perSecond : Infinity };
  }
}
