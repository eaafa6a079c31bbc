import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import { Failure, errorText, messageOf } from '../../api/failure';
import { useSignsIn } from '../../api/sign-in';
import { Button } from '../../design/button';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { PageHeader } from '../../design/page-header';
import { SecretDialog } from '../../design/secret-dialog';
import { EmptyState, Skeleton } from '../../design/state';
import { ActionsCell, Table } from '../../design/table';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { formatTime } from '../../texts/format';
import styles from './api-keys.module.css';

const { apiKeys: words } = texts;
const QUERY_KEY = ['api-keys'];

const changed = () => void queries.invalidateQueries({ queryKey: QUERY_KEY });

export function ApiKeysPage() {
  const signsIn = useSignsIn();
  const { data, error, refetch } = useQuery({
    queryKey: QUERY_KEY,
    enabled: signsIn === true,
    queryFn: () => answered(service.api.GET('/api/v1/api_credentials/list')),
  });
  const [revoking, setRevoking] = useState<string | null>(null);
  const create = useMutation({
    mutationFn: () => answered(service.api.GET('/api/v1/api_credentials')),
    onSuccess: changed,
    onError: (failed) => toast({ text: messageOf(failed), isFailure: true }),
  });
  const made = create.data;
  const button = (
    <Button kind="primary" icon="plus" isDisabled={create.isPending} onPress={() => create.mutate()}>
      {words.create}
    </Button>
  );
  const all = data?.api_credentials;
  return (
    <>
      <PageHeader title={words.title}>{all !== undefined && all.length > 0 && button}</PageHeader>
      <div className={styles.page}>
        {error !== null && all === undefined && <Failure error={error} onRetry={() => void refetch()} />}
        {signsIn === false && <EmptyState icon="key" {...words.notNeeded} />}
        {all === undefined && error === null && signsIn !== false && <Skeleton style={{ height: 160 }} />}
        {all?.length === 0 && (
          <EmptyState icon="key" {...words.none}>
            {button}
          </EmptyState>
        )}
        {all !== undefined && all.length > 0 && (
          <>
            <p className={styles.note}>{words.intro}</p>
            <Table label={words.title} columns={words.columns}>
              {all.map(({ api_key: key, created_at: createdAt, last_used_at: usedAt }) => (
                <tr key={key}>
                  <td>
                    <code>{key}</code>
                  </td>
                  <td>{formatTime(createdAt)}</td>
                  <td>{usedAt === null ? words.never : formatTime(usedAt)}</td>
                  <ActionsCell>
                    <Button aria-label={words.revokeLabel(key)} onPress={() => setRevoking(key)}>
                      {words.revoke}
                    </Button>
                  </ActionsCell>
                </tr>
              ))}
            </Table>
          </>
        )}
      </div>
      {made !== undefined && (
        <SecretDialog
          title={words.createdTitle}
          text={words.createdText}
          values={[
            [words.key, made.api_key],
            [words.secret, made.api_secret],
          ]}
          onClose={() => create.reset()}
        />
      )}
      {revoking !== null && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function RevokeDialog({ apiKey, onClose }: { readonly apiKey: string; readonly onClose: () => void }) {
  const revoke = useMutation({
    mutationFn: () =>
      service.api.DELETE('/api/v1/api_credentials/{api_key}', { params: { path: { api_key: apiKey } } }),
    onSuccess: () => {
      toast({ text: words.revoked });
      changed();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={words.revokeTitle}
      confirm={words.revoke}
      isDangerous
      isPending={revoke.isPending}
      error={errorText(revoke.error)}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{words.revokeText(apiKey)}</p>
    </ConfirmDialog>
  );
}
