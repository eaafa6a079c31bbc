import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import { Failure, errorText, messageOf } from '../../api/failure';
import { Select } from '../../design/choices';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { Skeleton } from '../../design/state';
import { Table } from '../../design/table';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { formatTime } from '../../texts/format';

const { members: words, roles } = texts.admin;
const ROLES = ['admin', 'editor', 'viewer'] as const;
const OPTIONS = ROLES.map((value) => ({ value, label: roles[value] }));
const QUERY_KEY = ['members'];

type Role = (typeof ROLES)[number];

interface Change {
  readonly userId: string;
  readonly name: string;
  readonly role: Role;
}

const isRole = (value: string): value is Role => (ROLES as readonly string[]).includes(value);

export function MembersSection() {
  const { data, error, refetch } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: () => answered(service.api.GET('/api/v1/workspace/members')),
  });
  const [promoting, setPromoting] = useState<Change | null>(null);
  const change = useMutation({
    mutationFn: ({ userId, role }: Change) =>
      service.api.PUT('/api/v1/workspace/members/{member_user_id}/role', {
        params: { path: { member_user_id: userId } },
        body: { role },
      }),
    onSuccess: (_, { name, role }) => {
      toast({ text: words.changed(name, roles[role]) });
      setPromoting(null);
      void queries.invalidateQueries({ queryKey: QUERY_KEY });
      void queries.invalidateQueries({ queryKey: ['settings-access'] });
    },
    onError: (failed, { role }) => {
      if (role !== 'admin') toast({ text: messageOf(failed), isFailure: true });
    },
  });
  if (error !== null && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton style={{ height: 200 }} />;
  return (
    <>
      <Table label={texts.admin.sections.members} columns={words.columns}>
        {data.members.map((member) => {
          const { user_id: userId, username, role } = member;
          const name = nameOf(member);
          const choose = (value: string) => {
            if (!isRole(value)) return;
            const next = { userId, name, role: value };
            if (value === 'admin') setPromoting(next);
            else change.mutate(next);
          };
          return (
            <tr key={userId}>
              <td dir="auto">
                {name}
                {name !== username && <small>{username}</small>}
              </td>
              <td>{formatTime(member.created_at)}</td>
              <td>
                <Select label={words.role(name)} options={OPTIONS} value={role} onChange={choose} />
              </td>
            </tr>
          );
        })}
      </Table>
      {promoting !== null && (
        <ConfirmDialog
          title={words.promoteTitle(promoting.name)}
          confirm={words.promote}
          isPending={change.isPending}
          error={errorText(change.error)}
          onConfirm={() => change.mutate(promoting)}
          onClose={() => setPromoting(null)}
        >
          <p>{words.promoteText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function nameOf({
  username,
  firstName,
  lastName,
}: {
  readonly username: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}): string {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return name === '' ? username : name;
}
