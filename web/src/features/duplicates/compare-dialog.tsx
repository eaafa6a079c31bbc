import { useState, type CSSProperties } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button, IconButton } from '../../design/button';
import { Segments } from '../../design/field';
import { texts } from '../../texts';
import { factsOf, type Fact } from './differences';
import { useMayDecide, type Choice, type Group, type Member } from './duplicate-queries';
import { allOf } from './group-row';
import styles from './compare.module.css';

type Mode = 'side' | 'swipe' | 'fade' | 'difference';

const { compare: words } = texts.duplicates;
const MODES = (['side', 'swipe', 'fade', 'difference'] as const).map((value) => ({
  value,
  label: words.modes[value],
}));

/** Two members of a group, beside or above each other. */
export function CompareDialog({
  group,
  onDecide,
  onClose,
}: {
  readonly group: Group;
  readonly onDecide: (choice: Choice) => void;
  readonly onClose: () => void;
}) {
  const { members } = group;
  const [mode, setMode] = useState<Mode>('side');
  const [place, setPlace] = useState(1);
  const mayDecide = useMayDecide();
  const [left, right] = [members[0], members[place]];
  if (left === undefined || right === undefined) return null;
  const facts = factsOf([left, right]);
  const keepOnly = ({ media_id: id }: Member) =>
    onDecide({ keep: [id], remove: members.map((each) => each.media_id).filter((each) => each !== id) });
  return (
    <ModalOverlay
      isOpen
      className={styles.overlay}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Modal className={styles.modal}>
        <Dialog className={styles.dialog}>
          <header className={styles.head}>
            <Heading slot="title" level={2}>
              {words.title}
            </Heading>
            <Segments label={words.mode} choices={MODES} value={mode} onChange={setMode} />
            <IconButton icon="close" label={texts.design.close} onPress={onClose} />
          </header>
          {mode === 'side' ? <SideBySide left={left} right={right} /> : <Overlay {...{ left, right, mode }} />}
          <footer className={styles.foot}>
            <Side title={words.left} keep={words.keepLeft} member={left} facts={facts[0]!} onKeep={keepOnly} />
            <div className={styles.between}>
              {mayDecide && <Button onPress={() => onDecide(allOf(group))}>{words.keepBoth}</Button>}
              {members.length > 2 && <Others members={members} place={place} onChoose={setPlace} />}
            </div>
            <Side title={words.right} keep={words.keepRight} member={right} facts={facts[1]!} onKeep={keepOnly} />
          </footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function SideBySide({ left, right }: { readonly left: Member; readonly right: Member }) {
  return (
    <div className={styles.sides}>
      <Picture key={left.media_id} member={left} />
      <Picture key={right.media_id} member={right} />
    </div>
  );
}

function Overlay({
  left,
  right,
  mode,
}: {
  readonly left: Member;
  readonly right: Member;
  readonly mode: Exclude<Mode, 'side'>;
}) {
  const [part, setPart] = useState(50);
  return (
    <div className={styles.over}>
      <div
        className={styles.stack}
        data-mode={mode}
        style={{ '--part': `${part}%`, '--share': String(part / 100) } as CSSProperties}
      >
        <Picture key={left.media_id} member={left} />
        <Picture key={right.media_id} member={right} />
      </div>
      {mode !== 'difference' && (
        <input
          type="range"
          aria-label={words.slider}
          min={0}
          max={100}
          value={part}
          onChange={({ target }) => setPart(target.valueAsNumber)}
        />
      )}
    </div>
  );
}

/** The original, or the preview where the browser does not know its format. */
function Picture({ member }: { readonly member: Member }) {
  const [isUnreadable, setIsUnreadable] = useState(false);
  return (
    <img
      src={isUnreadable ? member.media_thumb_uri : member.image_uri}
      alt={member.file_name}
      draggable={false}
      onError={() => setIsUnreadable(true)}
    />
  );
}

function Side({
  title,
  keep,
  member,
  facts,
  onKeep,
}: {
  readonly title: string;
  /** The button that keeps this member alone. */
  readonly keep: string;
  readonly member: Member;
  readonly facts: readonly Fact[];
  readonly onKeep: (member: Member) => void;
}) {
  const mayDecide = useMayDecide();
  return (
    <section className={styles.side} aria-label={title}>
      <h3 dir="auto" title={member.original_uri}>
        {member.file_name}
      </h3>
      <p>
        {facts.map(({ name, text, differs, isBest }) => (
          <span key={name} title={name} dir="auto" data-differs={differs} data-best={isBest}>
            {text}
          </span>
        ))}
      </p>
      {mayDecide && (
        <Button icon="check" onPress={() => onKeep(member)}>
          {keep}
        </Button>
      )}
    </section>
  );
}

function Others({
  members,
  place,
  onChoose,
}: {
  readonly members: readonly Member[];
  readonly place: number;
  readonly onChoose: (place: number) => void;
}) {
  return (
    <div className={styles.others}>
      {members.slice(1).map((member, at) => (
        <button
          key={member.media_id}
          type="button"
          aria-pressed={at + 1 === place}
          aria-label={words.choose(member.file_name)}
          title={member.file_name}
          onClick={() => onChoose(at + 1)}
        >
          <img src={member.media_thumb_uri} alt="" />
        </button>
      ))}
    </div>
  );
}
