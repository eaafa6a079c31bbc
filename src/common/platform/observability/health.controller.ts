import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../http/access';
import { withCallLimit } from '../outage/call-limit';
import { errorMessage } from '../errors/error-code';
import { Metrics } from './metrics';

/** A part of the service. Without `check` the service works without it, and it is not listed. */
export interface HealthProbe {
  readonly part: string;
  /** Rejects if it is down. */
  readonly check?: () => Promise<unknown>;
  /** What an operator should correct, although the service works. */
  readonly warnings?: () => Promise<readonly string[]>;
}

export const HEALTH_PROBES = Symbol('HealthProbes');

const PROBE_TIMEOUT_MS = 3000;

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

@ApiExcludeController()
@Controller()
export class HealthController {
  private isLeaving = false;

  constructor(
    @Inject(HEALTH_PROBES) private readonly probes: readonly HealthProbe[],
    private readonly metrics: Metrics,
  ) {}

  /** From now on this process is not ready, because it will end soon. */
  leave(): void {
    this.isLeaving = true;
  }

  @Get('health/live')
  @Public()
  live(): { status: string } {
    return { status: 'ok' };
  }

  /** 200 if every part is up, else 503 with the parts that are down. */
  @Get('health/ready')
  @Public()
  async ready(
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ status: string; parts: Record<string, string>; warnings?: readonly string[] }> {
    const states = this.probes.flatMap(({ part, check }) => (check === undefined ? [] : [stateOf(part, check)]));
    const parts = Object.fromEntries(await Promise.all(states));
    if (this.isLeaving) parts['process'] = 'down: it is stopping';
    const up = Object.values(parts).every((state) => state === 'up');
    response.status(up ? 200 : 503);
    const asked = this.probes.flatMap(({ warnings }) => (warnings === undefined ? [] : [warnings()]));
    const warnings = (await Promise.all(asked)).flat();
    return { status: up ? 'ok' : 'unavailable', parts, ...(warnings.length === 0 ? {} : { warnings }) };
  }

  @Get('metrics')
  @Public()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  scrape(): Promise<string> {
    return withCallLimit(PROBE_TIMEOUT_MS, () => this.metrics.registry.metrics());
  }
}
