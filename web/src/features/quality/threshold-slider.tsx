import { useState } from 'react';
import { texts } from '../../texts';
import { leastThreshold, usualThreshold, type Issue } from './quality-queries';
import styles from './quality.module.css';

const { quality: words } = texts;

/** Counts follow when the slider rests. */
export function ThresholdSlider({
  issue,
  value,
  onChange,
}: {
  readonly issue: Issue;
  readonly value: number;
  readonly onChange: (value: number) => void;
}) {
  const [dragged, setDragged] = useState<number | null>(null);
  const at = dragged ?? value;
  const text = issue === 'duplicates' ? words.threshold.alike(at) : words.threshold.confidence(at);
  const usual = usualThreshold(issue);
  const commit = () => {
    if (dragged !== null) onChange(dragged);
    setDragged(null);
  };
  return (
    <div className={styles.threshold}>
      <label>
        <span>{words.threshold.label}</span>
        <input
          type="range"
          min={leastThreshold(issue)}
          max={1}
          step={issue === 'duplicates' ? 0.01 : 0.05}
          value={at}
          aria-valuetext={text}
          onChange={({ target }) => setDragged(Number(target.valueAsNumber.toFixed(2)))}
          onPointerUp={commit}
          onKeyUp={commit}
          onBlur={commit}
        />
        <output>{text}</output>
      </label>
      {value !== usual && (
        <button type="button" aria-label={words.reset(words.issues[issue].name)} onClick={() => onChange(usual)}>
          {words.usual}
        </button>
      )}
    </div>
  );
}
