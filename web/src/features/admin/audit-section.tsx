import { useState } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { answered, service } from '../../api/client';
import { Pending } from '../../api/failure';
import { Button } from '../../design/button';
import { Select } from '../../design/choices';
import { Table } from '../../design/table';
import { texts } from '../../texts';
import { formatTime } from '../../texts/format';
import { SearchForm } from './search-form';
import styles from './admin.module.css';

const { audit: words } = texts.admin;
const PAGE = 100;

type Action = keyof typeof words.actions;

const ACTIONS = Object.keys(words.actions) as Action[];
const OPTIONS = [
  { value: '', label: words.anyAction },
  ...ACTIONS.map((value) => ({ value, label: words.actions[value] })),
];

const isAction = (value: string): value is Action => value in words.actions;

const useAudit = (action: Action | undefined, actor: string) =>
  useInfiniteQuery({
    queryKey: ['audit', action, actor],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before }) => {
      const query = {
        limit: PAGE,
        ...(before === undefined ? {} : { before }),
        ...(action === undefined ? {} : { action }),
        ...(actor === '' ? {} : { actor }),
      };
      return answered(service.api.GET('/api/v1/admin/audit', { params: { query } }));
    },
    getNextPageParam: ({ entries, has_more: more }) => (more ? entries.at(-1)?.id : undefined),
  });

type Entry = NonNullable<ReturnType<typeof useAudit>['data']>['pages'][number]['entries'][number];

export function AuditSection() {
  const [action, setAction] = useState<Action>();
  const [actor, setActor] = useState('');
  const audit = useAudit(action, actor);
  const entries = audit.data?.pages.flatMap((page) => page.entries);
  return (
    <>
      <SearchForm
        label={words.actor}
        onSearch={setActor}
        before={
          <Select
            label={words.action}
            options={OPTIONS}
            value={action ?? ''}
            onChange={(value) => setAction(isAction(value) ? value : undefined)}
          />
        }
      />
      <Pending of={audit} height={320} />
      {entries?.length === 0 && <p className={styles.note}>{words.none}</p>}
      {entries !== undefined && entries.length > 0 && (
        <Table label={texts.admin.sections.audit} columns={words.columns}>
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </Table>
      )}
      {audit.hasNextPage && (
        <div className={styles.more}>
          <Button isDisabled={audit.isFetching} onPress={() => void audit.fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      )}
    </>
  );
}

function EntryRow({ entry }: { readonly entry: Entry }) {
  const { at, action, actor_email: email, actor_id: actorId, subject, details } = entry;
  const name = nameIn(details);
  return (
    <tr>
      <td className={styles.time}>{formatTime(at)}</td>
      <td className={styles.time}>{words.actions[action]}</td>
      <td dir="auto">{email ?? actorId ?? words.system}</td>
      <td dir="auto">
        {name ?? subject}
        {name !== undefined && <small>{subject}</small>}
      </td>
      <td>
        <Details details={details} />
      </td>
    </tr>
  );
}

/** Of the dataset that an entry is about, whose id alone would say little. */
const nameIn = ({ name }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof name === 'string' ? name : undefined;

/** In the order that they are read in; the service gives them in none. */
const FIRST = ['from', 'to'];
const placeOf = (name: string): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);

function Details({ details }: { readonly details: Readonly<Record<string, unknown>> }) {
  const shown = Object.entries(details)
    .filter(([name]) => name !== 'name')
    .sort(([one], [other]) => placeOf(one) - placeOf(other));
  return (
    <dl className={styles.details}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
