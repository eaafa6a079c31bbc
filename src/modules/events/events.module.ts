import { Module, Injectable } from '@nestjs/common';
import type { DomainEvent } from './domain/domain-event';

type Listener = (event: DomainEvent) => Promise<void>;

/** Calls the listeners in the transaction that records the change, so that both commit or neither does. */
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

@Module({ providers: [DomainEvents], exports: [DomainEvents] })
export class EventsModule {}
