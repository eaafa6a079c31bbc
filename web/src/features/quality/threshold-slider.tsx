import { useState } from 'react';
import { Slider } from '../../design/slider';
import { texts } from '../../texts';
import { leastThreshold, usualThreshold, type Issue } from './quality-queries';

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
    <Slider
      label={words.threshold.label}
      text={text}
      min={leastThreshold(issue)}
      max={1}
      step={issue === 'duplicates' ? 0.01 : 0.05}
      value={at}
      onChange={({ target }) => setDragged(Number(target.valueAsNumber.toFixed(2)))}
      onPointerUp={commit}
      onKeyUp={commit}
      onBlur={commit}
    >
      {value !== usual && (
        <button type="button" aria-label={words.reset(words.issues[issue].name)} onClick={() => onChange(usual)}>
          {words.usual}
        </button>
      )}
    </Slider>
  );
}
