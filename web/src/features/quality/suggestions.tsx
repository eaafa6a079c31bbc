import type { components } from 'dataset-media-service-sdk';
import { texts } from '../../texts';
import { formatPercent } from '../../texts/format';
import { Chip } from '../../design/state';
import { issueFilter, useDetails, useExamples, usualThreshold, type Entity } from './quality-queries';
import styles from './quality.module.css';

type MediaDetail = components['schemas']['MediaDetail'];

const { suggestions: words } = texts.quality;
const SHOWN = 10;
const FILTERS = issueFilter('mislabels', usualThreshold('mislabels'));

/** Media whose label looks wrong, with the one that similar media have. */
export function Suggestions({
  datasetId,
  entity,
  onOpen,
}: {
  readonly datasetId: string;
  readonly entity: Entity;
  readonly onOpen: (mediaId: string, among: readonly string[]) => void;
}) {
  const { data: examples = [] } = useExamples(datasetId, entity, FILTERS, SHOWN);
  const ids = examples.map(({ media_id: id }) => id);
  const details = useDetails(datasetId, ids);
  const rows = details
    .flatMap(({ data }) => {
      const issue = data?.issues.find((each) => each.issue === 'mislabels');
      return data === undefined || issue === undefined ? [] : [{ media: data, issue }];
    })
    .sort((a, b) => b.issue.confidence - a.issue.confidence);
  if (rows.length === 0) return null;
  return (
    <section className={styles.suggestions}>
      <h2>{words.title}</h2>
      <p className={styles.text}>{words.text}</p>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={words.title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.media}</th>
              <th scope="col">{words.label}</th>
              <th scope="col">{words.suggested}</th>
              <th scope="col">{words.confidence}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <SuggestionRow key={row.media.media_id} {...row} onOpen={(mediaId) => onOpen(mediaId, ids)} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function SuggestionRow({
  media,
  issue: { confidence, issues_description: suggested },
  onOpen,
}: {
  readonly media: MediaDetail;
  readonly issue: MediaDetail['issues'][number];
  readonly onOpen: (mediaId: string) => void;
}) {
  return (
    <tr>
      <td>
        <button type="button" aria-label={words.open(media.file_name)} onClick={() => onOpen(media.media_id)}>
          <img src={media.media_thumb_uri} alt="" loading="lazy" />
          <span dir="auto">{media.file_name}</span>
        </button>
      </td>
      <td dir="auto">{media.label_sources.map(({ label }) => label).join(', ')}</td>
      <td>{suggested === undefined ? words.nothing : <Chip tone="accent">{suggested}</Chip>}</td>
      <td>{formatPercent(confidence)}</td>
    </tr>
  );
}
