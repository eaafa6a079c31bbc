import { useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ForbiddenError } from 'dataset-media-service-sdk';
import { answered, service } from '../../api/client';
import { Failure, messageOf } from '../../api/failure';
import { Button, IconButton } from '../../design/button';
import { Menu, type MenuEntry } from '../../design/menu';
import { Pager } from '../../design/pager';
import { Chip, EmptyState, Skeleton } from '../../design/state';
import { ActionsCell, Table } from '../../design/table';
import { texts } from '../../texts';
import { formatInstant } from '../../texts/format';
import { CreateUserDialog } from './create-user-dialog';
import { SearchForm } from './search-form';
import { DeleteUserDialog, PasswordDialog, RolesDialog, SessionsDialog } from './user-dialogs';
import { useUserChange, USERS_KEY, type User } from './users';
import styles from './admin.module.css';

const { users: words } = texts.admin;
const PAGE_SIZE = 50;

const useUsers = (search: string, page: number) =>
  useQuery({
    queryKey: [...USERS_KEY, search, page],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const query = { max_results: PAGE_SIZE, first: page * PAGE_SIZE, ...(search === '' ? {} : { search }) };
      return answered(service.api.GET('/api/v1/idp/admin/users', { params: { query } }));
    },
  });

export function UsersSection() {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(0);
  const [isCreating, setIsCreating] = useState(false);
  const { data, error, refetch } = useUsers(search, page);
  const find = (text: string) => {
    setSearch(text);
    setPage(0);
  };
  if (error instanceof ForbiddenError)
    return <EmptyState icon="info" title={words.elsewhere} text={messageOf(error)} />;
  if (error !== null && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <SearchForm
        label={words.search}
        onSearch={find}
        after={
          <Button kind="primary" icon="plus" onPress={() => setIsCreating(true)}>
            {words.create}
          </Button>
        }
      />
      {data === undefined && <Skeleton style={{ height: 240 }} />}
      {data?.total === 0 && <p className={styles.note}>{words.none}</p>}
      {data !== undefined && data.total > 0 && (
        <>
          <Table label={texts.admin.sections.users} columns={words.columns}>
            {data.users.map((user) => (
              <UserRow key={user.id} user={user} />
            ))}
          </Table>
          <Pager page={page} pageSize={PAGE_SIZE} total={data.total} onChange={setPage} />
        </>
      )}
      {isCreating && <CreateUserDialog onClose={() => setIsCreating(false)} />}
    </>
  );
}

const DIALOGS = {
  password: PasswordDialog,
  roles: RolesDialog,
  sessions: SessionsDialog,
  remove: DeleteUserDialog,
} as const;

function UserRow({ user }: { readonly user: User }) {
  const { username, firstName, lastName, enabled, roles, lastAccess } = user;
  const [open, setOpen] = useState<keyof typeof DIALOGS | null>(null);
  const enable = useUserChange(
    () =>
      service.api.PATCH('/api/v1/idp/admin/users/{user_id}', {
        params: { path: { user_id: user.id } },
        body: { enabled: !enabled },
      }),
    enabled ? words.isDisabled(username) : words.enabled(username),
  );
  const logOut = useUserChange(
    () => service.api.POST('/api/v1/idp/admin/users/{user_id}/logout', { params: { path: { user_id: user.id } } }),
    words.loggedOut(username),
  );
  const entries: readonly MenuEntry[] = [
    { id: 'sessions', label: words.sessions, icon: 'screen', onAction: () => setOpen('sessions') },
    { id: 'roles', label: words.roles, icon: 'tag', onAction: () => setOpen('roles') },
    { id: 'password', label: words.password, icon: 'key', onAction: () => setOpen('password') },
    { id: 'logout', label: words.logout, icon: 'right', onAction: () => logOut.mutate() },
    { id: 'enable', label: enabled ? words.disable : words.enable, icon: 'stop', onAction: () => enable.mutate() },
    { id: 'remove', label: words.remove, icon: 'trash', isDangerous: true, onAction: () => setOpen('remove') },
  ];
  const name = [firstName, lastName].filter(Boolean).join(' ');
  const OpenDialog = open === null ? null : DIALOGS[open];
  return (
    <tr>
      <td dir="auto">
        {username} {!enabled && <Chip tone="bad">{words.disabled}</Chip>}
        {name !== '' && <small>{name}</small>}
      </td>
      <td>{roles.join(', ')}</td>
      <td className={styles.time}>{lastAccess === null ? words.never : formatInstant(lastAccess)}</td>
      <ActionsCell>
        <Menu
          trigger={<IconButton icon="more" label={words.actions(username)} />}
          label={words.actions(username)}
          entries={entries}
        />
        {OpenDialog !== null && <OpenDialog user={user} onClose={() => setOpen(null)} />}
      </ActionsCell>
    </tr>
  );
}
