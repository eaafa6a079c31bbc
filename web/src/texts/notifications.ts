import { counted, formatNumber } from './format';

export const notifications = {
  title: 'Notifications',
  bell: (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${formatNumber(unread)} unread`),
  badge: (unread: number) => (unread > 99 ? '99+' : String(unread)),
  unread: (count: number) => `${formatNumber(count)} unread`,
  arrived: (unread: number) => counted(unread, 'unread notification', 'unread notifications'),
  list: 'Notifications, newest first',
  results: (count: number) => counted(count, 'new match', 'new matches'),
  in: 'in',
  isUnread: 'Unread',
  show: { label: 'Show', all: 'All', unread: 'Unread' },
  readOne: (name: string) => `Mark ${name} as read`,
  readAll: 'Mark all as read',
  readDone: (count: number) => `${counted(count, 'notification is', 'notifications are')} read now.`,
  failed: (why: string) => `This could not be marked as read: ${why}`,
  seeAll: 'See all',
  none: {
    title: 'No notifications',
    text: 'Save a search as a view in Explore, and you are notified here when media that are added match it.',
    unread: 'Everything is read',
    unreadText: 'New matches of saved views appear here.',
  },
};
