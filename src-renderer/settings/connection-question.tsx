import type { ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { commonText } from '../messages/common.ts';
import { connectionPageText } from '../messages/settings/connection.tsx';

interface ConnectionQuestionProps {
  /** The name of the connection. */
  name: string;
  /** What is to be deleted, or null. */
  question: 'key' | 'connection' | null;
  onClose: () => void;
  onConfirm: Readonly<Record<'key' | 'connection', () => void>>;
}

const questions = {
  key: {
    title: connectionPageText.deleteKeyTitle,
    text: connectionPageText.deleteKeyText,
    label: connectionPageText.deleteKey,
  },
  connection: {
    title: connectionPageText.removeTitle,
    text: connectionPageText.removeText,
    label: connectionPageText.remove,
  },
};

/** Asks before a key is deleted, alone or with its connection: it cannot be restored. */
export function ConnectionQuestion({ name, question, onClose, onConfirm }: ConnectionQuestionProps): ReactElement {
  return (
    <>
      {(['key', 'connection'] as const).map((what) => (
        <Dialog
          key={what}
          title={questions[what].title(name)}
          isOpen={question === what}
          onClose={onClose}
          actions={
            <>
              <Button autoFocus onClick={onClose}>
                {commonText.cancel}
              </Button>
              <Button
                variant="danger-solid"
                onClick={() => {
                  onClose();
                  onConfirm[what]();
                }}
              >
                {questions[what].label}
              </Button>
            </>
          }
        >
          {questions[what].text}
        </Dialog>
      ))}
    </>
  );
}
