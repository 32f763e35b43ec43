import { useState, type DragEvent, type RefObject } from 'react';
import type { CursorTaker } from '../json-editor.tsx';
import { droppedFiles } from './dropped-files.ts';
import { takeDrop } from './take-drop.ts';

interface DropHandlers {
  onDragOverCapture: (event: DragEvent) => void;
  onDragLeave: (event: DragEvent) => void;
  onDropCapture: (event: DragEvent) => void;
}

/** Handles files dropped on the input, before the editor inserts their text itself. */
export function useDrop(editor: RefObject<CursorTaker | null>): { isOver: boolean; handlers: DropHandlers } {
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
        void droppedFiles(event.dataTransfer).then((dropped) => takeDrop(dropped, editor.current));
      },
    },
  };
}
