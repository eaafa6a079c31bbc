import type { LoggerService } from '@nestjs/common';

const LEVELS = { warn: 40, error: 50 } as const;

/** Why a start failed is told once, by whoever started it. */
const TOLD_ELSEWHERE: readonly unknown[] = ['ExceptionHandler', 'NestApplication'];

function write(level: keyof typeof LEVELS, values: readonly unknown[]): void {
  const [message, ...rest] = values;
  const context = rest.at(-1);
  if (TOLD_ELSEWHERE.includes(context)) return;
  console.error(JSON.stringify({ level: LEVELS[level], time: Date.now(), context, msg: String(message) }));
}

/** The log until the program is ready: what it waits for must be seen while it waits. */
export const startLog: LoggerService = {
  log: () => undefined,
  warn: (...values: unknown[]) => write('warn', values),
  error: (...values: unknown[]) => write('error', values),
};
