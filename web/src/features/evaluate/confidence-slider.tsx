import { Slider } from '../../design/slider';
import { texts } from '../../texts';
import type { ConfidenceCut } from './use-confidence';
import styles from './evaluate.module.css';

const { confidence: words } = texts.evaluate;

/** From which confidence on predictions count. */
export function ConfidenceSlider({ cut, own }: { readonly cut: ConfidenceCut; readonly own: number }) {
  return (
    <div className={styles.slider}>
      <Slider
        label={words.label}
        hint={words.hint}
        text={words.from(cut.shown)}
        min={0}
        max={1}
        step={0.01}
        value={cut.shown}
        onChange={({ target }) => cut.set(Number(target.valueAsNumber.toFixed(2)))}
      >
        {cut.shown !== own && (
          <button type="button" onClick={() => cut.set(null)}>
            {words.own(own)}
          </button>
        )}
      </Slider>
    </div>
  );
}
