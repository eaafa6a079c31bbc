import type { ReactNode } from 'react';
import { useDataset } from '../api/datasets';
import { Button } from '../design/button';
import { CheckField } from '../design/choices';
import { Icon } from '../design/icon';
import { Popover } from '../design/popover';
import { texts } from '../texts';
import { factName } from './tile-facts';
import { TILE_FACTS, TILE_WIDTHS, useTileSettings, type ShownFact } from './tile-settings';
import { MOST_SHOWN, useOwnFields, useShownFacts } from './tile-values';
import styles from './tile-bar.module.css';

const { tiles: words } = texts.media;

/** Above tiles: the facts and size of tiles, and further choices. */
export const TileBar = ({ children }: { readonly children?: ReactNode }) => (
  <div className={styles.bar} role="group" aria-label={words.label}>
    {children}
    <span className={styles.between} />
    <ShownFacts />
    <SizeSlider />
  </div>
);

function ShownFacts() {
  return (
    <Popover
      label={words.show}
      trigger={
        <Button kind="plain" icon="caption">
          {words.show}
        </Button>
      }
    >
      <FactChoices />
    </Popover>
  );
}

function FactChoices() {
  const { id } = useDataset();
  const [{ shown }, change] = useTileSettings();
  const { data: fields = [] } = useOwnFields(id);
  const isFull = useShownFacts(id).length >= MOST_SHOWN;
  const choice = (fact: ShownFact) => {
    const isOn = shown.includes(fact);
    const next = isOn ? shown.filter((each) => each !== fact) : [...shown, fact];
    return (
      <CheckField
        key={fact}
        label={factName(fact)}
        isOn={isOn}
        isDisabled={!isOn && isFull}
        onChange={() => change({ shown: next })}
      />
    );
  };
  return (
    <div className={styles.choices}>
      <h2>{words.show}</h2>
      {TILE_FACTS.map(choice)}
      {fields.length > 0 && <h3>{words.fields}</h3>}
      {fields.map(({ field_name: name }) => choice(`field:${name}`))}
      {isFull && <p>{words.full(MOST_SHOWN)}</p>}
    </div>
  );
}

function SizeSlider() {
  const [{ size }, change] = useTileSettings();
  return (
    <label className={styles.size} title={words.size}>
      <Icon name="grid" size={14} />
      <input
        type="range"
        aria-label={words.size}
        aria-valuetext={words.sizes[size]}
        min={0}
        max={TILE_WIDTHS.length - 1}
        step={1}
        value={size}
        onChange={({ target }) => change({ size: target.valueAsNumber })}
      />
      <Icon name="tile" size={14} />
    </label>
  );
}
