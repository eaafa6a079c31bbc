export { DomainEvents } from './events.module';
export { EVENT_TYPES, subjectOf, type DomainEvent, type EventType } from './domain/domain-event';
export { EventsModule } from './events.module';
