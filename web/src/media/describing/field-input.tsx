import { CheckField } from '../../design/choices';
import { TextField } from '../../design/field';
import { SelectField } from '../../design/select';
import { texts } from '../../texts';
import { valueIn, type Field, type Written } from './description';
import styles from './describing.module.css';

const { describing: words } = texts;
/** Of the API. */
const MOST_TEXT = 255;
const MOST_LINK = 2_048;

/** The value of a field, as its type is written or chosen. */
export function FieldInput({
  field,
  written,
  onChange,
}: {
  readonly field: Field;
  readonly written: Written;
  readonly onChange: (written: Written) => void;
}) {
  const { field_name: name, field_type: type, enum_options: options, is_multi: isMulti } = field;
  const given = options ?? [];
  if (type === 'enum' && isMulti)
    return <Options {...{ name, options: given, onChange }} chosen={typeof written === 'string' ? [] : written} />;
  const text = typeof written === 'string' ? written : written.join(', ');
  if (type === 'enum' || type === 'boolean') {
    const all = type === 'boolean' ? ['false', 'true'] : given;
    const labelOf = (value: string, at: number) => (type === 'boolean' ? words.booleans[at === 0 ? 0 : 1] : value);
    const choices = [
      { value: '', label: words.noValue },
      ...all.map((value, at) => ({ value, label: labelOf(value, at) })),
    ];
    return <SelectField label={name} options={choices} value={text} onChange={onChange} />;
  }
  return (
    <TextField
      label={name}
      hint={type === 'datetime' ? words.datetimeHint : undefined}
      error={valueIn(field, text) === undefined ? words.noNumber : undefined}
      value={text}
      maxLength={type === 'link' ? MOST_LINK : MOST_TEXT}
      inputMode={type === 'float' ? 'decimal' : undefined}
      dir="auto"
      autoComplete="off"
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function Options({
  name,
  options,
  chosen,
  onChange,
}: {
  readonly name: string;
  readonly options: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  return (
    <fieldset className={styles.options}>
      <legend>{name}</legend>
      {options.map((option) => (
        <CheckField
          key={option}
          label={option}
          isOn={chosen.includes(option)}
          onChange={(isOn) => onChange(options.filter((each) => (each === option ? isOn : chosen.includes(each))))}
        />
      ))}
    </fieldset>
  );
}
