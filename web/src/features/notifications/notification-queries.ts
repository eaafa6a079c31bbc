import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { NotFoundError, type Notification } from 'dataset-media-service-sdk';
import { answered, service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { notificationFeed } from './notification-feed';

const { notifications: words } = texts;

export const useUnreadCount = () =>
  useQuery({
    queryKey: [...keys.notifications, 'unread'],
    queryFn: async () => (await answered(service.api.GET('/api/v1/notifications/unread-count', {}))).count,
  });

export interface NotificationSearch {
  readonly limit: number;
  readonly offset: number;
  readonly unread_only: boolean;
}

export const useNotifications = (query: NotificationSearch) =>
  useQuery({
    queryKey: [...keys.notifications, 'list', query],
    queryFn: () => answered(service.api.GET('/api/v1/notifications', { params: { query } })),
    placeholderData: keepPreviousData,
  });

export const useReadOne = () =>
  useMutation({
    mutationFn: async ({ id }: Notification) => {
      try {
        await service.api.POST('/api/v1/notifications/{notification_id}/read', {
          params: { path: { notification_id: id } },
        });
      } catch (error) {
        // It was read in another tab.
        if (!(error instanceof NotFoundError)) throw error;
      }
    },
    onError: (error) => toast({ text: words.failed(messageOf(error)), isFailure: true }),
    onSettled: () => notificationFeed.tell(),
  });

export const useReadAll = () =>
  useMutation({
    mutationFn: () => answered(service.api.POST('/api/v1/notifications/read-all', {})),
    onSuccess: ({ count }) => toast({ text: words.readDone(count) }),
    onError: (error) => toast({ text: words.failed(messageOf(error)), isFailure: true }),
    onSettled: () => notificationFeed.tell(),
  });

/** The contents of a notification; the metadata may have any shape. */
export function contentOf({ metadata, title, entity_type: type, entity_id: id, dataset_id: datasetId }: Notification) {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const { view_name: view, dataset_name: dataset, batch_id: batch, result_count: count } = metadata;
  const batchId = text(batch);
  const page = type === 'saved_view' ? 'views' : type === 'review_queue' ? 'review' : null;
  const address = datasetId === null || page === null ? null : `/datasets/${datasetId}/${page}/${id}`;
  return {
    name: text(view) === '' ? title : text(view),
    dataset: text(dataset),
    count: typeof count === 'number' ? count : null,
    to: address === null || batchId === '' ? address : `${address}/batches/${batchId}`,
  };
}
