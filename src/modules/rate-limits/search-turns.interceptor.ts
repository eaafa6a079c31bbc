import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { setImmediate } from 'node:timers/promises';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { assertCallerWaits, whileCallerWaits } from '../../common/platform/concurrency/caller-gone';
import { Turns } from '../../common/platform/concurrency/turns';
import { callerOf } from '../../common/platform/http/read-body';
import { RATE_LIMITED, type RateLimitName } from '../../common/platform/http/rate-limited';
import { assertAnswersAreRead } from '../../common/platform/http/connections';

/** Searches of one caller that run at a time; the others wait, which takes hardly any memory. */
const AT_ONCE = 8;

interface Searches {
  readonly turns: Turns;
  open: number;
}

/** Runs a few searches of each caller at a time, and none for a connection that has been closed. */
@Injectable()
export class SearchTurnsInterceptor implements NestInterceptor {
  private readonly byCaller = new Map<string, Searches>();

  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const declaredAt = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<RateLimitName | undefined>(RATE_LIMITED, declaredAt) !== 'search')
      return next.handle();
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const search = async (): Promise<unknown> => {
      // Searches that find all in caches would otherwise follow each other without a look at connections.
      await setImmediate();
      assertCallerWaits();
      assertAnswersAreRead(request);
      return lastValueFrom(next.handle(), { defaultValue: undefined });
    };
    return from(
      whileCallerWaits(
        () => response.destroyed,
        () => this.inTurn(callerOf(request), search),
      ),
    );
  }

  private async inTurn<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const searches = this.byCaller.get(caller) ?? { turns: new Turns(AT_ONCE), open: 0 };
    this.byCaller.set(caller, searches);
    searches.open += 1;
    try {
      return await searches.turns.run(false, work);
    } finally {
      searches.open -= 1;
      if (searches.open === 0) this.byCaller.delete(caller);
    }
  }
}
