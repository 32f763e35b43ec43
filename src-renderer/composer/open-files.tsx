import { FileUp } from 'lucide-react';
import { useRef, type ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { manyInputsText } from '../messages/composer/batch.ts';
import { chosenFiles } from './drop/dropped-files.ts';
import { takeRows } from './drop/take-rows.ts';

/** Adds the inputs of chosen files to the field, as if they were dropped on it. */
export function OpenFiles(): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={manyInputsText.files}
        accept=".ndjson,.jsonl,.json,.csv,.tsv,.txt"
        onChange={(event) => {
          const dropped = chosenFiles(event.target.files ?? []);
          event.target.value = '';
          if (dropped.files.length > 0) void takeRows(dropped);
        }}
      />
      <Button
        variant="ghost"
        size="sm"
        icon={<FileUp size={14} strokeWidth={1.75} />}
        onClick={() => input.current?.click()}
      >
        {manyInputsText.openFiles}
      </Button>
    </>
  );
}
