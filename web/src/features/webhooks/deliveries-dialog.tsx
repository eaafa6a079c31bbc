import { useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { components } from 'dataset-media-service-sdk';
import { answered, service } from '../../api/client';
import { Failure } from '../../api/failure';
import { keys } from '../../api/keys';
import { Dialog } from '../../design/dialog';
import { Pager } from '../../design/pager';
import { Chip, Skeleton, type Tone } from '../../design/state';
import { Table } from '../../design/table';
import { texts } from '../../texts';
import { formatTime } from '../../texts/format';
import styles from './webhooks.module.css';

const { webhooks: words } = texts;
const PAGE_SIZE = 20;

type Delivery = components['schemas']['WebhookDelivery'];

const TONES: Readonly<Record<Delivery['status'], Tone>> = { PENDING: 'busy', DELIVERED: 'ok', GIVEN_UP: 'bad' };

export function DeliveriesDialog({
  webhook: { id, dataset_id: datasetId, url },
  onClose,
}: {
  readonly webhook: components['schemas']['Webhook'];
  readonly onClose: () => void;
}) {
  const [page, setPage] = useState(0);
  const { data, error, refetch } = useQuery({
    queryKey: keys.of(datasetId, 'webhooks', id, page),
    placeholderData: keepPreviousData,
    queryFn: () =>
      answered(
        service.api.GET('/api/v1/dataset/{dataset_id}/webhooks/{webhook_id}/deliveries', {
          params: {
            path: { dataset_id: datasetId, webhook_id: id },
            query: { limit: PAGE_SIZE, offset: page * PAGE_SIZE },
          },
        }),
      ),
  });
  return (
    <Dialog title={words.deliveriesTitle(url)} onClose={onClose} isWide>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton style={{ height: 160 }} />}
      {data?.total === 0 && <p className={styles.note}>{words.noDeliveries}</p>}
      {data !== undefined && data.total > 0 && (
        <>
          <Table label={words.deliveries} columns={words.deliveryColumns}>
            {data.deliveries.map((delivery) => (
              <tr key={delivery.id}>
                <td>{formatTime(delivery.created_at)}</td>
                <td>{words.events[delivery.event]}</td>
                <td>
                  <Chip tone={TONES[delivery.status]}>{words.status[delivery.status]}</Chip>
                </td>
                <td>
                  {delivery.last_status_code ?? delivery.last_error}
                  <small>{words.attempts(delivery.attempts)}</small>
                </td>
              </tr>
            ))}
          </Table>
          <Pager page={page} pageSize={PAGE_SIZE} total={data.total} onChange={setPage} />
        </>
      )}
    </Dialog>
  );
}
