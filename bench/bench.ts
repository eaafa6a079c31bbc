export interface Bench {
  readonly name: string;
  readonly summary: string;
  run(report: Report): Promise<void>;
}

export interface Figure {
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  /** The goal, as text. */
  readonly reach: string;
  readonly ok: boolean;
}

/** Prints the results of a bench: tables and notes for people, and one JSON line per figure for programs. */
export class Report {
  private readonly printed: Figure[] = [];

  constructor(
    private readonly bench: string,
    private readonly write: (line: string) => void = console.log,
  ) {}

  get allReached(): boolean {
    return this.printed.every(({ ok }) => ok);
  }

  get figures(): readonly Figure[] {
    return this.printed;
  }

  figure(metric: string, value: number, unit: string, reach: string, ok: boolean): void {
    const rounded = Number(value.toPrecision(6));
    const figure: Figure = { metric, value: rounded, unit, reach, ok };
    this.printed.push(figure);
    this.write(`${ok ? '  ok    ' : '  MISSED'}  ${metric}: ${rounded}${unit === '' ? '' : ` ${unit}`} (${reach})`);
    this.write(JSON.stringify({ bench: this.bench, ...figure }));
  }

  /** The columns are the keys of the first row. */
  table(rows: readonly Readonly<Record<string, string | number>>[]): void {
    const columns = Object.keys(rows[0] ?? {});
    const lines = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
    const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
    for (const line of lines)
      this.write(`  ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd());
  }

  note(text: string): void {
    this.write(`  ${text}`);
  }
}
