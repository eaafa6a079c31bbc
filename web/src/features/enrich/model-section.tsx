import { useId } from 'react';
import { TextField } from '../../design/field';
import { Chip } from '../../design/state';
import { texts } from '../../texts';
import { TAKES_PROMPT, type Chosen, type Model } from './enrichment';
import styles from './enrich.module.css';

const { enrich: words } = texts;

const nameOf = (type: string): string => words.types[type]?.name ?? type;

const without = (entries: Readonly<Record<string, string>>, type: string): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).filter(([key]) => key !== type));

interface PromptProps {
  readonly type: string;
  readonly chosen: Chosen;
  readonly onChange: (chosen: Chosen) => void;
}

interface ModelSectionProps extends PromptProps {
  readonly models: readonly Model[];
  /** The model that the dataset has. */
  readonly applied: string | undefined;
  readonly isDisabled: boolean;
}

/** The models of one type, of which one may be chosen. */
export function ModelSection({ type, models, applied, chosen, onChange, isDisabled }: ModelSectionProps) {
  const group = useId();
  const selected = chosen.models[type];
  const choose = (id: string | undefined) => {
    const others = without(chosen.models, type);
    onChange({ ...chosen, models: id === undefined ? others : { ...others, [type]: id } });
  };
  return (
    <section className={styles.section} aria-labelledby={`${group}-title`}>
      <div className={styles.about}>
        <h2 id={`${group}-title`}>{nameOf(type)}</h2>
        <p className={styles.note}>{words.types[type]?.gives}</p>
      </div>
      <div className={styles.models} role="radiogroup" aria-labelledby={`${group}-title`}>
        <label className={styles.model}>
          <input
            type="radio"
            name={group}
            checked={selected === undefined}
            disabled={isDisabled}
            onChange={() => choose(undefined)}
          />
          <span className={styles.name}>{words.none}</span>
        </label>
        {models.map((model) => (
          <ModelRow
            key={model.id}
            model={model}
            group={group}
            isApplied={model.id === applied}
            isSelected={model.id === selected}
            isDisabled={isDisabled}
            onSelect={() => choose(model.id)}
          />
        ))}
        {selected !== undefined && TAKES_PROMPT.includes(type) && <Prompt {...{ type, chosen, onChange }} />}
      </div>
    </section>
  );
}

function Prompt({ type, chosen, onChange }: PromptProps) {
  return (
    <div className={styles.prompt}>
      <TextField
        label={words.prompt}
        hint={words.promptHint}
        value={chosen.prompts[type] ?? ''}
        maxLength={2000}
        onChange={({ target }) => onChange({ ...chosen, prompts: { ...chosen.prompts, [type]: target.value } })}
      />
    </div>
  );
}

/** Shows texts between backticks as code. */
const Marked = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));

function ModelRow({
  model,
  group,
  isApplied,
  isSelected,
  isDisabled,
  onSelect,
}: {
  readonly model: Model;
  readonly group: string;
  readonly isApplied: boolean;
  readonly isSelected: boolean;
  readonly isDisabled: boolean;
  readonly onSelect: () => void;
}) {
  const { name, vendor, description, dependencies, status } = model;
  const isActive = status === 'Active';
  return (
    <label className={styles.model} data-disabled={!isActive}>
      <input type="radio" name={group} checked={isSelected} disabled={isDisabled || !isActive} onChange={onSelect} />
      <span className={styles.name}>
        <span dir="auto">{name}</span> <small>{words.by(vendor)}</small>
        {isApplied && <Chip tone="ok">{words.applied}</Chip>}
        {!isActive && <Chip>{words.comingSoon}</Chip>}
      </span>
      <span className={styles.description} dir="auto">
        <Marked text={description} />
        {dependencies !== null && dependencies.length > 0 && (
          <small> {words.needs(dependencies.map(nameOf).join(', '))}</small>
        )}
      </span>
    </label>
  );
}
