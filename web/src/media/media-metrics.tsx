import type { components } from 'dataset-media-service-sdk';
import { Chip } from '../design/state';
import { texts } from '../texts';
import { formatDecimal, formatPercent } from '../texts/format';
import styles from './media-dialog.module.css';

type MediaDetail = components['schemas']['MediaDetail'];

const { detail: words } = texts.media;
/** From here on a search for an issue finds the medium. */
const IS_ISSUE: Readonly<Record<string, number>> = { class_outliers: 1 };
const USUAL = 0.5;

/** The measures of a medium: issues, and similarity to others. */
export function MediaMetrics({ media }: { readonly media: MediaDetail }) {
  const found = media.issues.filter(({ issue, confidence }) => confidence >= (IS_ISSUE[issue] ?? USUAL));
  return (
    <section className={styles.section}>
      <dl className={styles.fields}>
        <dt>{words.issues}</dt>
        <dd>
          {found.length === 0
            ? words.noIssues
            : found.map(({ issue, confidence, issues_description: description }) => (
                <div key={issue}>
                  <Chip tone="bad">
                    {texts.explore.filters.issueNames[issue]} {formatPercent(confidence)}
                  </Chip>
                  {description !== undefined && <bdi> {words.neighboursSay(description)}</bdi>}
                </div>
              ))}
        </dd>
        <dt>{words.uniqueness}</dt>
        <dd>{formatDecimal(media.uniqueness_score)}</dd>
        {media.nearest_similarity !== null && (
          <>
            <dt>{words.nearest}</dt>
            <dd>{words.alike(media.nearest_similarity)}</dd>
          </>
        )}
      </dl>
    </section>
  );
}
