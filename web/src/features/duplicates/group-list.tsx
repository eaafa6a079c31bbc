import { useEffect, useRef, useState } from 'react';
import { texts } from '../../texts';
import { CompareDialog } from './compare-dialog';
import { GROUPS_PER_PAGE, useMayDecide, type Choice, type Group } from './duplicate-queries';
import { allOf, choiceOf, GroupRow } from './group-row';
import { useGroupKeys } from './use-group-keys';
import styles from './duplicates.module.css';

const { keys: words } = texts.duplicates;

/** The row that the keys act on. It takes the focus when a key or a decision leads to it. */
function useActiveRow(count: number) {
  const [active, setActive] = useState(0);
  const rows = useRef<(HTMLElement | null)[]>([]);
  const takesFocus = useRef(false);
  const at = Math.min(active, count - 1);
  useEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    const row = rows.current[at];
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  });
  return {
    at,
    setActive,
    rowAt: (index: number) => (row: HTMLElement | null) => {
      rows.current[index] = row;
    },
    /** The active row takes the focus when the list is drawn again. */
    takeFocus: () => {
      takesFocus.current = true;
    },
    move: (by: number) => {
      takesFocus.current = true;
      const isIn = rows.current.some((row) => row?.contains(document.activeElement) === true);
      setActive(isIn ? Math.max(0, Math.min(count - 1, at + by)) : at);
      if (!isIn) rows.current[at]?.focus();
    },
  };
}

const suggestedOf = ({ members }: Group): ReadonlySet<string> =>
  new Set(members.filter(({ role }) => role === 'KEPT').map(({ media_id: id }) => id));

/** The media of each group that stay: as suggested, until people choose others. */
function useKept() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  const keptOf = (group: Group): ReadonlySet<string> => chosen.get(group.group_id) ?? suggestedOf(group);
  const keep = (group: Group, kept: ReadonlySet<string>) => {
    if (kept.size > 0) setChosen(new Map(chosen).set(group.group_id, kept));
  };
  const toggle = (group: Group, mediaId: string) => {
    const kept = new Set(keptOf(group));
    if (!kept.delete(mediaId)) kept.add(mediaId);
    keep(group, kept);
  };
  /** By its place in the group: that one stays, alone or besides others. */
  const choose = (group: Group, place: number, isAlone: boolean) => {
    const member = group.members[place];
    if (member === undefined) return;
    if (isAlone) keep(group, new Set([member.media_id]));
    else toggle(group, member.media_id);
  };
  return { keptOf, toggle, choose };
}

interface GroupListProps {
  readonly groups: readonly Group[];
  readonly page: number;
  readonly onDecide: (group: Group, choice: Choice) => void;
  readonly onUndo: () => void;
  readonly onDetails: (mediaId: string) => void;
}

/** The groups of a page, gone through one by one. */
export function GroupList({ groups, page, onDecide, onUndo, onDetails }: GroupListProps) {
  const mayDecide = useMayDecide();
  const [compared, setCompared] = useState<string | null>(null);
  const { at, setActive, rowAt, takeFocus, move } = useActiveRow(groups.length);
  const { keptOf, toggle, choose } = useKept();
  const close = () => {
    takeFocus();
    setCompared(null);
  };
  const decide = (each: Group, choice: Choice) => {
    if (!mayDecide) return;
    setActive(groups.indexOf(each));
    close();
    onDecide(each, choice);
  };
  const group = groups[at];
  const onKeyDown = useGroupKeys({
    move,
    choose: (place, isAlone) => group !== undefined && choose(group, place, isAlone),
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
          ref={rowAt(index)}
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
      <Keys />
      {inDialog !== undefined && (
        <CompareDialog group={inDialog} onDecide={(choice) => decide(inDialog, choice)} onClose={close} />
      )}
    </section>
  );
}

const Keys = () => (
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
);
