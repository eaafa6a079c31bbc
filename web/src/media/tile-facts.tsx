import type { MediaPreview } from 'dataset-media-service-sdk';
import { texts } from '../texts';
import { formatBytes, formatDecimal, formatPercent } from '../texts/format';
import type { ShownFact } from './tile-settings';
import type { MediaValues } from './tile-values';
import styles from './tile-facts.module.css';

const { facts: words } = texts.media;
export const LINE_PX = 20;
/** Others are in the title, and in the details. */
const MOST_CHIPS = 6;

export interface FactsOfTile {
  readonly preview: MediaPreview;
  /** Of all media of a stack, the most frequent first. */
  readonly labels: readonly string[];
  readonly tags: readonly string[];
  /** Undefined until they are read. */
  readonly values: MediaValues | undefined;
}

type Line = { readonly chips: readonly string[] } | { readonly text: string; readonly value?: string };

const FIELD = 'field:';
export const fieldNameOf = (fact: ShownFact): string => (fact.startsWith(FIELD) ? fact.slice(FIELD.length) : '');
export const factName = (fact: ShownFact): string =>
  fact.startsWith(FIELD) ? fieldNameOf(fact) : words.names[fact as keyof typeof words.names];

function lineOf(fact: ShownFact, { preview, labels, tags, values }: FactsOfTile): Line {
  switch (fact) {
    case 'name':
      return { text: preview.file_name };
    case 'labels':
      return { chips: labels };
    case 'tags':
      return { chips: tags };
    case 'caption':
      return { text: preview.caption ?? '' };
    case 'pixels':
      return { text: words.pixels(preview.width, preview.height) };
    case 'file_size':
      return { text: values === undefined ? '' : formatBytes(values.size_bytes) };
    case 'uniqueness':
      return {
        text: words.names.uniqueness,
        value: values === undefined ? '' : formatDecimal(values.uniqueness_score),
      };
    case 'issues': {
      const issues = [...(values?.issues ?? [])].sort((one, other) => other.confidence - one.confidence);
      return {
        text: issues
          .map(({ issue, confidence, issues_description: suggested }) =>
            [
              `${texts.explore.filters.issueNames[issue]} ${formatPercent(confidence)}`,
              ...(suggested === undefined ? [] : [texts.media.detail.neighboursSay(suggested)]),
            ].join(': '),
          )
          .join(', '),
      };
    }
    default: {
      const found = values?.custom_metadata.find(({ field_name: name }) => name === fieldNameOf(fact));
      const value = Array.isArray(found?.value) ? found.value.join(', ') : String(found?.value ?? '');
      return { text: fieldNameOf(fact), value };
    }
  }
}

/** Lines below the picture of a tile. Long ones are cut off, and whole in their title. */
export function TileFacts({ shown, ...facts }: FactsOfTile & { readonly shown: readonly ShownFact[] }) {
  return (
    <div className={styles.facts}>
      {shown.map((fact) => {
        const line = lineOf(fact, facts);
        const said = 'chips' in line ? line.chips.join(', ') : (line.value ?? line.text);
        return (
          <div
            key={fact}
            className={styles.line}
            style={{ height: LINE_PX }}
            title={said === '' ? undefined : `${factName(fact)}: ${said}`}
            data-chips={'chips' in line}
            // The picture has said the name.
            aria-hidden={fact === 'name'}
          >
            {'chips' in line ? (
              line.chips.slice(0, MOST_CHIPS).map((chip) => (
                <bdi key={chip} className={styles.chip} data-tag={fact === 'tags'}>
                  {chip}
                </bdi>
              ))
            ) : line.value === undefined ? (
              <bdi className={styles.text}>{line.text}</bdi>
            ) : (
              <>
                <bdi className={styles.name}>{line.text}</bdi>
                <bdi className={styles.value}>{line.value}</bdi>
              </>
            )}
            {said === '' && <span className={styles.none}>–</span>}
          </div>
        );
      })}
    </div>
  );
}
