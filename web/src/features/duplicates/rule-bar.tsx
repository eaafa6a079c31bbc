import { useState } from 'react';
import { Segments } from '../../design/field';
import { texts } from '../../texts';
import { FoldersPopover, OptionsPopover, ScopePopover } from './rule-popovers';
import type { Options } from './duplicate-queries';
import { RULES, type ReviewNavigation } from './review-state';
import styles from './duplicates.module.css';

const { duplicates: words } = texts;
const CHOICES = RULES.map((value) => ({ value, label: words.rule.names[value] }));

/** How alike, which one stays, and among which media. */
export function RuleBar({
  datasetId,
  navigation,
  options,
  onOptions,
}: {
  readonly datasetId: string;
  readonly navigation: ReviewNavigation;
  readonly options: Options;
  readonly onOptions: (options: Options) => void;
}) {
  const { state, change } = navigation;
  return (
    <div className={styles.rules}>
      <SimilaritySlider {...navigation} />
      <div className={styles.rule} title={words.rule.hints[state.rule]}>
        <span aria-hidden="true">{words.rule.label}</span>
        <Segments label={words.rule.label} choices={CHOICES} value={state.rule} onChange={(rule) => change({ rule })} />
        {state.rule === 'folder' && <FoldersPopover datasetId={datasetId} {...navigation} />}
      </div>
      <ScopePopover datasetId={datasetId} {...navigation} />
      <OptionsPopover options={options} onChange={onOptions} />
    </div>
  );
}

/** The service is asked when the slider rests. */
function SimilaritySlider({ state: { similarity }, change }: ReviewNavigation) {
  const [dragged, setDragged] = useState<number | null>(null);
  const at = dragged ?? similarity;
  const text = at === 1 ? words.similarity.exact : words.similarity.from(at);
  const commit = () => {
    if (dragged !== null && dragged !== similarity) change({ similarity: dragged });
    setDragged(null);
  };
  return (
    <label className={styles.similarity}>
      <span>{words.similarity.label}</span>
      <input
        type="range"
        min={0.8}
        max={1}
        step={0.01}
        value={at}
        aria-valuetext={text}
        onChange={({ target }) => setDragged(Number(target.valueAsNumber.toFixed(2)))}
        onPointerUp={commit}
        onKeyUp={commit}
        onBlur={commit}
      />
      <output>{text}</output>
    </label>
  );
}
