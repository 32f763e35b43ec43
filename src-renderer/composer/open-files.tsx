import { FileUp } from 'lucide-react';
import type { ReactElement } from 'react';
import { FileButton } from '../design/form/file-button.tsx';
import { manyInputsText } from '../messages/composer/batch.ts';
import { chosenFiles } from './drop/dropped-files.ts';
import { takeRows } from './drop/take-rows.ts';

/** Adds the inputs of chosen files to the field, as if they were dropped on it. */
export function OpenFiles(): ReactElement {
  return (
    <FileButton
      label={manyInputsText.files}
      accept=".ndjson,.jsonl,.json,.csv,.tsv,.txt"
      isMultiple
      icon={<FileUp size={14} strokeWidth={1.75} />}
      onFiles={(files) => void takeRows(chosenFiles(files))}
    >
      {manyInputsText.openFiles}
    </FileButton>
  );
}
