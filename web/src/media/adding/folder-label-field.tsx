import { CheckField } from '../../design/choices';
import { texts } from '../../texts';
import type { FolderLabel } from './folder-labels';
import styles from './adding.module.css';

const { folderLabels: words } = texts.adding;
const MOST_SHOWN = 12;

/** The labels that folders give, with counts. */
export const FolderLabelCounts = ({
  labels,
  total,
}: {
  readonly labels: readonly FolderLabel[];
  readonly total: number;
}) => (
  <p className={styles.hint}>
    {labels.slice(0, MOST_SHOWN).map(({ value, count }, at) => (
      <span key={value}>
        {at > 0 && ', '}
        <bdi>{value}</bdi> {words.count(count)}
      </span>
    ))}
    {total > MOST_SHOWN && words.more(total - MOST_SHOWN)}
  </p>
);

/** Whether the media of a new dataset are labelled with the names of their folders; not shown where there are none. */
export function FolderLabelField({
  labels,
  total = labels.length,
  isOn,
  onChange,
}: {
  readonly labels: readonly FolderLabel[];
  readonly total?: number | undefined;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  if (labels.length === 0) return null;
  return (
    <>
      <CheckField label={words.label} hint={words.hint} isOn={isOn} onChange={onChange} />
      {isOn && <FolderLabelCounts labels={labels} total={total} />}
    </>
  );
}
