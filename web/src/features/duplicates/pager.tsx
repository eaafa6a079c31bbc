import { IconButton } from '../../design/button';
import { texts } from '../../texts';
import styles from './duplicates.module.css';

const { pager: words } = texts.duplicates;

export function Pager({
  page,
  perPage,
  total,
  onChange,
}: {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly onChange: (page: number) => void;
}) {
  const last = Math.ceil(total / perPage) - 1;
  if (last <= 0) return null;
  return (
    <nav className={styles.pager} aria-label={words.label}>
      <IconButton
        kind="normal"
        icon="left"
        label={words.previous}
        isDisabled={page === 0}
        onPress={() => onChange(page - 1)}
      />
      {words.range(page * perPage + 1, Math.min(total, (page + 1) * perPage), total)}
      <IconButton
        kind="normal"
        icon="right"
        label={words.next}
        isDisabled={page >= last}
        onPress={() => onChange(page + 1)}
      />
    </nav>
  );
}
