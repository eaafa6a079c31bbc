import { Injectable } from '@nestjs/common';
import type { DomainEvent } from './domain/domain-event';

type Listener = (event: DomainEvent) => Promise<void>;

/** Tells who listens what happened, in the transaction in which it happens: either both stand, or neither. */
@Injectable()
export class DomainEvents {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  async record(event: DomainEvent): Promise<void> {
    for (const listener of this.listeners) await listener(event);
  }
}
