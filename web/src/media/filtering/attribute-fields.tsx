import { useState } from 'react';
import { IconButton } from '../../design/button';
import { texts } from '../../texts';
import { testIn, writtenOf, type AttributeTests } from '../attribute-texts';
import { CommittedInput } from './committed-input';
import styles from './filtering.module.css';

const { annotations: words } = texts;
/** Of the service. */
const MOST_ATTRIBUTES = 20;

/** What attributes of the annotations of a source have to be: a name and a value each. */
export function AttributeFields({
  source,
  attributes,
  onChange,
}: {
  readonly source: string;
  readonly attributes: AttributeTests;
  readonly onChange: (attributes: AttributeTests) => void;
}) {
  const written = writtenOf(attributes);
  const set = (name: string, value: string) => onChange({ ...attributes, [name]: testIn(value) });
  const remove = (name: string) =>
    onChange(Object.fromEntries(Object.entries(attributes).filter(([key]) => key !== name)));
  return (
    <>
      {written.map(([name, value]) => (
        <div key={name} className={styles.attribute}>
          <span dir="auto" title={name}>
            {name}
          </span>
          <CommittedInput
            aria-label={words.valueOf(name, source)}
            title={words.valueHint}
            dir="auto"
            value={value}
            onCommit={(text) => (text.trim() === '' ? remove(name) : set(name, text))}
          />
          <IconButton icon="close" label={words.removeAttribute(name, source)} onPress={() => remove(name)} />
        </div>
      ))}
      {written.length < MOST_ATTRIBUTES && <NewAttribute source={source} onAdd={set} />}
    </>
  );
}

function NewAttribute({
  source,
  onAdd,
}: {
  readonly source: string;
  readonly onAdd: (name: string, value: string) => void;
}) {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const isWhole = name.trim() !== '' && value.trim() !== '';
  return (
    <form
      className={styles.attribute}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWhole) return;
        onAdd(name.trim(), value);
        setName('');
        setValue('');
      }}
    >
      <input
        aria-label={words.attributeOf(source)}
        placeholder={words.attribute}
        dir="auto"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <input
        aria-label={words.newValueOf(source)}
        placeholder={words.value}
        title={words.valueHint}
        dir="auto"
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <IconButton icon="plus" label={words.addAttribute(source)} isDisabled={!isWhole} type="submit" />
    </form>
  );
}
