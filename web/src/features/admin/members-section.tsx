import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import { messageOf, Pending } from '../../api/failure';
import { Select } from '../../design/choices';
import { ConfirmDialog } from '../../design/confirm-dialog';
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

const useMembers = () =>
  useQuery({
    queryKey: QUERY_KEY,
    queryFn: () => answered(service.api.GET('/api/v1/workspace/members')),
  });

type Member = NonNullable<ReturnType<typeof useMembers>['data']>['members'][number];

export function MembersSection() {
  const list = useMembers();
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
  if (list.data === undefined) return <Pending of={list} height={200} />;
  const choose = (next: Change) => {
    if (next.role === 'admin') setPromoting(next);
    else change.mutate(next);
  };
  return (
    <>
      <Table label={texts.admin.sections.members} columns={words.columns}>
        {list.data.members.map((member) => (
          <MemberRow key={member.user_id} member={member} onChoose={choose} />
        ))}
      </Table>
      {promoting !== null && (
        <ConfirmDialog
          title={words.promoteTitle(promoting.name)}
          confirm={words.promote}
          action={{ ...change, mutate: () => change.mutate(promoting) }}
          onClose={() => setPromoting(null)}
        >
          <p>{words.promoteText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function MemberRow({ member, onChoose }: { readonly member: Member; readonly onChoose: (change: Change) => void }) {
  const { user_id: userId, username, role } = member;
  const name = nameOf(member);
  return (
    <tr>
      <td dir="auto">
        {name}
        {name !== username && <small>{username}</small>}
      </td>
      <td>{formatTime(member.created_at)}</td>
      <td>
        <Select
          label={words.role(name)}
          options={OPTIONS}
          value={role}
          onChange={(value) => isRole(value) && onChoose({ userId, name, role: value })}
        />
      </td>
    </tr>
  );
}

function nameOf({ username, firstName, lastName }: Member): string {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return name === '' ? username : name;
}
