import { useDataset, useMayChange } from '../../api/datasets';
import { Button, IconButton } from '../../design/button';
import { Icon } from '../../design/icon';
import { Menu } from '../../design/menu';
import { texts } from '../../texts';
import { useEditing } from '../editing/use-editing';
import { isReindexable } from './growth-rules';
import { useGrowth } from './use-growth';
import { useReindex } from './use-reindex';
import styles from './adding.module.css';

/** Of the dataset that the page is about. */
export function GrowthMenu() {
  const dataset = useDataset();
  const mayChange = useMayChange(dataset.id);
  const [growth, growthDialog] = useGrowth(dataset, mayChange);
  const [editing, editingDialog] = useEditing(dataset, mayChange);
  const label = texts.datasets.actions(dataset.display_name);
  return (
    <>
      <Menu
        trigger={<IconButton icon="more" kind="normal" label={label} />}
        label={label}
        entries={[...growth, ...editing]}
      />
      {growthDialog}
      {editingDialog}
    </>
  );
}

/** Says that the clusters are older than the media, or what waits for new ones, while they are. */
export function PartialNotice({ text = texts.adding.reindex.notice }: { readonly text?: string }) {
  const dataset = useDataset();
  const mayChange = useMayChange(dataset.id);
  const { mutate, isPending } = useReindex(dataset.id);
  if (!isReindexable(dataset)) return null;
  return (
    <div className={styles.notice} role="note">
      <Icon name="info" />
      <p>{text}</p>
      {mayChange && (
        <Button icon="again" isDisabled={isPending} onPress={() => mutate()}>
          {texts.adding.reindex.action}
        </Button>
      )}
    </div>
  );
}
