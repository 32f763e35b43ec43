import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { Result } from '../../src-preload/failure.ts';
import type { BodyText } from '../../src-preload/history.ts';
import { isExternal, missingInputReason, type Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { FindButton } from '../design/find-button.tsx';
import { formatBytes } from '../../src-preload/format.ts';
import { SkeletonRows } from '../design/skeleton.tsx';
import { useCommandKey } from '../design/keyboard/use-keys.ts';
import { JsonView } from '../json/json-view.tsx';
import { inputText } from '../messages/job/pane.ts';
import { openInputInEditor } from './output/whole-output.ts';
import { PartProblem } from './part-problem.tsx';
import { useBody, type Body } from './use-body.ts';
import { Button } from '../design/button.tsx';
import { cutText } from '../messages/job/output.ts';
import paneStyles from './job-pane.module.css';
import styles from './output/output-tab.module.css';

/** Copies the whole input to the clipboard, even if only its beginning is shown. */
async function copyInput(key: string, body: BodyText): Promise<Result<null>> {
  if (!body.isCut) return call('app:copyText', { text: body.text });
  const whole = await call('job:body', { key, part: 'input', attempt: null, isWhole: true });
  return whole.ok ? call('app:copyText', { text: whole.value.text }) : whole;
}

/** The input as it was submitted, read-only. */
export function InputTab({ job }: { job: Job }) {
  const input = useBody({ key: job.key, part: 'input', attempt: null, isWanted: missingInputReason(job) === null });
  const [isFinding, setFinding] = useState(false);
  const [choiceAt, setChoiceAt] = useState<HTMLElement | null>(null);
  useCommandKey('f', input.current.state === 'ready', () => setFinding(true));
  if (input.current.state === 'loading') return <SkeletonRows count={5} height={30} />;
  if (input.current.state === 'failed')
    return <PartProblem title={inputText.notRead} failure={input.current.failure} onRetry={input.retry} />;
  if (job.inputForgottenAtMs !== undefined && input.current.state === 'absent')
    return (
      <div className={paneStyles.empty}>
        <h2>{inputText.deletedTitle}</h2>
        <p>{inputText.deleted(job.inputForgottenAtMs)}</p>
      </div>
    );
  if (input.current.state === 'absent')
    return (
      <PartProblem
        title={inputText.notSaved}
        text={isExternal(job) ? inputText.external : inputText.damaged}
        onRetry={input.retry}
      />
    );
  const { body } = input.current;
  return (
    <>
      <div className={styles.toolbar}>
        <span className="micro t2">{inputText.asSubmitted}</span>
        <span className={styles.caption}>{formatBytes(body.bytes)}</span>
        <div className={styles.choice} ref={setChoiceAt} />
        <span className={styles.gap} />
        <FindButton label={inputText.find} isOn={isFinding} onChange={setFinding} />
        <CopyButton label={inputText.copy} copy={() => copyInput(job.key, body)} />
        <IconButton
          label={inputText.openInEditor}
          size="sm"
          hasSmallGlyph
          icon={<ExternalLink />}
          onClick={() => void openInputInEditor(job)}
        />
      </div>
      <JsonView
        text={body.text}
        label={inputText.input}
        endpointId={job.endpointId}
        isFinding={isFinding}
        onFindEnd={() => setFinding(false)}
        choiceAt={choiceAt}
      />
      <CutNote text={body} body={input} />
    </>
  );
}

/** How much of a body is shown, with a button that shows all of it. Nothing if that is the whole body. */
export function CutNote({
  text,
  body: { isLoadingRest, loadWhole },
}: {
  text: BodyText;
  body: Pick<Body, 'isLoadingRest' | 'loadWhole'>;
}) {
  if (!text.isCut) return null;
  return (
    <div className={styles.cut}>
      <span>{cutText.first(text.text.length, text.bytes)}</span>
      <Button size="sm" disabled={isLoadingRest} onClick={loadWhole}>
        {isLoadingRest ? cutText.reading : cutText.showAll}
      </Button>
    </div>
  );
}
