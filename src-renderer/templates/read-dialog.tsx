import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/text-field.tsx';
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
  const refusal = podId.trim() === '' ? 'Enter a pod id first' : isReading ? 'Reading…' : undefined;
  return (
    <Dialog
      title="Read from a pod"
      isOpen
      onClose={onClose}
      width={440}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabledReason={refusal} onClick={() => void read()}>
            {isReading ? 'Reading' : 'Read'}
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
          label="Pod id"
          isMono
          value={podId}
          problem={problem}
          hint="The service returns a template only with a pod or worker that uses it."
          onChange={(text) => {
            setPodId(text);
            setProblem(null);
          }}
        />
      </form>
      {podIds.length > 1 && (
        <div className={styles.pods}>
          <span>Seen at</span>
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
