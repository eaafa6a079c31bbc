import { useId } from 'react';
import { texts } from '../../texts';
import { KINDS, type Findings, type Kind } from './findings-queries';
import styles from './findings.module.css';

const { findings: words } = texts.enrich;

/** The number of pictures with findings, by kind; each is a choice. */
export function FindingsSummary({
  findings,
  kind,
  onChange,
}: {
  readonly findings: Findings;
  readonly kind: Kind;
  readonly onChange: (kind: Kind) => void;
}) {
  const group = useId();
  const { n_media: total } = findings;
  return (
    <div className={styles.summary} role="radiogroup" aria-label={words.kind}>
      {KINDS.map((each) => {
        const { count, model_id: model } = findings[each];
        return (
          <label key={each} className={styles.kind}>
            <input type="radio" name={group} checked={each === kind} onChange={() => onChange(each)} />
            <span className={styles.kindName}>{words.kinds[each]}</span>
            <span className={styles.count}>{words.of(count, total)}</span>
            <span className={styles.share} aria-hidden="true">
              <span style={{ width: `${(100 * count) / Math.max(1, total)}%` }} />
            </span>
            <small className={styles.model}>
              {each === 'objects' && count > 0 && <span>{words.objects(findings.objects.n_objects)}</span>}
              {model !== null && <bdi title={model}>{words.by(model)}</bdi>}
            </small>
          </label>
        );
      })}
    </div>
  );
}
