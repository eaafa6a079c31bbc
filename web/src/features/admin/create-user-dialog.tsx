import { useState } from 'react';
import { service } from '../../api/client';
import { errorText } from '../../api/failure';
import { FormDialog } from '../../design/dialog';
import { Segments, TextField } from '../../design/field';
import { texts } from '../../texts';
import { useUserChange } from './users';
import styles from './admin.module.css';

const { users, roles } = texts.admin;
const { form: words } = users;
// An administrator is made of a member, where what that means is told.
const ROLES = (['viewer', 'editor'] as const).map((value) => ({ value, label: roles[value] }));

export function CreateUserDialog({ onClose }: { readonly onClose: () => void }) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [firstName, setFirstName] = useState('');
  const [lastName, setLastName] = useState('');
  const [role, setRole] = useState<'viewer' | 'editor'>('viewer');
  const create = useUserChange(
    () =>
      service.api.POST('/api/v1/idp/admin/users', {
        body: { username, password, firstName, lastName, enabled: true, workspace_role: role },
      }),
    users.created(username),
    onClose,
  );
  const isComplete = [username, password, firstName, lastName].every((text) => text.trim() !== '');
  return (
    <FormDialog
      title={words.title}
      confirm={words.create}
      isDisabled={!isComplete || create.isPending}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label={words.username}
        autoFocus
        autoComplete="off"
        value={username}
        error={errorText(create.error)}
        onChange={({ target }) => setUsername(target.value)}
      />
      <div className={styles.pair}>
        <TextField label={words.firstName} value={firstName} onChange={({ target }) => setFirstName(target.value)} />
        <TextField label={words.lastName} value={lastName} onChange={({ target }) => setLastName(target.value)} />
      </div>
      <TextField
        label={words.password}
        hint={words.passwordHint}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Segments label={words.role} choices={ROLES} value={role} onChange={setRole} />
    </FormDialog>
  );
}
