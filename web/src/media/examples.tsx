import { Picture } from './picture';
import styles from './examples.module.css';

export interface Example {
  readonly media_id: string;
  readonly media_thumb_uri: string;
  readonly name: string;
}

/** Some pictures, each of which is opened among them. */
export function Examples({
  label,
  examples,
  onOpen,
}: {
  readonly label?: string;
  readonly examples: readonly Example[];
  readonly onOpen: (mediaId: string, among: readonly string[]) => void;
}) {
  const ids = examples.map(({ media_id: id }) => id);
  return (
    <div className={styles.examples} role={label === undefined ? undefined : 'group'} aria-label={label}>
      {examples.map(({ media_id: id, media_thumb_uri: uri, name }) => (
        <button key={id} type="button" title={name} onClick={() => onOpen(id, ids)}>
          <Picture src={uri} alt={name} loading="lazy" />
        </button>
      ))}
    </div>
  );
}
