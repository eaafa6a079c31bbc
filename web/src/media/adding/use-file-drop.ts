import { useState, type DragEvent } from 'react';
import { droppedFiles, type PathFile } from './picked-files';

const hasFiles = ({ currentTarget, target, dataTransfer }: DragEvent): boolean =>
  // A dialog of the area is elsewhere in the document, and takes its own files.
  dataTransfer.types.includes('Files') && currentTarget.contains(target as Node);

/** Whether files are above an element, and what the element needs to take them. */
export function useFileDrop(onFiles: (files: readonly PathFile[]) => void) {
  const [isOver, setIsOver] = useState(false);
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
      void droppedFiles(event.dataTransfer).then((files) => {
        if (files.length > 0) onFiles(files);
      });
    },
  };
  return [isOver, handlers] as const;
}
