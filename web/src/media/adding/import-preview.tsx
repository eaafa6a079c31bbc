import { messageOf } from '../../api/failure';
import { Skeleton } from '../../design/state';
import { Table } from '../../design/table';
import { texts } from '../../texts';
import { formatPercent } from '../../texts/format';
import type { FilePreview } from './source-import';
import styles from './adding.module.css';

const { sourceFiles: words } = texts.adding;

type Previewed = FilePreview['first'][number];

/** What files have for a source, before anything is changed. */
export function ImportPreview({
  preview,
  error,
}: {
  readonly preview: FilePreview | undefined;
  readonly error: Error | null;
}) {
  if (error !== null)
    return (
      <p className={styles.error} role="alert">
        {messageOf(error)}
      </p>
    );
  if (preview === undefined) return <Skeleton style={{ height: 120 }} />;
  const { format, annotations, pictures, first, unmatched, faults, is_complete: isComplete } = preview;
  return (
    <section className={styles.preview} aria-label={words.preview}>
      <p role="status">
        {words.found(words.formats[format], annotations, pictures)}
        {!isComplete && ` ${words.beginning}`}
      </p>
      {unmatched.count > 0 && (
        <p className={styles.error} dir="auto">
          {words.unmatched(unmatched.count, unmatched.names)}
        </p>
      )}
      {faults.length > 0 && (
        <ul className={styles.refused} tabIndex={0} aria-label={words.faults}>
          {faults.map((fault) => (
            <li key={fault} dir="auto">
              {fault}
            </li>
          ))}
        </ul>
      )}
      {first.length > 0 && (
        <Table label={words.first(first.length)} columns={words.columns}>
          {first.map((each, at) => (
            <Row key={at} of={each} />
          ))}
        </Table>
      )}
    </section>
  );
}

const Row = ({ of: { file_path: path, matches, label, shape, confidence, ...more } }: { readonly of: Previewed }) => (
  <tr>
    <td>
      <bdi>{path}</bdi>
      {!matches && <small>{words.noPicture}</small>}
    </td>
    <td dir="auto">{label}</td>
    <td>{words.shapes[shape?.type ?? 'none']}</td>
    <td>{confidence === null ? '' : formatPercent(confidence)}</td>
    <td dir="auto">{othersOf(more).join(', ')}</td>
  </tr>
);

const othersOf = ({
  id,
  track_id: track,
  crowd,
  ignored,
  attributes,
}: Pick<Previewed, 'id' | 'track_id' | 'crowd' | 'ignored' | 'attributes'>): readonly string[] => [
  ...(id === null ? [] : [words.id(id)]),
  ...texts.annotations.more({ track, crowd, ignored, attributes }),
];
