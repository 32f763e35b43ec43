import { ChevronRight, Copy, Hourglass, Layers, OctagonX } from 'lucide-react';
import { memo, useState } from 'react';
import type { JobDetail, JobError, Attempt } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { useCurrentConnection } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { toast } from '../design/toast.tsx';
import {
  hotFrame,
  readTraceback,
  readable,
  shortened,
  splitSummary,
  type Frame,
  type TraceLine,
} from '../../src-preload/traceback.ts';
import { errorText } from '../messages/job/pane.ts';
import { goToCause } from '../navigation/go.ts';
import { parseJson, isJsonObject } from '../../src-preload/json-spans.ts';
import styles from './error-block.module.css';

/**
 * The error of a former attempt, of which only the text was saved: often a JSON string with its parts (field notes:
 * Status and result). Null if it had none.
 */
export function formerError(attempt: Pick<Attempt, 'errorText'> | null): JobError | null {
  if (attempt === null || attempt.errorText === null) return null;
  const raw = attempt.errorText;
  const fields = recordIn(raw);
  const text = (name: string): string | null => {
    const value = fields?.[name];
    return typeof value === 'string' && value.trim() !== '' ? value : null;
  };
  const summary = (text('error_message') ?? text('error') ?? raw).slice(0, summaryChars);
  return { summary, type: text('error_type'), traceback: text('error_traceback'), raw };
}

/** A longer text is data, not an error with parts. */
const parsedChars = 262_144;
const summaryChars = 2_000;

/** The object in a text, even if it is in a nested JSON string. */
function recordIn(text: string): Record<string, unknown> | null {
  let value = text.length > parsedChars ? undefined : parseJson(text);
  if (typeof value === 'string') value = parseJson(value);
  return isJsonObject(value) ? { ...value } : null;
}

interface ErrorBlockProps {
  error: JobError;
  isTimeout: boolean;
  /** The job that has the error. Null: it is that of a former attempt. */
  of: JobDetail | null;
}

/** A job's error: the message, the traceback with the user's own frames first, and how many jobs failed like it. */
export const ErrorBlock = memo(function ErrorBlock({ error, isTimeout, of }: ErrorBlockProps) {
  const { headline, rest } = splitSummary(error.summary);
  const copy = async (): Promise<void> => {
    const result = await call('app:copyText', { text: error.raw });
    toast(result.ok ? errorText.copied : result.failure.message, { glyph: <Copy size={16} /> });
  };
  return (
    <section className={classes(styles.error, isTimeout && styles.timeout)} aria-label={errorText.error}>
      <div className={styles.head}>
        {isTimeout ? <Hourglass size={18} aria-hidden="true" /> : <OctagonX size={18} aria-hidden="true" />}
        <div className={styles.words}>
          <h2 className={styles.headline}>{headline}</h2>
          {(rest !== '' || error.type !== null) && (
            <p className={styles.rest}>
              {error.type !== null && <span className={styles.type}>{error.type}</span>}
              {rest}
            </p>
          )}
        </div>
        <Button variant="ghost" size="sm" icon={<Copy />} aria-label={errorText.copyError} onClick={() => void copy()}>
          {errorText.copy}
        </Button>
      </div>
      {error.traceback !== null && error.traceback.trim() !== '' && (
        <Traceback text={error.traceback} headline={headline} />
      )}
      {of !== null && <Alike {...of} />}
    </section>
  );
});

/** How many jobs failed for the same cause, with the way to them if the list has them: those of its connection. */
function Alike({ job, alike }: JobDetail) {
  const isInList = useCurrentConnection()?.id === job.connectionId;
  if (alike === undefined || alike.jobs < 2 || !isInList) return null;
  return (
    <p className={styles.alike}>
      <Layers size={14} aria-hidden="true" />
      <span>{errorText.alike(alike.jobs)}</span>
      <Button variant="ghost" size="sm" onClick={() => goToCause(alike.causeId)}>
        {errorText.showAlike}
      </Button>
    </p>
  );
}

function Traceback({ text: whole, headline }: { text: string; headline: string }) {
  const text = readable(whole);
  const all = shortened(readTraceback(text));
  const hot = all[hotFrame(all, text)];
  // The heading above shows these already.
  const lines = all.filter(
    (line) => line.kind !== 'text' || !(line.text.startsWith('Traceback (most recent') || line.text.includes(headline)),
  );
  if (lines.length === 0) return null;
  return (
    <div className={styles.trace} role="group" aria-label={errorText.traceback} tabIndex={0}>
      {lines.map((line, index) => (
        <TraceRow key={index} line={line} isHot={line === hot} />
      ))}
    </div>
  );
}

function TraceRow({ line, isHot }: { line: TraceLine; isHot: boolean }) {
  const [isOpen, setOpen] = useState(false);
  if (line.kind === 'text') return <p className={styles.plain}>{line.text}</p>;
  if (line.kind === 'frame') return <FrameRow frame={line} isHot={isHot} />;
  return (
    <>
      <button type="button" className={styles.hidden} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={12} aria-hidden="true" className={isOpen ? styles.turned : undefined} />
        {isOpen ? line.label.replace(/ hidden$/, '') : line.label}
      </button>
      {isOpen && line.frames.map((frame, index) => <FrameRow key={index} frame={frame} isHot={false} />)}
    </>
  );
}

function FrameRow({ frame, isHot }: { frame: Frame; isHot: boolean }) {
  return (
    <p
      className={classes(styles.frame, !frame.isOwn && styles.foreign, isHot && styles.hot)}
      title={`${frame.path}:${frame.line}`}
    >
      {frame.file}:{frame.line} <span className={styles.in}>{errorText.in}</span> {frame.name}
      {frame.code !== null && <span className={styles.code}>{frame.code}</span>}
    </p>
  );
}
