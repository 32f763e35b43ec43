import { Search } from 'lucide-react';
import { useState, type ReactElement, type Ref } from 'react';
import { statusKind, statusWord } from '../../src-preload/job.ts';
import { useCall } from '../data/calls.ts';
import { formatClock, formatMeasured } from '../../src-preload/format.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { inputHistoryText } from '../messages/composer/sheet.ts';
import type { ComposerDraft } from './composer-draft.ts';
import { ok, type Result } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { useComposer } from './composer-store.ts';
import styles from './rail.module.css';

/** Resolves when all inputs asked for so far are read. Another one for each of them. */
let lastAsked: Promise<unknown> = Promise.resolve();

/**
 * Reads the input of an earlier job and calls `take` with it. As one input it is taken only if no other one was asked
 * for meanwhile and the same draft is in the sheet; as rows of many, all are taken in the order in which they were
 * asked for. Returns why it could not be read.
 */
export async function takeInputOf(jobKey: string, take: (inputText: string) => void): Promise<Result<null>> {
  const { slot, inputCount } = useComposer.getState();
  const reading = call('job:body', { key: jobKey, part: 'input', attempt: null, isWhole: true });
  const mine = Promise.all([reading, lastAsked]).then(() => null);
  lastAsked = mine;
  const body = await reading;
  await mine;
  const now = useComposer.getState();
  const isWanted = inputCount === 'many' || (lastAsked === mine && now.slot === slot);
  if (!isWanted || !now.isOpen || now.inputCount !== inputCount) return ok(null);
  if (!body.ok) return body;
  take(body.value.text);
  return ok(null);
}

const shown = 40;

interface InputHistoryProps {
  draft: ComposerDraft;
  searchRef: Ref<HTMLInputElement>;
  onTake: (inputText: string) => void;
}

/** The different inputs that this endpoint had, by their newest run. Choosing one replaces the input, with undo. */
export function InputHistory({ draft, searchRef, onTake }: InputHistoryProps): ReactElement {
  const [text, setText] = useState('');
  const { connectionId, endpointId } = draft;
  const { data, error } = useCall(
    'job:inputs',
    endpointId === '' ? null : { connectionId, endpointId, text, limit: shown },
    { placeholder: (former) => former },
  );
  const inputs = data ?? null;
  const [takeProblem, setTakeProblem] = useState<string | null>(null);
  const problem = error?.message ?? takeProblem;

  const take = async (key: string): Promise<void> => {
    const taken = await takeInputOf(key, onTake);
    setTakeProblem(taken.ok ? null : taken.failure.message);
  };

  return (
    <>
      <div className={styles.search}>
        <TextField
          aria-label={inputHistoryText.search}
          size="sm"
          inputRef={searchRef}
          value={text}
          placeholder={inputHistoryText.placeholder}
          icon={<Search size={14} strokeWidth={1.75} />}
          onChange={setText}
        />
      </div>
      {problem === null ? null : (
        <p className={styles.quiet} role="alert">
          {problem}
        </p>
      )}
      {inputs !== null && inputs.length === 0 ? (
        <p className={styles.quiet}>{text === '' ? inputHistoryText.empty : inputHistoryText.noMatch}</p>
      ) : null}
      <ul className={styles.list} aria-label={inputHistoryText.list}>
        {(inputs ?? []).map(({ job, runs }) => (
          <li key={job.key}>
            <button type="button" className={styles.entry} onClick={() => void take(job.key)}>
              <StatusGlyph kind={statusKind(job)} />
              <span className={styles.title}>{job.title}</span>
              <span className={styles.sub}>
                <span aria-label={statusWord(job)}>{formatClock(job.createdAtMs).slice(0, 5)}</span>
                {runs > 1 && <span>{inputHistoryText.runs(runs)}</span>}
                <span>{job.executionTimeMs === null ? '' : formatMeasured(job.executionTimeMs)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
