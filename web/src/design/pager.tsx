import { texts } from '../texts';
import { IconButton } from './button';
import styles from './pager.module.css';

/** Steps through the pages of a list, of which `page` is from 0. Not there while one page has all. */
export function Pager({
  page,
  pageSize,
  total,
  onChange,
}: {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onChange: (page: number) => void;
}) {
  if (total <= pageSize && page === 0) return null;
  const { pager: words } = texts.design;
  const last = Math.max(0, Math.ceil(total / pageSize) - 1);
  return (
    <nav className={styles.pager} aria-label={words.label}>
      <IconButton icon="left" label={words.previous} isDisabled={page === 0} onPress={() => onChange(page - 1)} />
      <span role="status">{words.range(page * pageSize + 1, Math.min((page + 1) * pageSize, total), total)}</span>
      <IconButton icon="right" label={words.next} isDisabled={page >= last} onPress={() => onChange(page + 1)} />
    </nav>
  );
}
