import { meaningOf, withMeaning } from '../../media/simple-filters';
import { texts } from '../../texts';
import { wholePercent } from '../../texts/format';
import type { ExploreNavigation } from './explore-state';
import styles from './explore.module.css';

const { explore: words } = texts;
/** At 1 hardly anything is left. */
const MOST_PERCENT = 95;

export function LevelSlider({ state: { level }, change }: ExploreNavigation) {
  const name = words.level.names[level] ?? '';
  return (
    <label className={styles.level} data-tour="level">
      <span>{words.level.label}</span>
      <input
        type="range"
        min={0}
        max={words.level.names.length - 1}
        step={1}
        value={level}
        aria-valuetext={name}
        onChange={({ target }) => change({ level: target.valueAsNumber }, { replace: true })}
      />
      <output>{name}</output>
    </label>
  );
}

/** From which similarity to a text on media are results. */
export function LikenessSlider({ state: { filters }, change }: ExploreNavigation) {
  const meaning = meaningOf(filters);
  if (meaning === null) return null;
  const percent = wholePercent(meaning.least ?? 0);
  const said = words.likeness.from(percent);
  return (
    <label className={styles.level}>
      <span>{words.likeness.label}</span>
      <input
        type="range"
        min={0}
        max={MOST_PERCENT}
        step={5}
        value={percent}
        aria-valuetext={said}
        onChange={({ target }) => {
          const least = target.valueAsNumber === 0 ? null : target.valueAsNumber / 100;
          change({ filters: (current) => withMeaning(current, { ...meaning, least }) }, { replace: true });
        }}
      />
      <output>{said}</output>
    </label>
  );
}
