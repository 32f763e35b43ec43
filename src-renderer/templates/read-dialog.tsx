import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { commonText } from '../messages/common.ts';
import { readDialogText } from '../messages/templates/form.tsx';
import { readFromPod, useTemplate } from './template-store.ts';
import styles from './template-window.module.css';

/** Asks for the pod to read the template from. The service has no operation that reads a template (ruling 23). */
export function ReadDialog({ onClose }: { onClose: () => void }) {
  const podIds = useTemplate(({ view }) =>
    [...new Set([...(view?.podIds ?? []), ...(view?.uses ?? []).map(({ podId }) => podId)])].join(' '),
  )
    .split(' ')
    .filter((id) => id !== '');
  const isReading = useTemplate((state) => state.busy === 'reading');
  const [podId, setPodId] = useState(podIds[0] ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const read = async (): Promise<void> => {
    const failure = await readFromPod(podId.trim());
    if (failure === null) onClose();
    else setProblem(failure.message);
  };
  const refusal = podId.trim() === '' ? readDialogText.podIdMissing : isReading ? readDialogText.waiting : undefined;
  return (
    <Dialog
      title={readDialogText.title}
      isOpen
      onClose={onClose}
      width={440}
      actions={
        <>
          <Button onClick={onClose}>{commonText.cancel}</Button>
          <Button variant="primary" disabledReason={refusal} onClick={() => void read()}>
            {isReading ? readDialogText.reading : readDialogText.read}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (refusal === undefined) void read();
        }}
      >
        <TextField
          label={readDialogText.podId}
          isMono
          value={podId}
          problem={problem}
          hint={readDialogText.hint}
          onChange={(text) => {
            setPodId(text);
            setProblem(null);
          }}
        />
      </form>
      {podIds.length > 1 && (
        <div className={styles.pods}>
          <span>{readDialogText.seenAt}</span>
          {podIds.slice(0, 8).map((id) => (
            <button key={id} type="button" className={styles.pod} onClick={() => setPodId(id)}>
              {id}
            </button>
          ))}
        </div>
      )}
    </Dialog>
  );
}
