import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import { messageOf, Pending } from '../../api/failure';
import { useSignsIn } from '../../api/sign-in';
import { Button } from '../../design/button';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { PageHeader } from '../../design/page-header';
import { SecretDialog } from '../../design/secret-dialog';
import { EmptyState } from '../../design/state';
import { ActionsCell, Table } from '../../design/table';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { formatTime } from '../../texts/format';
import styles from './api-keys.module.css';

const { apiKeys: words } = texts;
const QUERY_KEY = ['api-keys'];

const changed = () => void queries.invalidateQueries({ queryKey: QUERY_KEY });

const useKeys = (isEnabled: boolean) =>
  useQuery({
    queryKey: QUERY_KEY,
    enabled: isEnabled,
    queryFn: () => answered(service.api.GET('/api/v1/api_credentials/list')),
  });

type Key = NonNullable<ReturnType<typeof useKeys>['data']>['api_credentials'][number];

export function ApiKeysPage() {
  const signsIn = useSignsIn();
  const list = useKeys(signsIn === true);
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
  const all = list.data?.api_credentials ?? [];
  return (
    <>
      <PageHeader title={words.title}>{all.length > 0 && button}</PageHeader>
      <div className={styles.page}>
        {signsIn === false ? <EmptyState icon="key" {...words.notNeeded} /> : <Pending of={list} height={160} />}
        {list.data !== undefined && all.length === 0 && (
          <EmptyState icon="key" {...words.none}>
            {button}
          </EmptyState>
        )}
        {all.length > 0 && (
          <>
            <p className={styles.note}>{words.intro}</p>
            <Table label={words.title} columns={words.columns}>
              {all.map((each) => (
                <KeyRow key={each.api_key} credential={each} />
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
    </>
  );
}

function KeyRow({ credential }: { readonly credential: Key }) {
  const { api_key: key, created_at: createdAt, last_used_at: usedAt } = credential;
  const [isRevoking, setIsRevoking] = useState(false);
  return (
    <tr>
      <td>
        <code>{key}</code>
      </td>
      <td>{formatTime(createdAt)}</td>
      <td>{usedAt === null ? words.never : formatTime(usedAt)}</td>
      <ActionsCell>
        <Button aria-label={words.revokeLabel(key)} onPress={() => setIsRevoking(true)}>
          {words.revoke}
        </Button>
        {isRevoking && <RevokeDialog apiKey={key} onClose={() => setIsRevoking(false)} />}
      </ActionsCell>
    </tr>
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
    <ConfirmDialog title={words.revokeTitle} confirm={words.revoke} isDangerous action={revoke} onClose={onClose}>
      <p>{words.revokeText(apiKey)}</p>
    </ConfirmDialog>
  );
}
