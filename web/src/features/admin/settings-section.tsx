import { useState, type SubmitEvent } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import { messageOf, Pending } from '../../api/failure';
import { Button } from '../../design/button';
import { Switch } from '../../design/choices';
import { Chip } from '../../design/state';
import { ActionsCell, Table } from '../../design/table';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import styles from './admin.module.css';

const { settings: words } = texts.admin;
const QUERY_KEY = ['settings'];

const useSettings = () =>
  useQuery({
    queryKey: QUERY_KEY,
    queryFn: () => answered(service.api.GET('/api/v1/admin/settings/list')),
  });

type Setting = NonNullable<ReturnType<typeof useSettings>['data']>['settings'][number];

export function SettingsSection() {
  const list = useSettings();
  if (list.data === undefined) return <Pending of={list} height={320} />;
  return (
    <>
      <p className={styles.note}>{words.intro}</p>
      <Table label={texts.admin.sections.settings} columns={words.columns}>
        {list.data.settings.map((setting) => (
          // A value that was changed elsewhere replaces the text being typed.
          <SettingRow key={`${setting.key} ${setting.value}`} setting={setting} />
        ))}
      </Table>
    </>
  );
}

/** Gives a setting a value, or its default. */
function useSetting(key: string) {
  const said = (text: string) => {
    toast({ text });
    void queries.invalidateQueries({ queryKey: QUERY_KEY });
  };
  const failed = (error: unknown) => toast({ text: messageOf(error), isFailure: true });
  const save = useMutation({
    mutationFn: (next: string | number | boolean) =>
      service.api.POST('/api/v1/admin/settings', { body: { key, value: next } }),
    onSuccess: () => said(words.saved(key)),
    onError: failed,
  });
  const reset = useMutation({
    mutationFn: () => service.api.DELETE('/api/v1/admin/settings', { params: { query: { key } } }),
    onSuccess: () => said(words.wasReset(key)),
    onError: failed,
  });
  return { save, reset };
}

function SettingRow({ setting }: { readonly setting: Setting }) {
  const { key, value, kind, meaning, overridden } = setting;
  const { save, reset } = useSetting(key);
  return (
    <tr>
      <td className={styles.setting}>
        <code>{key}</code> {overridden && <Chip tone="accent">{words.changed}</Chip>}
        <small>{meaning}</small>
      </td>
      <td className={styles.value}>
        {kind === 'boolean' ? (
          <Switch
            label={key}
            isOn={value === 'true'}
            isDisabled={save.isPending}
            onChange={(isOn) => save.mutate(isOn)}
          >
            {value === 'true' ? words.on : words.off}
          </Switch>
        ) : (
          <ValueForm
            setting={setting}
            isPending={save.isPending}
            onSave={(text) => save.mutate(kind === 'number' ? Number(text) : text)}
          />
        )}
        {overridden && <small>{words.byDefault(setting.default)}</small>}
      </td>
      <ActionsCell>
        {overridden && (
          <Button isDisabled={reset.isPending} onPress={() => reset.mutate()}>
            {words.reset}
          </Button>
        )}
      </ActionsCell>
    </tr>
  );
}

function ValueForm({
  setting: { key, value, kind },
  isPending,
  onSave,
}: {
  readonly setting: Setting;
  readonly isPending: boolean;
  readonly onSave: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSave(text);
  };
  return (
    <form className={styles.valueForm} onSubmit={submit}>
      <input
        aria-label={key}
        type={kind === 'number' ? 'number' : 'text'}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {text !== value && (
        <Button type="submit" kind="primary" isDisabled={isPending || (kind === 'number' && text === '')}>
          {words.save}
        </Button>
      )}
    </form>
  );
}
