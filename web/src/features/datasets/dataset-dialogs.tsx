import { useMutation, useQuery } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import type { DatasetListItem } from '../../api/datasets';
import { Failure, messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { Button } from '../../design/button';
import { Dialog, DialogActions } from '../../design/dialog';
import { Skeleton } from '../../design/state';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import styles from './datasets.module.css';

interface DialogProps {
  readonly dataset: DatasetListItem;
  readonly onClose: () => void;
}

const MOST_FILES = 500;

export function QuarantineDialog({ dataset, onClose }: DialogProps) {
  const { quarantine: words } = texts.datasets;
  const { data, error } = useQuery({
    queryKey: keys.of(dataset.id, 'quarantine'),
    queryFn: () => {
      const params = { path: { dataset_id: dataset.id }, query: { page: 1, page_size: MOST_FILES } };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/quarantine', { params }));
    },
  });
  return (
    <Dialog title={words.title(dataset.display_name)} onClose={onClose} isWide>
      {error !== null && <Failure error={error} />}
      {data === undefined && error === null && <Skeleton style={{ height: 160 }} />}
      {data !== undefined && (
        <p className={styles.note}>{data.total === 0 ? words.none : words.some(data.files.length, data.total)}</p>
      )}
      {data !== undefined && data.total > 0 && (
        <div className={styles.scroll} tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{words.file}</th>
                <th scope="col">{words.reason}</th>
              </tr>
            </thead>
            <tbody>
              {data.files.map(({ file, reason, detail }, index) => (
                <tr key={index}>
                  <td dir="auto">{file}</td>
                  <td>
                    {reason}
                    {detail !== '' && detail !== reason && <small>{detail}</small>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Dialog>
  );
}

export function DeleteDialog({ dataset, onClose }: DialogProps) {
  const { remove: words } = texts.datasets;
  const remove = useMutation({
    mutationFn: () => service.dataset(dataset.id).delete(),
    onSuccess: () => {
      toast({ text: words.done(dataset.display_name) });
      void queries.invalidateQueries({ queryKey: keys.datasets });
      onClose();
    },
  });
  return (
    <Dialog title={words.title(dataset.display_name)} onClose={onClose} isAlert>
      <p className={styles.note}>{words.text}</p>
      {remove.error !== null && (
        <p className={styles.error} role="alert">
          {messageOf(remove.error)}
        </p>
      )}
      <DialogActions>
        <Button autoFocus onPress={onClose}>
          {texts.design.cancel}
        </Button>
        <Button kind="danger" isDisabled={remove.isPending} onPress={() => remove.mutate()}>
          {words.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
