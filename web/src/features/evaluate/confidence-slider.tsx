import { texts } from '../../texts';
import type { ConfidenceCut } from './use-confidence';
import styles from './evaluate.module.css';

const { confidence: words } = texts.evaluate;

/** From which confidence on predictions count. */
export function ConfidenceSlider({ cut, own }: { readonly cut: ConfidenceCut; readonly own: number }) {
  const text = words.from(cut.shown);
  return (
    <div className={styles.slider}>
      <label title={words.hint}>
        <span>{words.label}</span>
        <input
          type="range"
          min={0}
          max={1}
          step={0.01}
          value={cut.shown}
          aria-valuetext={text}
          onChange={({ target }) => cut.set(Number(target.valueAsNumber.toFixed(2)))}
        />
        <output>{text}</output>
      </label>
      {cut.shown !== own && (
        <button type="button" onClick={() => cut.set(null)}>
          {words.own(own)}
        </button>
      )}
    </div>
  );
}
