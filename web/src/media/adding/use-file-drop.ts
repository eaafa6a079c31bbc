import { useState, type DragEvent, type HTMLAttributes } from 'react';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { droppedFiles, type PathFile } from './picked-files';

const hasFiles = ({ currentTarget, target, dataTransfer }: DragEvent): boolean =>
  // A dialog of the area is elsewhere in the document, and takes its own files.
  dataTransfer.types.includes('Files') && currentTarget.contains(target as Node);

interface FileDrop {
  /** Files are above the element. */
  readonly isOver: boolean;
  /** The number of dropped files found so far; undefined when no drop is being read. */
  readonly found: number | undefined;
  /** The props of an element that takes files. */
  readonly handlers: Pick<HTMLAttributes<HTMLElement>, 'onDragOver' | 'onDragLeave' | 'onDrop'>;
}

export function useFileDrop(onFiles: (files: readonly PathFile[]) => void): FileDrop {
  const [isOver, setIsOver] = useState(false);
  const [found, setFound] = useState<number>();
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) setIsOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(false);
      setFound(0);
      void droppedFiles(event.dataTransfer, setFound).then(({ files, unreadable }) => {
        setFound(undefined);
        if (unreadable.length > 0) toast({ text: texts.adding.choice.unreadable(unreadable), isFailure: true });
        if (files.length > 0) onFiles(files);
      });
    },
  };
  return { isOver, found, handlers };
}
