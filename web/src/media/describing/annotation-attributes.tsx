import { IconButton } from '../../design/button';
import { useEvents } from '../../design/events';
import { SelectField } from '../../design/select';
import { texts } from '../../texts';
import type { EditMode } from '../annotating/use-edit-mode';
import type { ShownAnnotation } from '../annotations/shapes';
import { takesLetters } from '../key-target';
import { CommittedField } from './committed-field';
import { attributesOf, valueIn, withAttribute, type Attribute, type AttributeValue } from './set-attributes';
import styles from './describing.module.css';

const { describing: words } = texts;
/** Of the API. */
const MOST_VALUE = 500;
const PANEL = 'attributes-of-annotation';

/** Of the attributes. */
function useFirstByKey(): void {
  useEvents(window, {
    keydown: ({ key, target, ctrlKey, metaKey, altKey }) => {
      if (key.toLowerCase() !== 'a' || ctrlKey || metaKey || altKey || takesLetters(target)) return;
      document.getElementById(PANEL)?.querySelector<HTMLElement>('input, select')?.focus();
    },
  });
}

/** The attributes that the label set has for the label of what is selected, and others that it has. */
export function AnnotationAttributes({
  mode: { labelSet, describe },
  selected: { key, label, attributes },
  onLeave,
}: {
  readonly mode: EditMode;
  readonly selected: ShownAnnotation;
  /** The focus goes elsewhere. */
  readonly onLeave: () => void;
}) {
  const wanted = attributesOf(labelSet, label);
  const others = Object.keys(attributes).filter((each) => !wanted.some(({ name }) => name === each));
  useFirstByKey();
  if (wanted.length === 0 && others.length === 0) return null;
  const set = (name: string, value: AttributeValue | undefined) => describe(withAttribute(attributes, name, value));
  return (
    <div
      id={PANEL}
      role="group"
      aria-label={words.attributes}
      className={styles.attributes}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        onLeave();
        // It would close the picture.
        event.stopPropagation();
      }}
    >
      {wanted.map((attribute) => (
        <AttributeField
          key={JSON.stringify([key, attribute.name])}
          {...{ attribute, onLeave }}
          value={Object.hasOwn(attributes, attribute.name) ? attributes[attribute.name] : undefined}
          onValue={(value) => set(attribute.name, value)}
        />
      ))}
      {others.map((name) => (
        <Other
          key={name}
          {...{ name }}
          value={attributes[name]!}
          onRemove={() => {
            set(name, undefined);
            onLeave();
          }}
        />
      ))}
    </div>
  );
}

function Other({
  name,
  value,
  onRemove,
}: {
  readonly name: string;
  readonly value: AttributeValue;
  readonly onRemove: () => void;
}) {
  return (
    <p className={styles.other} dir="auto">
      <bdi>{words.attribute(name, value)}</bdi>
      <IconButton icon="close" label={words.remove(name)} onPress={onRemove} />
    </p>
  );
}

function AttributeField({
  attribute,
  value,
  onValue,
  onLeave,
}: {
  readonly attribute: Attribute;
  readonly value: AttributeValue | undefined;
  readonly onValue: (value: AttributeValue | undefined) => void;
  readonly onLeave: () => void;
}) {
  const { name, type, values } = attribute;
  const written = value === undefined ? '' : String(value);
  const isWrong = (text: string): boolean => text.trim() !== '' && valueIn(attribute, text) === undefined;
  const take = (text: string) => onValue(valueIn(attribute, text));
  if (type === 'number' || type === 'text')
    return (
      <CommittedField
        {...{ label: name, value: written, maxLength: MOST_VALUE, onCommit: take, onLeave }}
        inputMode={type === 'number' ? 'decimal' : undefined}
        error={(text) => (isWrong(text) ? words.noNumber : undefined)}
      />
    );
  const named = type === 'boolean' ? ['true', 'false'] : (values ?? []);
  const options = [
    { value: '', label: words.noValue },
    // What it has although the set does not.
    ...(isWrong(written) ? [{ value: written, label: written }] : []),
    ...named.map((each) => ({
      value: each,
      label: type === 'boolean' ? words.booleans[each === 'true' ? 1 : 0] : each,
    })),
  ];
  return <SelectField label={name} {...{ options, value: written }} onChange={take} />;
}
