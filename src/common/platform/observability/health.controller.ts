import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../http/access';
import { Unlimited } from '../http/rate-limited';
import { withCallLimit } from '../outage/call-limit';
import { errorMessage } from '../errors/error-code';
import { Metrics } from './metrics';

/** A part of the service. Parts without `check` are optional for the service and not listed. */
export interface HealthProbe {
  readonly part: string;
  /** Rejects if the part is down. */
  readonly check?: () => Promise<unknown>;
  /** Problems that an operator should fix, although the service works. */
  readonly warnings?: () => Promise<readonly string[]>;
  /** What an operator may want to know, by name. */
  readonly facts?: () => Readonly<Record<string, string>>;
}

export const HEALTH_PROBES = Symbol('HealthProbes');

/** Compares paths as routing does. */
export const isMetricsPath = (path: string): boolean => ['/metrics', '/metrics/'].includes(path.toLowerCase());

const PROBE_TIMEOUT_MS = 3000;
/** Requests within this time share a response. */
const SHARED_MS = 1000;

async function checkInTime(check: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PROBE_TIMEOUT_MS} ms`)), PROBE_TIMEOUT_MS);
  });
  try {
    await Promise.race([withCallLimit(PROBE_TIMEOUT_MS, check), late]);
  } finally {
    clearTimeout(timer);
  }
}

const stateOf = (part: string, check: () => Promise<unknown>): Promise<readonly [string, string]> =>
  checkInTime(check).then(
    () => [part, 'up'],
    (error: unknown) => [part, `down: ${errorMessage(error)}`],
  );

/** Returns the value of the last call if it is pending or younger than `SHARED_MS`; failures are not kept. */
function shared<T>(load: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined;
  return () => {
    if (last !== undefined) return last;
    const loading = load();
    const forget = (): void => {
      last = undefined;
    };
    loading.then(() => setTimeout(forget, SHARED_MS).unref(), forget);
    return (last = loading);
  };
}

@ApiExcludeController()
@Controller()
export class HealthController {
  private isLeaving = false;
  private readonly states = shared(() => this.readStates());
  private readonly rendered = shared(() => withCallLimit(PROBE_TIMEOUT_MS, () => this.metrics.registry.metrics()));

  constructor(
    @Inject(HEALTH_PROBES) private readonly probes: readonly HealthProbe[],
    private readonly metrics: Metrics,
  ) {}

  /** Makes this process not ready, because it will end soon. */
  leave(): void {
    this.isLeaving = true;
  }

  @Get('health/live')
  @Public()
  @Unlimited()
  live(): { status: string } {
    return { status: 'ok' };
  }

  /** 200 if every part is up, else 503 with the parts that are down. */
  @Get('health/ready')
  @Public()
  @Unlimited()
  async ready(@Res({ passthrough: true }) response: Response): Promise<{
    status: string;
    parts: Record<string, string>;
    facts: Record<string, string>;
    warnings?: readonly string[];
  }> {
    const { states, warnings } = await this.states();
    const facts = Object.assign({}, ...this.probes.map(({ facts: read }) => read?.())) as Record<string, string>;
    const parts = Object.fromEntries(states);
    if (this.isLeaving) parts['process'] = 'down: it is stopping';
    const up = Object.values(parts).every((state) => state === 'up');
    response.status(up ? 200 : 503);
    return { status: up ? 'ok' : 'unavailable', parts, facts, ...(warnings.length === 0 ? {} : { warnings }) };
  }

  @Get('metrics')
  @Public()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  scrape(): Promise<string> {
    return this.rendered();
  }

  private async readStates(): Promise<{ states: (readonly [string, string])[]; warnings: string[] }> {
    const states = this.probes.flatMap(({ part, check }) => (check === undefined ? [] : [stateOf(part, check)]));
    const warnings = this.probes.flatMap(({ warnings: read }) => (read === undefined ? [] : [read()]));
    return { states: await Promise.all(states), warnings: (await Promise.all(warnings)).flat() };
  }
}
