import { useState } from 'react';
import { Failure } from '../../api/failure';
import { Button } from '../../design/button';
import { Icon } from '../../design/icon';
import { ReviewButton } from '../../media/reviewing/review-button';
import { texts } from '../../texts';
import { formatNumber } from '../../texts/format';
import { itemsOfPair } from './items-of-pair';
import { usualThreshold, type Entity } from './quality-queries';
import { SuggestionGrid } from './suggestion-grid';
import { useLabelDecisions, useSuggestionPairs, type Pair } from './suggestion-queries';
import { ThresholdSlider } from './threshold-slider';
import styles from './suggestions.module.css';

const { suggestions: words } = texts.quality;

interface SuggestionsProps {
  readonly datasetId: string;
  readonly entity: Entity;
  readonly onOpen: (mediaId: string, among: readonly string[]) => void;
}

/** Labels that look wrong, by the label and the one that similar media have: taken over or kept, pair by pair. */
export function Suggestions({ datasetId, entity, onOpen }: SuggestionsProps) {
  const [confidence, setConfidence] = useState(usualThreshold('mislabels'));
  const [chosen, setChosen] = useState<Pick<Pair, 'label' | 'suggested'> | null>(null);
  const decisions = useLabelDecisions(datasetId);
  const { data, error, refetch } = useSuggestionPairs(datasetId, { entity, confidence });
  if (error !== null && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  const isChosen = ({ label, suggested }: Pair) => label === chosen?.label && suggested === chosen.suggested;
  const pair = data.pairs.find(isChosen) ?? data.pairs[0];
  const asked = { entity, confidence };
  const toReview = pair && itemsOfPair(datasetId, asked, pair);
  return (
    <section className={styles.suggestions} aria-label={words.title}>
      <h2>{words.title}</h2>
      <p className={styles.text}>{words.text}</p>
      <div className={styles.slider}>
        <ThresholdSlider issue="mislabels" value={confidence} onChange={setConfidence} />
      </div>
      {data.several_labels > 0 && <p className={styles.text}>{words.several(data.several_labels)}</p>}
      {data.pairs.length === 0 && <p className={styles.text}>{words.none}</p>}
      <Pairs pairs={data.pairs} chosen={pair} onChoose={setChosen} />
      {data.total_pairs > data.pairs.length && <p className={styles.text}>{words.morePairs(data.pairs.length)}</p>}
      {pair !== undefined && (
        <SuggestionGrid
          key={JSON.stringify([entity, pair.label, pair.suggested])}
          {...{ datasetId, asked, pair, decisions, onOpen }}
        />
      )}
      {toReview !== undefined && (
        <div>
          <ReviewButton key={toReview.what} datasetId={datasetId} chosen={toReview} />
        </div>
      )}
      <div className={styles.last} role="status">
        {decisions.last !== null && (
          <div>
            {decisions.last.text}
            <Button
              kind="plain"
              isDisabled={decisions.isPending}
              onPress={() => decisions.undo.mutate(decisions.last!.id)}
            >
              {words.undo}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

function Pairs({
  pairs,
  chosen,
  onChoose,
}: {
  readonly pairs: readonly Pair[];
  readonly chosen: Pair | undefined;
  readonly onChoose: (pair: Pair) => void;
}) {
  return (
    <div className={styles.pairs} role="group" aria-label={words.pairs}>
      {pairs.map((pair) => (
        <button
          key={JSON.stringify([pair.label, pair.suggested])}
          type="button"
          aria-pressed={pair === chosen}
          onClick={() => onChoose(pair)}
        >
          <bdi>{pair.label}</bdi>
          <span className="visually-hidden">{words.looksLike}</span>
          <Icon name="right" size={12} />
          <bdi>{pair.suggested}</bdi> <small>{formatNumber(pair.count)}</small>
        </button>
      ))}
    </div>
  );
}
