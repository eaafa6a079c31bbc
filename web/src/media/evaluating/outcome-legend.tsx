import { Switch } from '../../design/choices';
import { texts } from '../../texts';
import { colourOfOutcome } from './picture-outcomes';
import type { PictureOutcomes } from './use-picture-outcomes';
import styles from './evaluating.module.css';

const { picture: words } = texts.evaluate;
const OUTCOMES = ['tp', 'fp', 'fn'] as const;

/** The meaning of the colours and lines of a picture that is looked at with an evaluation. */
export function OutcomeLegend({ name, counts, isDrawn, isOn, onChange }: PictureOutcomes) {
  return (
    <div className={styles.legend} role="group" aria-label={words.title}>
      <p dir="auto">{words.of(name)}</p>
      <Switch label={words.show} isOn={isOn} onChange={onChange}>
        {words.show}
      </Switch>
      {isOn && (
        <ul>
          {OUTCOMES.map((outcome) => (
            <li key={outcome}>
              <span className={styles.swatch} style={{ background: colourOfOutcome(outcome) }} />
              {words.count[outcome](counts[outcome])}
            </li>
          ))}
          {isDrawn && <li>{words.lines}</li>}
        </ul>
      )}
    </div>
  );
}
