import { useState } from 'react';
import { Link } from 'react-router';
import type { VqlFilter } from 'dataset-media-service-sdk';
import { Icon } from '../../design/icon';
import { Examples } from '../../media/examples';
import { CleanedButton } from '../../media/subsets/cleaned-button';
import { texts } from '../../texts';
import { formatNumber } from '../../texts/format';
import {
  exploreAddress,
  issueFilter,
  useExamples,
  useFacets,
  useOpenCopies,
  usualThreshold,
  type Entity,
  type Issue,
} from './quality-queries';
import { ThresholdSlider } from './threshold-slider';
import styles from './quality.module.css';

const { quality: words } = texts;
const EXAMPLES = 8;
const MOST_LABELS = 6;

const hasLabels = (issue: Issue): boolean => issue === 'mislabels' || issue === 'class_outliers';

interface IssueCardProps {
  readonly datasetId: string;
  readonly entity: Entity;
  readonly issue: Issue;
  readonly onOpen: (mediaId: string, among: readonly string[]) => void;
}

/** An issue: how many have it from a threshold on, some of them, and the way to all. */
export function IssueCard({ datasetId, entity, issue, onOpen }: IssueCardProps) {
  const [threshold, setThreshold] = useState(usualThreshold(issue));
  const filters = issueFilter(issue, threshold);
  const all = useFacets(datasetId, entity);
  const found = useFacets(datasetId, entity, filters);
  const { name, text } = words.issues[issue];
  const copies = useOpenCopies(datasetId, entity, issue, threshold);
  const count = found.data?.total ?? 0;
  return (
    <article className={styles.card} aria-label={name}>
      <header>
        <h2>{name}</h2>
        <p className={styles.count} role="status">
          {found.data !== undefined && all.data !== undefined && words.found(count, all.data.total)}
        </p>
      </header>
      <p className={styles.text}>{text}</p>
      {copies !== null && copies.total > 0 && <p>{words.copies(copies)}</p>}
      <ThresholdSlider issue={issue} value={threshold} onChange={setThreshold} />
      {count === 0 && found.data !== undefined ? (
        <p className={styles.none}>{words.none}</p>
      ) : (
        <>
          <IssueExamples {...{ datasetId, entity, filters, name, onOpen }} />
          {hasLabels(issue) && found.data !== undefined && (
            <Labels {...{ entity, issue, threshold }} labels={found.data.labels} />
          )}
          <Ways {...{ datasetId, entity, issue, threshold }} />
        </>
      )}
    </article>
  );
}

type FoundProps = Omit<IssueCardProps, 'onOpen' | 'datasetId'> & { readonly threshold: number };

/** The labels that most of the found media have. */
function Labels({
  entity,
  issue,
  threshold,
  labels,
}: FoundProps & { readonly labels: NonNullable<ReturnType<typeof useFacets>['data']>['labels'] }) {
  return (
    <ul className={styles.labels} aria-label={words.byLabel}>
      {labels.slice(0, MOST_LABELS).map(({ value, count }) => (
        <li key={value}>
          <Link
            to={exploreAddress(entity, issueFilter(issue, threshold, value))}
            aria-label={words.ofLabel(value, count)}
          >
            <bdi>{value}</bdi> {formatNumber(count)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** What can be done about the issue. */
function Ways({ datasetId, entity, issue, threshold }: FoundProps & { readonly datasetId: string }) {
  const filters = issueFilter(issue, threshold);
  return (
    <footer>
      {issue === 'duplicates' && entity === 'IMAGES' && (
        <Link to={`../duplicates?similarity=${threshold}`}>{words.review}</Link>
      )}
      {issue !== 'duplicates' && (
        <CleanedButton
          datasetId={datasetId}
          label={texts.subsets.copy.without}
          chosen={{ search: { entity_type: entity, vql: [...filters] } }}
        />
      )}
      <Link to={exploreAddress(entity, filters)}>
        {words.explore}
        <span className="visually-hidden">: {words.issues[issue].name}</span>
        <Icon name="right" size={14} />
      </Link>
    </footer>
  );
}

function IssueExamples({
  datasetId,
  entity,
  filters,
  name,
  onOpen,
}: {
  readonly datasetId: string;
  readonly entity: Entity;
  readonly filters: readonly VqlFilter[];
  readonly name: string;
  readonly onOpen: (mediaId: string, among: readonly string[]) => void;
}) {
  const { data = [] } = useExamples(datasetId, entity, filters, EXAMPLES);
  const examples = data.map((each) => ({ ...each, name: each.label ?? each.file_name }));
  return <Examples label={words.examples(name)} {...{ examples, onOpen }} />;
}
