import type { LoggerService } from '@nestjs/common';

const LEVELS = { warn: 40, error: 50 } as const;

/** The entry point logs the reason of a failed start, once. */
const LOGGED_ELSEWHERE: readonly unknown[] = ['ExceptionHandler', 'NestApplication'];

function write(level: keyof typeof LEVELS, values: readonly unknown[]): void {
  const [message, ...rest] = values;
  const context = rest.at(-1);
  if (LOGGED_ELSEWHERE.includes(context)) return;
  console.error(JSON.stringify({ level: LEVELS[level], time: Date.now(), context, msg: String(message) }));
}

/** The logger until the program is ready, so that waits during startup are visible. */
export const startLog: LoggerService = {
  log: () => undefined,
  warn: (...values: unknown[]) => write('warn', values),
  error: (...values: unknown[]) => write('error', values),
};
