import { Injectable, Module } from '@nestjs/common';

type Listener = (userId: string) => void;

/** Notifies listeners of users who keep using a session or an API key, about once a minute for each. */
@Injectable()
export class Renewals {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  note(userId: string): void {
    for (const listener of this.listeners) listener(userId);
  }
}

@Module({ providers: [Renewals], exports: [Renewals] })
export class RenewalsModule {}
