import { useEffect, useRef, useState } from 'react';
import { texts } from '../../texts';
import { CompareDialog } from './compare-dialog';
import { GROUPS_PER_PAGE, useMayDecide, type Choice, type Group } from './duplicate-queries';
import { allOf, choiceOf, GroupRow } from './group-row';
import { useGroupKeys } from './use-group-keys';
import styles from './duplicates.module.css';

const { keys: words } = texts.duplicates;

/** The groups of a page, gone through one by one. */
export function GroupList({
  groups,
  page,
  onDecide,
  onUndo,
  onDetails,
}: {
  readonly groups: readonly Group[];
  readonly page: number;
  readonly onDecide: (group: Group, choice: Choice) => void;
  readonly onUndo: () => void;
  readonly onDetails: (mediaId: string) => void;
}) {
  const mayDecide = useMayDecide();
  const [active, setActive] = useState(0);
  const [compared, setCompared] = useState<string | null>(null);
  const [chosen, setChosen] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  const rows = useRef<(HTMLElement | null)[]>([]);
  const takesFocus = useRef(false);
  const at = Math.min(active, groups.length - 1);
  const group = groups[at];

  useEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    const row = rows.current[at];
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  });

  const keptOf = (each: Group): ReadonlySet<string> => chosen.get(each.group_id) ?? suggestedOf(each);
  const toggle = (each: Group, mediaId: string) => {
    const kept = new Set(keptOf(each));
    if (!kept.delete(mediaId)) kept.add(mediaId);
    if (kept.size > 0) setChosen(new Map(chosen).set(each.group_id, kept));
  };
  const decide = (each: Group, choice: Choice) => {
    if (!mayDecide) return;
    takesFocus.current = true;
    setActive(groups.indexOf(each));
    setCompared(null);
    onDecide(each, choice);
  };
  const onKeyDown = useGroupKeys({
    move: (by) => {
      takesFocus.current = true;
      const isIn = rows.current.some((row) => row?.contains(document.activeElement) === true);
      setActive(isIn ? Math.max(0, Math.min(groups.length - 1, at + by)) : at);
      if (!isIn) rows.current[at]?.focus();
    },
    choose: (place, isAlone) => {
      const member = group?.members[place];
      if (group === undefined || member === undefined) return;
      if (isAlone) setChosen(new Map(chosen).set(group.group_id, new Set([member.media_id])));
      else toggle(group, member.media_id);
    },
    accept: () => group !== undefined && decide(group, choiceOf(group, keptOf(group))),
    different: () => group !== undefined && decide(group, allOf(group)),
    compare: () => setCompared(group?.group_id ?? null),
    undo: onUndo,
  });
  const inDialog = groups.find((each) => each.group_id === compared);
  return (
    <section className={styles.list} aria-label={texts.duplicates.tabs.label} onKeyDown={onKeyDown}>
      {groups.map((each, index) => (
        <GroupRow
          key={each.group_id}
          ref={(row) => {
            rows.current[index] = row;
          }}
          group={each}
          number={page * GROUPS_PER_PAGE + index + 1}
          isActive={index === at}
          kept={keptOf(each)}
          onActivate={() => setActive(index)}
          onToggle={(mediaId) => toggle(each, mediaId)}
          onDecide={(choice) => decide(each, choice)}
          onCompare={() => setCompared(each.group_id)}
          onDetails={onDetails}
        />
      ))}
      <dl className={styles.keys} aria-label={words.title}>
        {words.list.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      {inDialog !== undefined && (
        <CompareDialog
          group={inDialog}
          onDecide={(choice) => decide(inDialog, choice)}
          onClose={() => {
            takesFocus.current = true;
            setCompared(null);
          }}
        />
      )}
    </section>
  );
}

const suggestedOf = ({ members }: Group): ReadonlySet<string> =>
  new Set(members.filter(({ role }) => role === 'KEPT').map(({ media_id: id }) => id));
