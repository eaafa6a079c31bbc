import { useMutation } from '@tanstack/react-query';
import type { Task } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { keys } from '../../api/keys';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import type { AbortableType } from './task-rules';

interface DialogProps {
  readonly task: Task;
  readonly onClose: () => void;
}

const { tasks: words } = texts;

function useTaskAction({ task, onClose }: DialogProps, action: 'abort' | 'retry', done: string) {
  return useMutation({
    mutationFn: () => {
      const params = { path: { task_id: task.task_id } };
      return action === 'abort'
        ? answered(service.api.POST('/api/v1/tasks/{task_id}/abort', { params }))
        : answered(service.api.POST('/api/v1/tasks/{task_id}/retry', { params }));
    },
    onSuccess: () => {
      toast({ text: done });
      onClose();
    },
    // Also after an error: the task may have ended meanwhile.
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: keys.tasks });
      void queries.invalidateQueries({ queryKey: keys.datasets });
      void queries.invalidateQueries({ queryKey: keys.dataset(task.dataset_id) });
    },
  });
}

export function AbortDialog(props: DialogProps & { readonly type: AbortableType }) {
  const { task, type, onClose } = props;
  const name = words.types[task.task_type];
  const action = useTaskAction(props, 'abort', words.abort.done(name));
  return (
    <ConfirmDialog
      title={words.abort.title(name)}
      confirm={words.abort.confirm}
      isDangerous
      action={action}
      onClose={onClose}
    >
      <p dir="auto">{task.dataset_name}</p>
      <p>{words.abort.text[type]}</p>
    </ConfirmDialog>
  );
}

export function RetryDialog(props: DialogProps) {
  const { task, onClose } = props;
  const name = words.types[task.task_type];
  const action = useTaskAction(props, 'retry', words.retry.done(name));
  return (
    <ConfirmDialog title={words.retry.title(name)} confirm={words.retry.confirm} action={action} onClose={onClose}>
      <p dir="auto">{task.dataset_name}</p>
      <p>{words.retry.text}</p>
    </ConfirmDialog>
  );
}
