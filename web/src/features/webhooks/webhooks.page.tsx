import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { components } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { useDataset, useDatasets, useMayChange } from '../../api/datasets';
import { Pending } from '../../api/failure';
import { keys } from '../../api/keys';
import { Button, IconButton } from '../../design/button';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { Menu } from '../../design/menu';
import { PageHeader } from '../../design/page-header';
import { SecretDialog } from '../../design/secret-dialog';
import { Chip, EmptyState } from '../../design/state';
import { ActionsCell, Table } from '../../design/table';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { formatTime } from '../../texts/format';
import { CreateWebhookDialog } from './create-webhook-dialog';
import { DeliveriesDialog } from './deliveries-dialog';
import styles from './webhooks.module.css';

const { webhooks: words } = texts;

type Webhook = components['schemas']['Webhook'];

export function WebhooksPage() {
  const { id, display_name: name } = useDataset();
  const mayChange = useMayChange(id);
  const isRoleKnown = useDatasets().data !== undefined;
  const list = useQuery({
    queryKey: keys.of(id, 'webhooks'),
    enabled: isRoleKnown && mayChange,
    queryFn: () =>
      answered(service.api.GET('/api/v1/dataset/{dataset_id}/webhooks', { params: { path: { dataset_id: id } } })),
  });
  const [isCreating, setIsCreating] = useState(false);
  const button = (
    <Button kind="primary" icon="plus" onPress={() => setIsCreating(true)}>
      {words.create}
    </Button>
  );
  const all = list.data?.webhooks ?? [];
  return (
    <>
      <PageHeader title={words.title} note={name}>
        {all.length > 0 && button}
      </PageHeader>
      <div className={styles.page}>
        {mayChange ? <Pending of={list} height={160} /> : <EmptyState icon="link" {...words.forbidden} />}
        {list.data !== undefined && all.length === 0 && (
          <EmptyState icon="link" {...words.none}>
            {button}
          </EmptyState>
        )}
        {all.length > 0 && (
          <>
            <p className={styles.note}>{words.intro}</p>
            <Table label={words.title} columns={words.columns}>
              {all.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </Table>
          </>
        )}
      </div>
      {isCreating && <NewWebhook datasetId={id} onClose={() => setIsCreating(false)} />}
    </>
  );
}

/** Asks what to send where, then shows the secret of the webhook that was made. */
function NewWebhook({ datasetId, onClose }: { readonly datasetId: string; readonly onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  if (secret === null) return <CreateWebhookDialog datasetId={datasetId} onCreated={setSecret} onClose={onClose} />;
  return (
    <SecretDialog
      title={words.createdTitle}
      text={words.createdText}
      values={[[words.secret, secret]]}
      onClose={onClose}
    />
  );
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const { url, events, created_at: createdAt, stopped_reason: stopped } = webhook;
  const [open, setOpen] = useState<'deliveries' | 'remove' | null>(null);
  const close = () => setOpen(null);
  return (
    <tr>
      <td>
        {url}
        {stopped !== null && <small className={styles.stopped}>{words.stopped(stopped)}</small>}
      </td>
      <td>
        <span className={styles.events}>
          {events.map((event) => (
            <Chip key={event}>{words.events[event]}</Chip>
          ))}
        </span>
      </td>
      <td>{formatTime(createdAt)}</td>
      <ActionsCell>
        <Menu
          trigger={<IconButton icon="more" label={words.actions(url)} />}
          label={words.actions(url)}
          entries={[
            { id: 'deliveries', label: words.deliveries, icon: 'upload', onAction: () => setOpen('deliveries') },
            { id: 'remove', label: words.remove, icon: 'trash', isDangerous: true, onAction: () => setOpen('remove') },
          ]}
        />
        {open === 'deliveries' && <DeliveriesDialog webhook={webhook} onClose={close} />}
        {open === 'remove' && <RemoveDialog webhook={webhook} onClose={close} />}
      </ActionsCell>
    </tr>
  );
}

function RemoveDialog({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const { id, dataset_id: datasetId } = webhook;
  const remove = useMutation({
    mutationFn: () =>
      service.api.DELETE('/api/v1/dataset/{dataset_id}/webhooks/{webhook_id}', {
        params: { path: { dataset_id: datasetId, webhook_id: id } },
      }),
    onSuccess: () => {
      toast({ text: words.removed });
      void queries.invalidateQueries({ queryKey: keys.of(datasetId, 'webhooks') });
      onClose();
    },
  });
  return (
    <ConfirmDialog title={words.removeTitle} confirm={words.remove} isDangerous action={remove} onClose={onClose}>
      <p>{words.removeText}</p>
    </ConfirmDialog>
  );
}
