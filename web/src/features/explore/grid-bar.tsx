import { useDataset } from '../../api/datasets';
import { Button } from '../../design/button';
import { CheckField, Select } from '../../design/choices';
import { Icon } from '../../design/icon';
import { Popover } from '../../design/popover';
import { SORTS, type Sort } from '../../media/sort';
import { wordsOf } from '../../media/simple-filters';
import { factName } from '../../media/tile-facts';
import { TILE_FACTS, TILE_WIDTHS, useTileSettings, type ShownFact } from '../../media/tile-settings';
import { MOST_SHOWN, useOwnFields, useShownFacts } from '../../media/tile-values';
import { texts } from '../../texts';
import type { ExploreNavigation, ExploreState } from './explore-state';
import styles from './grid-bar.module.css';

const { grid: words } = texts.explore;
const NO_SORT = '';
const SORT_OPTIONS = SORTS.map((value) => ({ value, label: words.sorts[value] }));

/** Above the tiles: their order, what they show and how large they are. */
export function GridBar({
  state,
  change,
  unsorted,
}: {
  readonly state: ExploreState;
  readonly change: ExploreNavigation['change'];
  /** The order without a sort. */
  readonly unsorted: string;
}) {
  const isRanked = state.caption !== '' || state.anchor !== null;
  const options = isRanked
    ? [{ value: NO_SORT, label: words.similar }]
    : [{ value: NO_SORT, label: wordsOf(state.filters) === '' ? unsorted : words.byWords }, ...SORT_OPTIONS];
  return (
    <div className={styles.bar} role="group" aria-label={words.label}>
      <Select
        label={words.sort}
        options={options}
        value={isRanked ? NO_SORT : (state.sort ?? NO_SORT)}
        onChange={(value) => change({ sort: value === NO_SORT ? null : (value as Sort) })}
      />
      <span className={styles.between} />
      <ShownFacts />
      <SizeSlider />
    </div>
  );
}

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
