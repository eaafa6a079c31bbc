import type { Request } from 'express';
import type { AuthenticatedRequest } from './principal';

/** The user of a request, or its address if there is none. */
export function callerOf(request: Request): string {
  const { principal } = request as AuthenticatedRequest;
  return principal === undefined ? `address ${request.ip}` : `user ${principal.userId}`;
}

/** Bytes that are in memory for callers, with a limit for all of them together and a share for each. */
export class HeldBytes {
  private readonly byCaller = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: { readonly all: number; readonly share: number }) {}

  add(caller: string, bytes: number): void {
    this.total += bytes;
    const held = (this.byCaller.get(caller) ?? 0) + bytes;
    if (held === 0) this.byCaller.delete(caller);
    else this.byCaller.set(caller, held);
  }

  release(caller: string, bytes: number): void {
    this.add(caller, -bytes);
  }

  /** Whether this many more bytes would exceed the share of the caller. */
  exceedsShare(caller: string, more = 0): boolean {
    return (this.byCaller.get(caller) ?? 0) + more > this.limits.share;
  }

  exceedsAll(more = 0): boolean {
    return this.total + more > this.limits.all;
  }
}
