import { useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Progress as ProgressBar } from '../../design/state';
import { toast } from '../../design/toast';

export interface Progress {
  readonly done: number;
  readonly total: number;
}

interface Work<Asked, Result> {
  readonly run: (asked: Asked, onProgress: (progress: Progress) => void, isStopped: () => boolean) => Promise<Result>;
  readonly onDone: (result: Result, asked: Asked) => void;
  readonly onSettled?: () => void;
  readonly onClose: () => void;
}

/** Work on a selection that a dialog shows; closing the dialog stops it after the part that is under way. */
export function useSelectionWork<Asked, Result>({ run, onDone, onSettled, onClose }: Work<Asked, Result>) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const isClosed = useRef(false);
  const close = () => {
    isClosed.current = true;
    onClose();
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: (asked: Asked) => run(asked, setProgress, () => isClosed.current),
    onSuccess: (result, asked) => {
      onDone(result, asked);
      if (!isClosed.current) close();
    },
    onError: ({ message: text }) => {
      if (isClosed.current) toast({ text, isFailure: true });
    },
    onSettled: () => {
      setProgress(null);
      onSettled?.();
    },
  });
  return { progress, mutate, isPending, error, close };
}

interface WorkingProps {
  /** Null before the number of media is known. */
  readonly progress: Progress | null;
  readonly words: { readonly finding: string; readonly progress: (done: number, total: number) => string };
}

export function Working({ progress, words }: WorkingProps) {
  if (progress === null) return <p role="status">{words.finding}</p>;
  const { done, total } = progress;
  return <ProgressBar label={words.progress(done, total)} percent={Math.round((100 * done) / total)} />;
}
