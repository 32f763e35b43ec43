import { useState, type DragEvent } from 'react';
import { droppedFiles, type DroppedFiles } from './dropped-files.ts';

interface DropHandlers {
  onDragOverCapture: (event: DragEvent) => void;
  onDragLeave: (event: DragEvent) => void;
  onDropCapture: (event: DragEvent) => void;
}

/** Handles files and folders dropped on an input, before its editor or field inserts their text itself. */
export function useDrop(take: (dropped: DroppedFiles) => Promise<void>): { isOver: boolean; handlers: DropHandlers } {
  const [isOver, setOver] = useState(false);
  const holdsFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
  return {
    isOver,
    handlers: {
      onDragOverCapture: (event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false);
      },
      onDropCapture: (event) => {
        setOver(false);
        if (!holdsFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        void droppedFiles(event.dataTransfer).then(take);
      },
    },
  };
}
