import { IconButton } from '../../design/button';
import { Icon } from '../../design/icon';
import { Picture } from '../../media/picture';
import { texts } from '../../texts';
import { likeness, type Fact } from './differences';
import type { Member } from './duplicate-queries';
import styles from './duplicates.module.css';

const { member: words } = texts.duplicates;
const MOST_NUMBERED = 9;

/** A member of a group; the picture is a switch between staying and going. */
export function MemberCard({
  member,
  number,
  facts,
  stays,
  onToggle,
  onDetails,
}: {
  readonly member: Member;
  readonly number: number;
  readonly facts: readonly Fact[];
  readonly stays: boolean;
  readonly onToggle: () => void;
  readonly onDetails: () => void;
}) {
  const { file_name: name, labels, user_tags: tags, caption, similarity } = member;
  const has = words.has(Object.keys(labels ?? {}).length, Object.keys(tags ?? {}).length, caption !== null);
  return (
    <div className={styles.member} data-stays={stays}>
      <button type="button" className={styles.picture} aria-pressed={stays} onClick={onToggle}>
        <Picture src={member.media_thumb_uri} alt="" loading="lazy" draggable={false} />
        <span className={styles.verdict}>
          <Icon name={stays ? 'check' : 'close'} size={12} />
          {stays ? words.stays : words.goes}
          <span className="visually-hidden" dir="auto">
            : {name}
          </span>
        </span>
      </button>
      {number <= MOST_NUMBERED && (
        <kbd className={styles.number} aria-hidden="true">
          {number}
        </kbd>
      )}
      <div className={styles.name}>
        <span dir="auto" title={member.original_uri}>
          {name}
        </span>
        <IconButton icon="info" label={words.details(name)} onPress={onDetails} />
      </div>
      <Facts facts={facts} alike={number === 1 ? '' : likeness(similarity)} />
      {has !== '' && <p className={styles.has}>{has}</p>}
    </div>
  );
}

function Facts({ facts, alike }: { readonly facts: readonly Fact[]; readonly alike: string }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, text, differs, isBest }) => (
        <div key={name} data-differs={differs} data-best={isBest}>
          <dt>{name}</dt>
          <dd dir="auto" title={text}>
            {text}
            {isBest && <span className="visually-hidden"> ({words.best})</span>}
          </dd>
        </div>
      ))}
      <div data-differs={alike !== ''}>
        <dt>{words.alike}</dt>
        <dd>{alike}</dd>
      </div>
    </dl>
  );
}
