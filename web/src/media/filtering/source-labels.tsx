import { formatCount } from '../../texts/format';
import type { ExploreNavigation } from '../explore-address';
import { useSourceFacets } from '../facets';
import { withSource, type SourceFilter } from '../source-filters';
import styles from './filtering.module.css';

const FEW = 8;

/** The labels that a source gives most often, to choose from. */
export function SourceLabels({
  datasetId,
  state,
  change,
  filter: { source, labels: chosen },
}: ExploreNavigation & { readonly datasetId: string; readonly filter: SourceFilter }) {
  const { data: { labels } = { labels: [] } } = useSourceFacets(datasetId, state, source);
  const options = labels.slice(0, FEW).map(({ value, count }) => (
    <div key={value} className={styles.option}>
      <label>
        <input
          type="checkbox"
          checked={chosen.includes(value)}
          onChange={() =>
            change({
              filters: (current) =>
                withSource(current, source, {
                  labels: chosen.includes(value) ? chosen.filter((label) => label !== value) : [...chosen, value],
                }),
            })
          }
        />
        <span dir="auto" title={value}>
          {value}
        </span>
        <small>{formatCount(count)}</small>
      </label>
    </div>
  ));
  return <div className={styles.fields}>{options}</div>;
}
