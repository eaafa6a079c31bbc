import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { answered, service } from '../../api/client';
import { Failure } from '../../api/failure';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { Dialog } from '../../design/dialog';
import { TextField } from '../../design/field';
import { Skeleton } from '../../design/state';
import { Table } from '../../design/table';
import { texts } from '../../texts';
import { formatInstant } from '../../texts/format';
import { USERS_KEY, useUserChange, type UserDialogProps } from './users';
import styles from './admin.module.css';

const { users: words } = texts.admin;

export function DeleteUserDialog({ user: { id, username }, onClose }: UserDialogProps) {
  const remove = useUserChange(
    () => service.api.DELETE('/api/v1/idp/admin/users/{user_id}', { params: { path: { user_id: id } } }),
    words.removed(username),
    onClose,
  );
  return (
    <ConfirmDialog
      title={words.removeTitle(username)}
      confirm={words.removeConfirm}
      isDangerous
      action={remove}
      onClose={onClose}
    >
      <p>{words.removeText}</p>
    </ConfirmDialog>
  );
}

export function PasswordDialog({ user: { id, username }, onClose }: UserDialogProps) {
  const [password, setPassword] = useState('');
  const reset = useUserChange(
    () =>
      service.api.POST('/api/v1/idp/admin/users/{user_id}/reset-password', {
        params: { path: { user_id: id } },
        body: { password },
      }),
    words.passwordDone(username),
    onClose,
  );
  return (
    <ConfirmDialog
      title={words.passwordTitle(username)}
      confirm={words.passwordConfirm}
      isDisabled={password === ''}
      action={reset}
      onClose={onClose}
    >
      <p>{words.passwordText}</p>
      <TextField
        label={words.passwordLabel}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
    </ConfirmDialog>
  );
}

export function RolesDialog({ user: { id, username, roles }, onClose }: UserDialogProps) {
  const [text, setText] = useState(roles.join(', '));
  const chosen = text
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
  const save = useUserChange(
    () =>
      service.api.PUT('/api/v1/idp/admin/users/{user_id}/roles', {
        params: { path: { user_id: id } },
        body: { roles: chosen },
      }),
    words.rolesDone(username),
    onClose,
  );
  return (
    <ConfirmDialog title={words.rolesTitle(username)} confirm={words.rolesConfirm} action={save} onClose={onClose}>
      <TextField
        label={words.rolesLabel}
        hint={words.rolesHint}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </ConfirmDialog>
  );
}

export function SessionsDialog({ user: { id, username }, onClose }: UserDialogProps) {
  const { data, error, refetch } = useQuery({
    queryKey: [...USERS_KEY, 'sessions', id],
    queryFn: () =>
      answered(service.api.GET('/api/v1/idp/admin/users/{user_id}/sessions', { params: { path: { user_id: id } } })),
  });
  return (
    <Dialog title={words.sessionsTitle(username)} onClose={onClose} isWide>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton style={{ height: 120 }} />}
      {data?.total === 0 && <p className={styles.note}>{words.noSessions}</p>}
      {data !== undefined && data.total > 0 && (
        <Table label={words.sessions} columns={words.sessionColumns}>
          {data.sessions.map((session) => (
            <tr key={session.id}>
              <td>{session.ipAddress}</td>
              <td>{formatInstant(session.start)}</td>
              <td>{formatInstant(session.lastAccess)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Dialog>
  );
}
