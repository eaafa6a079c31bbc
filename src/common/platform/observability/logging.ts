import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DynamicModule, LoggerService } from '@nestjs/common';
import { LoggerModule, PinoLogger } from 'nestjs-pino';
import type { Configuration } from '../config/configuration';
import type { RuntimeSettings } from '../config/runtime-settings.schema';
import type { AuthenticatedRequest } from '../http/principal';
import { traceIds } from './spans';

const LEVELS = { warn: 40, error: 50 } as const;

/** The entry point logs the reason of a failed start, once. */
const LOGGED_ELSEWHERE: readonly unknown[] = ['ExceptionHandler', 'NestApplication'];

/** The logger until the program is ready, so that waits during startup are visible. */
export const startLog: LoggerService = {
  log: () => undefined,
  warn: (...values: unknown[]) => write('warn', values),
  error: (...values: unknown[]) => write('error', values),
};

interface Described {
  readonly type: unknown;
  readonly message: unknown;
  readonly stack: unknown;
  readonly code: unknown;
  readonly aggregateErrors?: readonly unknown[] | undefined;
}

type LogLevel = RuntimeSettings['LOG_LEVEL'];

const INFO = 30;

const PINO_LEVELS: Readonly<Record<LogLevel, string>> = {
  DEBUG: 'debug',
  INFO: 'info',
  WARNING: 'warn',
  ERROR: 'error',
  CRITICAL: 'fatal',
};
/** The framework logs each module and route at every start. */
const START_UP_CONTEXTS = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
]);
const QUIET_ROUTES = ['/health/', '/metrics'];

/** Set by the access guard; undefined for refused requests. */
type LoggedRequest = IncomingMessage &
  Pick<AuthenticatedRequest, 'changesState' | 'principal'> & { route?: { path?: string } };

const changedSomething = ({ changesState }: LoggedRequest, { statusCode }: ServerResponse): boolean =>
  changesState === true && statusCode < 400;

/** Structured logs, one line per event, with the id of the request. */
export const loggingModule = (configuration: Configuration): DynamicModule =>
  LoggerModule.forRoot({
    pinoHttp: {
      level: PINO_LEVELS[configuration.settings.LOG_LEVEL],
      mixin: traceIds,
      redact: ['req.headers.authorization', 'req.headers.cookie', 'res.headers["set-cookie"]'],
      // A signed URL grants access, so its signature is not logged.
      serializers: {
        req: (request: { id: string; method: string; url: string }) => ({
          id: request.id,
          method: request.method,
          path: request.url.split('?')[0],
        }),
        res: (response: { statusCode: number }) => ({ status: response.statusCode }),
        err: describeError,
      },
      customLogLevel: (request, response, error) => {
        // Outages and overload are logged separately, not once per request.
        if (response.statusCode === 503) return 'debug';
        if (error !== undefined || response.statusCode >= 500) return 'error';
        return changedSomething(request, response) ? 'info' : 'debug';
      },
      customProps: (request: LoggedRequest, response) =>
        changedSomething(request, response) ? { route: request.route?.path, user: request.principal?.userId } : {},
      // Without a stack: that of an unexpected error is logged on a separate line, and an expected error needs none.
      customErrorObject: (_, __, { message: reason }: Error, line: object) => ({ ...line, err: undefined, reason }),
      hooks: {
        logMethod(args, method, level) {
          const { context } = (args as unknown[])[0] as { context?: string };
          if (level <= INFO && context !== undefined && START_UP_CONTEXTS.has(context)) return;
          method.apply(this, args);
        },
      },
      autoLogging: { ignore: (request) => QUIET_ROUTES.some((route) => request.url?.startsWith(route) === true) },
    },
  });

/** Applies from now on; requests in progress keep their level. */
export function setLogLevel(level: LogLevel): void {
  PinoLogger.root.level = PINO_LEVELS[level];
}

/**
 * The type, message, stack, code and causes of an error. Other properties, such as the values of a query or the response of an identity provider, are
 * not logged.
 */
export function describeError(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { type, message, stack, code, aggregateErrors } = error as Described;
  return { type, message, stack, code, aggregateErrors: aggregateErrors?.map(describeError) };
}

function write(level: keyof typeof LEVELS, values: readonly unknown[]): void {
  const [message, ...rest] = values;
  const context = rest.at(-1);
  if (LOGGED_ELSEWHERE.includes(context)) return;
  console.error(JSON.stringify({ level: LEVELS[level], time: Date.now(), context, msg: String(message) }));
}
