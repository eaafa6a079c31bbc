import { formatCount } from '../../texts/format';
import type { ExploreState } from '../explore-address';
import { useSourceFacets } from '../facets';
import type { SourceFilter } from '../source-filters';
import styles from './filtering.module.css';

const FEW = 8;

/** The labels that a source gives most often, to choose from. */
export function SourceLabels({
  datasetId,
  state,
  filter: { source, labels: chosen },
  onChange,
}: {
  readonly datasetId: string;
  readonly state: ExploreState;
  readonly filter: SourceFilter;
  readonly onChange: (labels: readonly string[]) => void;
}) {
  const { data: { labels } = { labels: [] } } = useSourceFacets(datasetId, state, source);
  return labels.slice(0, FEW).map(({ value, count }) => (
    <div key={value} className={styles.option}>
      <label>
        <input
          type="checkbox"
          checked={chosen.includes(value)}
          onChange={() =>
            onChange(chosen.includes(value) ? chosen.filter((label) => label !== value) : [...chosen, value])
          }
        />
        <span dir="auto" title={value}>
          {value}
        </span>
        <small>{formatCount(count)}</small>
      </label>
    </div>
  ));
}
