import { useState } from 'react';
import { formatDate } from '../../src-preload/format.ts';
import type { FailureCause, MuteChoice } from '../../src-preload/failure-cause.ts';
import { maxMuteReasonChars } from '../../src-preload/bounds.ts';
import { oneAtATime } from '../design/form/one-at-a-time.ts';
import { momentOf } from '../data/parse-filter-values.ts';
import { useNow } from '../data/use-now.ts';
import { Dialog } from '../design/dialog.tsx';
import { FormActions } from '../design/form/form-parts.tsx';
import { RadioCards } from '../design/form/radio-cards.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { muteDialogText } from '../messages/failures/list.ts';
import styles from './mute-dialog.module.css';

const weekMs = 604_800_000;

/** Asks how long a cause is muted, and why. It stays open if that could not be saved. */
export function MuteDialog({
  cause,
  isOpen,
  onClose,
  onMute,
}: {
  cause: Pick<FailureCause, 'message'>;
  isOpen: boolean;
  onClose: () => void;
  onMute: (choice: MuteChoice) => Promise<boolean>;
}) {
  const [once] = useState(oneAtATime);
  return (
    <Dialog title={muteDialogText.title} isOpen={isOpen} onClose={onClose} width={460}>
      <p className={styles.cause} dir="auto">
        {cause.message}
      </p>
      {isOpen && (
        <MuteForm
          onClose={onClose}
          onMute={(choice) =>
            void once(async () => {
              if (await onMute(choice)) onClose();
            })
          }
        />
      )}
    </Dialog>
  );
}

type End = 'unmute' | 'rise' | 'date';

function MuteForm({ onClose, onMute }: { onClose: () => void; onMute: (choice: MuteChoice) => void }) {
  const nowMs = useNow(60_000);
  const [end, setEnd] = useState<End>('rise');
  const [date, setDate] = useState(() => formatDate(nowMs + weekMs));
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const untilMs = end === 'date' ? momentOf(date.trim(), nowMs) : null;
  const problem = end === 'date' && (untilMs === null || untilMs <= nowMs) ? muteDialogText.dayProblem : null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (problem === null) onMute({ untilMs, isUntilRise: end === 'rise', reason: reason.trim() });
      }}
    >
      <div className={styles.fields}>
        <TextField
          label={muteDialogText.reason}
          autoFocus
          value={reason}
          maxLength={maxMuteReasonChars}
          placeholder={muteDialogText.reasonExample}
          hint={muteDialogText.reasonHint}
          onChange={setReason}
        />
        <RadioCards<End>
          label={muteDialogText.until}
          columns={1}
          value={end}
          onChange={setEnd}
          options={[
            {
              value: 'rise',
              label: muteDialogText.untilRise,
              hint: muteDialogText.untilRiseHint,
            },
            { value: 'date', label: muteDialogText.untilDay },
            { value: 'unmute', label: muteDialogText.untilUnmuted },
          ]}
        />
        {end === 'date' && (
          <TextField label={muteDialogText.day} value={date} problem={isTried ? problem : null} onChange={setDate} />
        )}
      </div>
      <FormActions submit={muteDialogText.mute} onCancel={onClose} />
    </form>
  );
}
