import type { Notification } from '../domain/notification';
import { presentNotification } from './notification.presenter';

/** Browsers ignore an event without a data line; other clients skip an empty one. */
export const PING_EVENT = Buffer.from('event: ping\ndata: \n\n');
export const ERROR_EVENT = Buffer.from(
  `event: error\ndata: ${JSON.stringify({ detail: 'Notifications cannot be read at the moment. The stream stays open.' })}\n\n`,
);

const eventOf = (notification: Notification): string =>
  `event: notification\nid: ${notification.id}\ndata: ${JSON.stringify(presentNotification(notification))}\n\n`;

export const eventsOf = (notifications: readonly Notification[]): Buffer =>
  Buffer.from(notifications.map(eventOf).join(''));
