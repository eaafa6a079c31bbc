import { useMutation, useQuery } from '@tanstack/react-query';
import type { components } from 'dataset-media-service-sdk';
import { service } from '../../api/client';
import { useMayChange } from '../../api/datasets';
import { messageOf } from '../../api/failure';
import { Button } from '../../design/button';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { formatCount } from '../../texts/format';
import { datasetChanged } from '../adding/use-reindex';
import { annotationsIn, sourcesQuery } from '../annotations/annotation-query';
import { EvaluateButton } from '../evaluating/evaluate-button';
import type { ExploreNavigation } from '../explore-address';
import { itemsOfSource } from '../reviewing/chosen-items';
import { ReviewButton } from '../reviewing/review-button';
import { sourceFiltersOf, withoutSource, withSource, type SourceFilter } from '../source-filters';
import { AttributeFields } from './attribute-fields';
import { CommittedInput } from './committed-input';
import { SourceLabels } from './source-labels';
import styles from './filtering.module.css';

const { annotations: words } = texts;
const PERCENT = 100;
const MOST_LABEL = 256;

/** Media by the annotations of sources. */
export function SourceSection({ datasetId, state, change }: ExploreNavigation & { readonly datasetId: string }) {
  const { data: sources = [] } = useQuery(sourcesQuery(datasetId));
  const filters = sourceFiltersOf(state.filters);
  const counts = new Map<string, number | null>([
    ...filters.map(({ source }) => [source, null] as const),
    ...sources.map((source) => [source.name, annotationsIn(source)] as const),
  ]);
  if (counts.size === 0) return null;
  return (
    <section className={styles.section}>
      <h2>{words.sources}</h2>
      {[...counts].map(([name, count]) => {
        const filter = filters.find(({ source }) => source === name);
        return (
          <div key={name}>
            <div className={styles.option}>
              <label>
                <input
                  type="checkbox"
                  checked={filter !== undefined}
                  onChange={() =>
                    change({
                      filters: (current) =>
                        filter === undefined ? withSource(current, name) : withoutSource(current, name),
                    })
                  }
                />
                <span dir="auto" title={name}>
                  {name}
                </span>
                {count !== null && <small>{formatCount(count)}</small>}
              </label>
            </div>
            {filter !== undefined && (
              <>
                <SourceLabels {...{ datasetId, state, change, filter }} />
                <SourceFields
                  filter={filter}
                  onChange={(part) => change({ filters: (current) => withSource(current, name, part) })}
                />
                <SourceActions {...{ datasetId, filter, state }} isBesideTable={isBesideTable(sources, name)} />
              </>
            )}
          </div>
        );
      })}
    </section>
  );
}

/** What a model found in the media has its objects already. */
const isBesideTable = (sources: readonly components['schemas']['AnnotationSource'][], wanted: string): boolean =>
  sources.some(({ name, kind, created_at: time }) => name === wanted && (kind === 'truth' || time !== null));

function SourceActions({
  datasetId,
  filter,
  state,
  isBesideTable: isMade,
}: {
  readonly datasetId: string;
  readonly filter: SourceFilter;
  readonly state: ExploreNavigation['state'];
  readonly isBesideTable: boolean;
}) {
  return (
    <>
      {filter.labels.length <= 1 && <ReviewButton kind="plain" datasetId={datasetId} chosen={itemsOfSource(filter)} />}
      <EvaluateButton kind="plain" datasetId={datasetId} predictions={filter.source} search={state} />
      {isMade && <MakeObjects datasetId={datasetId} source={filter.source} />}
    </>
  );
}

function MakeObjects({ datasetId, source }: { readonly datasetId: string; readonly source: string }) {
  const mayChange = useMayChange(datasetId);
  const make = useMutation({
    mutationFn: () => service.dataset(datasetId).makeObjects(source),
    onSuccess: () => toast({ text: words.objectsStarted(source) }),
    onError: (error) => toast({ text: messageOf(error), isFailure: true }),
    onSettled: () => datasetChanged(datasetId),
  });
  if (!mayChange) return null;
  return (
    <Button
      kind="plain"
      aria-label={words.makeObjectsOf(source)}
      isDisabled={make.isPending}
      onPress={() => make.mutate()}
    >
      {words.makeObjects}
    </Button>
  );
}

function SourceFields({
  filter: { source, labels, confidence, count, attributes },
  onChange,
}: {
  readonly filter: SourceFilter;
  readonly onChange: (part: Partial<SourceFilter>) => void;
}) {
  return (
    <div role="group" aria-label={source} className={styles.fields}>
      <CommittedInput
        className={styles.find}
        aria-label={words.labelsOf(source)}
        placeholder={words.anyLabel}
        title={words.labelsHint}
        dir="auto"
        value={labels.join(', ')}
        onCommit={(text) => onChange({ labels: labelsIn(text) })}
      />
      <ConfidenceRange {...{ source, confidence }} onChange={(range) => onChange({ confidence: range })} />
      <div className={styles.range}>
        <span>{words.atLeast}</span>
        <CommittedInput
          inputMode="numeric"
          aria-label={words.countOf(source)}
          placeholder="1"
          value={count === 1 ? '' : String(count)}
          onCommit={(text) => onChange({ count: countIn(text) })}
        />
      </div>
      <AttributeFields {...{ source, attributes }} onChange={(changed) => onChange({ attributes: changed })} />
    </div>
  );
}

function ConfidenceRange({
  source,
  confidence: [least, most],
  onChange,
}: Pick<SourceFilter, 'source' | 'confidence'> & {
  readonly onChange: (confidence: SourceFilter['confidence']) => void;
}) {
  return (
    <div className={styles.range}>
      <span>{words.confidence}</span>
      <CommittedInput
        inputMode="numeric"
        aria-label={words.confidenceFrom(source)}
        placeholder="0"
        value={least === 0 ? '' : percentText(least)}
        onCommit={(text) => onChange([Math.min(fractionIn(text, 0), most), most])}
      />
      <CommittedInput
        inputMode="numeric"
        aria-label={words.confidenceTo(source)}
        placeholder="100"
        value={most === 1 ? '' : percentText(most)}
        onCommit={(text) => onChange([least, Math.max(fractionIn(text, 1), least)])}
      />
      <small>%</small>
    </div>
  );
}

const percentText = (fraction: number): string => String(Number((fraction * PERCENT).toFixed(2)));

const labelsIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((label) => label.trim().slice(0, MOST_LABEL))
      .filter((label) => label !== ''),
  ),
];

function fractionIn(text: string, otherwise: number): number {
  const value = Number(text) / PERCENT;
  return text.trim() !== '' && value >= 0 && value <= 1 ? value : otherwise;
}

function countIn(text: string): number {
  const value = Number(text);
  return Number.isSafeInteger(value) && value >= 1 ? value : 1;
}
