import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import type { Job } from '../../../src-preload/job.ts';
import { badMark, goodMark, maxLabelChars, marks, markWord, type Mark } from '../../../src-preload/judgement.ts';
import { useCall } from '../../data/calls.ts';
import { changeOwn } from '../../data/own-changes.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { FormActions } from '../../design/form/form-parts.tsx';
import { TextField } from '../../design/form/text-field.tsx';
import { judgedText, judgeText } from '../../messages/job/dialogs.ts';
import { useJudgementRequest } from '../../navigation/open-requests.ts';
import styles from '../judgement.module.css';

/** Asks for the mark and the label of jobs. A digit marks them and closes the dialog. */
export function JudgeDialog() {
  const subject = useJudgementRequest((state) => state.subject);
  const close = useJudgementRequest((state) => state.close);
  const count = subject?.jobs.length ?? 0;
  return (
    <Dialog title={judgeText.title(count)} isOpen={subject !== null} onClose={close}>
      {subject !== null && <JudgeForm {...subject} onClose={close} />}
    </Dialog>
  );
}

interface JudgeFormProps {
  jobs: readonly Job[];
  startsWith: 'mark' | 'label';
  onClose: () => void;
}

function JudgeForm({ jobs, startsWith, onClose }: JudgeFormProps) {
  const [shared] = useState(() => ({
    mark: sharedOf(jobs, ({ mark }) => mark),
    label: sharedOf(jobs, ({ label }) => label) ?? '',
  }));
  const [mark, setMark] = useState<Mark | null>(shared.mark ?? null);
  const [label, setLabel] = useState(shared.label);
  const [problem, setProblem] = useState<string | null>(null);
  const labelField = useRef<HTMLInputElement>(null);
  const { data: labels = [] } = useCall('job:labels', undefined);
  const typed = label.trim();
  const isTooLong = typed.length > maxLabelChars;

  const save = async (chosen: Mark | null): Promise<void> => {
    if (isTooLong) return;
    // What the jobs do not share stays unless the user changed it.
    const change = {
      ...(chosen === (shared.mark ?? null) ? {} : { mark: chosen }),
      ...(typed === shared.label ? {} : { label: typed === '' ? null : typed }),
    };
    const message = judgedText(jobs.length, change);
    const failure = await changeOwn(
      jobs.map((job) => ({ job, change })),
      message,
    );
    if (failure === null) onClose();
    else setProblem(failure.message);
  };
  const onKey = (event: KeyboardEvent): void => {
    const pressed = marks.find((each) => String(each) === event.key);
    if (event.target === labelField.current || event.ctrlKey || event.metaKey || event.altKey) return;
    if (pressed === undefined && event.key !== '0') return;
    event.preventDefault();
    void save(pressed ?? null);
  };
  const offered = labels.filter((one) => one !== typed && one.toLowerCase().startsWith(typed.toLowerCase()));
  return (
    <form
      onKeyDown={onKey}
      onSubmit={(event) => {
        event.preventDefault();
        void save(mark);
      }}
    >
      <div className={styles.row} role="group" aria-label={judgeText.mark}>
        {marks.map((each) => (
          <MarkButton
            key={each}
            mark={each}
            isOn={mark === each}
            hasFocus={startsWith === 'mark' && each === (shared.mark ?? badMark)}
            onClick={() => setMark(mark === each ? null : each)}
          />
        ))}
      </div>
      <TextField
        label={judgeText.label}
        autoFocus={startsWith === 'label'}
        inputRef={labelField}
        value={label}
        placeholder={judgeText.labelExample}
        hint={judgeText.labelHint}
        problem={isTooLong ? judgeText.labelTooLong(maxLabelChars) : problem}
        onChange={(text) => {
          setLabel(text);
          setProblem(null);
        }}
      />
      {offered.length > 0 && (
        <div className={styles.known} role="group" aria-label={judgeText.knownLabels}>
          {offered.slice(0, 8).map((one) => (
            <Button key={one} size="sm" variant="ghost" onClick={() => setLabel(one)}>
              {one}
            </Button>
          ))}
        </div>
      )}
      <FormActions submit={judgeText.save} onCancel={onClose} />
    </form>
  );
}

interface MarkButtonProps {
  mark: Mark;
  isOn: boolean;
  hasFocus: boolean;
  onClick: () => void;
}

function MarkButton({ mark, isOn, hasFocus, onClick }: MarkButtonProps) {
  const icon = mark === goodMark ? <ThumbsUp /> : mark === badMark ? <ThumbsDown /> : undefined;
  return (
    <Button
      variant={isOn ? 'primary' : 'default'}
      icon={icon}
      autoFocus={hasFocus}
      aria-pressed={isOn}
      aria-label={icon === undefined ? markWord(mark) : undefined}
      onClick={onClick}
    >
      {icon === undefined ? mark : judgeText.markButton(mark)}
    </Button>
  );
}

/** The value that all of them have. Undefined if they differ or have none. */
function sharedOf<V>(jobs: readonly Job[], valueOf: (job: Job) => V | undefined): V | undefined {
  const [first, ...others] = jobs;
  const value = first === undefined ? undefined : valueOf(first);
  return others.every((job) => valueOf(job) === value) ? value : undefined;
}
