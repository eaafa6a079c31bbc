import type { Ref } from 'react';
import { Button } from '../../design/button';
import { Chip } from '../../design/state';
import { texts } from '../../texts';
import { factsOf, likenessOf } from './differences';
import { useMayDecide, type Choice, type Group } from './duplicate-queries';
import { MemberCard } from './member-card';
import styles from './duplicates.module.css';

const { group: words } = texts.duplicates;

export interface GroupRowProps {
  readonly group: Group;
  /** From 1, over all pages. */
  readonly number: number;
  readonly isActive: boolean;
  readonly kept: ReadonlySet<string>;
  readonly ref: Ref<HTMLElement>;
  readonly onActivate: () => void;
  readonly onToggle: (mediaId: string) => void;
  readonly onDecide: (choice: Choice) => void;
  readonly onCompare: () => void;
  readonly onDetails: (mediaId: string) => void;
}

/** The kept and removed media, as chosen. */
export function choiceOf({ members }: Group, kept: ReadonlySet<string>): Choice {
  const ids = members.map(({ media_id: id }) => id);
  return { keep: ids.filter((id) => kept.has(id)), remove: ids.filter((id) => !kept.has(id)) };
}

export const allOf = ({ members }: Group): Choice => ({ keep: members.map(({ media_id: id }) => id), remove: [] });

/** A group, its members side by side. */
export function GroupRow({ group, number, kept, ref, onActivate, onToggle, onDetails, ...actions }: GroupRowProps) {
  const { members, n_members: size, doubt } = group;
  const facts = factsOf(members);
  const hidden = size - members.length;
  return (
    <article
      ref={ref}
      className={styles.group}
      tabIndex={-1}
      data-active={actions.isActive}
      aria-label={words.label(number, size)}
      onFocus={onActivate}
    >
      <header className={styles.groupHead}>
        <h2>
          {words.size(size)} <Chip tone="accent">{likenessOf(members)}</Chip>{' '}
          {doubt !== null && <Chip tone="bad">{words.doubt[doubt].name}</Chip>}
        </h2>
        <Actions group={group} kept={kept} {...actions} />
      </header>
      {doubt !== null && <p className={styles.doubt}>{words.doubt[doubt].text}</p>}
      <ul className={styles.members}>
        {members.map((member, at) => (
          <li key={member.media_id}>
            <MemberCard
              member={member}
              number={at + 1}
              facts={facts[at]!}
              stays={kept.has(member.media_id)}
              onToggle={() => onToggle(member.media_id)}
              onDetails={() => onDetails(member.media_id)}
            />
          </li>
        ))}
        {hidden > 0 && <li className={styles.hidden}>{words.more(hidden)}</li>}
      </ul>
    </article>
  );
}

function Actions({
  group,
  isActive,
  kept,
  onDecide,
  onCompare,
}: Pick<GroupRowProps, 'group' | 'isActive' | 'kept' | 'onDecide' | 'onCompare'>) {
  const mayDecide = useMayDecide();
  const choice = choiceOf(group, kept);
  const removed = group.n_members - choice.keep.length;
  return (
    <div className={styles.groupActions}>
      <Button kind="plain" icon="similar" onPress={onCompare}>
        {words.compare}
      </Button>
      {mayDecide && (
        <>
          <Button onPress={() => onDecide(allOf(group))}>{words.different}</Button>
          <Button kind={isActive ? 'primary' : 'normal'} icon="check" onPress={() => onDecide(choice)}>
            {words.accept}
            <span className="visually-hidden">: {words.acceptHint(choice.keep.length, removed)}</span>
          </Button>
        </>
      )}
    </div>
  );
}
