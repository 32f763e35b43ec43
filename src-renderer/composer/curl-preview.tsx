import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useId, useState, type ReactElement } from 'react';
import type { Result } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { classes } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { curlText } from '../messages/composer/input.ts';
import { toSubmission, type DraftCheck } from './draft-check.ts';
import type { ComposerDraft } from './composer-draft.ts';
import styles from './curl-preview.module.css';

const settleMs = 250;
/** A long body is cut in the preview. Copying always takes the whole command. */
const shownChars = 600;

interface CurlPreviewProps {
  draft: ComposerDraft;
  check: DraftCheck;
  /** Which of the inputs that the variables make is shown, from 0. */
  index: number;
  onIndex: (index: number) => void;
}

/** In a lower window the command is folded unless the user opens it, because the input needs the room. */
const roomyPx = 720;

/** The request as a curl command. The key is written as $JOBDECK_KEY. It can be folded, and stays like that. */
export function CurlPreview({ draft, check, index, onIndex }: CurlPreviewProps): ReactElement {
  const isShown = useSession((state) => state.settings.isCurlShown) ?? window.innerHeight >= roomyPx;
  const [last, setLast] = useState<MadeCommand | null>(null);
  const codeId = useId();
  const isReady = check.problems.length === 0;
  // What was made before an error is not what the user has now, however briefly.
  if (!isReady && last !== null) setLast(null);
  const made = commandOf(last, { draft, check, index });
  useEffect(() => {
    if (!isReady || !isShown) return;
    let isStale = false;
    const timer = setTimeout(async () => {
      // Not cached by its input, which may have megabytes.
      const answer = await call('job:curl', { draft: toSubmission(draft, check, index) });
      if (!isStale) setLast({ draft, check, index, answer });
    }, settleMs);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [draft, check, isReady, isShown, index]);
  return (
    <section className={styles.box} aria-label={curlText.title}>
      <div className={styles.head}>
        <button
          type="button"
          className={styles.fold}
          aria-expanded={isShown}
          aria-controls={codeId}
          onClick={() => void chooseSettings({ isCurlShown: !isShown })}
        >
          <ChevronRight size={14} strokeWidth={1.75} aria-hidden />
          {curlText.title}
        </button>
        {isShown && <span className={styles.quiet}>{curlText.withoutKey}</span>}
        <span className={styles.grow} />
        {check.plan.jobs > 1 && isReady && <Pager jobs={check.plan.jobs} index={index} onIndex={onIndex} />}
        <CopyButton
          label={curlText.copy}
          copy={() => copyCommand({ draft, check, index })}
          disabledReason={
            isShown && made?.answer.ok === false ? made.answer.failure.message : isReady ? undefined : curlText.fixFirst
          }
        />
      </div>
      <pre
        id={codeId}
        hidden={!isShown}
        tabIndex={0}
        aria-busy={isReady && made?.isOld !== false}
        className={classes(styles.code, (!isReady || made?.isOld !== false) && styles.waiting)}
      >
        {!isReady ? curlText.fixAbove : made === null ? curlText.pending : shownText(made.answer)}
      </pre>
    </section>
  );
}

interface CommandOf {
  draft: ComposerDraft;
  check: DraftCheck;
  index: number;
}

interface MadeCommand extends CommandOf {
  answer: Result<{ command: string }>;
}

/** Copies the whole command. If it cannot be made, the clipboard stays as it is. */
export async function copyCommand({ draft, check, index }: CommandOf): Promise<Result<null>> {
  const made = await call('job:curl', { draft: toSubmission(draft, check, index) });
  return made.ok ? call('app:copyText', { text: made.value.command }) : made;
}

/**
 * The command that was made last. `isOld`: of the input before a change, so it is dimmed until the new one is here.
 * Null for another endpoint or another of the variables' inputs. Pure.
 */
export function commandOf(
  last: MadeCommand | null,
  now: CommandOf,
): (Pick<MadeCommand, 'answer'> & { isOld: boolean }) | null {
  if (last === null || last.index !== now.index) return null;
  if (last.draft.connectionId !== now.draft.connectionId || last.draft.endpointId !== now.draft.endpointId) return null;
  return { answer: last.answer, isOld: last.draft !== now.draft || last.check !== now.check };
}

function shownText(made: Result<{ command: string }>): string {
  if (!made.ok) return made.failure.message;
  const { command } = made.value;
  return command.length > shownChars ? `${command.slice(0, shownChars)} …` : command;
}

/** Steps through the inputs that the variables make. */
function Pager({
  jobs,
  index,
  onIndex,
}: {
  jobs: number;
  index: number;
  onIndex: (index: number) => void;
}): ReactElement {
  return (
    <>
      <span className={styles.quiet} role="status">
        {curlText.job(index, jobs)}
      </span>
      <IconButton
        size="sm"
        label={curlText.previous}
        icon={<ChevronLeft size={14} strokeWidth={1.75} />}
        onClick={() => onIndex((index + jobs - 1) % jobs)}
      />
      <IconButton
        size="sm"
        label={curlText.next}
        icon={<ChevronRight size={14} strokeWidth={1.75} />}
        onClick={() => onIndex((index + 1) % jobs)}
      />
    </>
  );
}
