import { Module } from '@nestjs/common';
import { DomainEvents } from './domain-events';

@Module({ providers: [DomainEvents], exports: [DomainEvents] })
export class EventsModule {}
