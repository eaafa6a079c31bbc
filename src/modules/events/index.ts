export { DomainEvents } from './events.module';
export {
  EVENT_TYPES,
  subjectOf,
  totalled,
  type AnnotationsChanged,
  type DomainEvent,
  type EventType,
  type SourceTotals,
} from './domain/domain-event';
export { EventsModule } from './events.module';
