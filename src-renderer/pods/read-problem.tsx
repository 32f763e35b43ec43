import { CloudOff, KeyRound, Settings, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { useNow } from '../data/use-now.ts';
import { commonText } from '../messages/common.ts';
import { failureTitle, noRestUrlText, readProblemText } from '../messages/pods/reading.tsx';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import styles from './read-problem.module.css';

interface ReadProblemProps {
  failure: Failure;
  atMs: number;
  /** When the shown reading was made. Null if none is shown. */
  readingAtMs: number | null;
  connectionId: string;
  request: string;
  isReading: boolean;
  onRead: () => void;
}

/** Why the last read failed, what is still shown, and what to do next. */
export function ReadProblem({
  failure,
  atMs,
  readingAtMs,
  connectionId,
  request,
  isReading,
  onRead,
}: ReadProblemProps) {
  const [isRawOpen, setRawOpen] = useState(false);
  const heldUntilMs = 'retryAfterMs' in failure && failure.retryAfterMs !== undefined ? atMs + failure.retryAfterMs : 0;
  const nowMs = useNow(1_000);
  const waitMs = Math.max(0, heldUntilMs - nowMs);
  const serviceSaid = 'serviceSaid' in failure ? failure.serviceSaid : undefined;
  const raw = 'rawReply' in failure ? failure.rawReply : undefined;
  const isKeyMatter = failure.kind === 'unauthorized' || failure.kind === 'no-key';
  const icon = isKeyMatter ? (
    <KeyRound />
  ) : failure.kind === 'network' || failure.kind === 'timeout' ? (
    <CloudOff />
  ) : (
    <TriangleAlert />
  );
  return (
    <div className={styles.wrap}>
      <Callout
        tone={
          failure.kind === 'network' || failure.kind === 'timeout' || failure.kind === 'rate-limited'
            ? 'warning'
            : 'error'
        }
        icon={icon}
        title={failureTitle(failure)}
        actions={
          <>
            {isKeyMatter && (
              <Button
                icon={<KeyRound />}
                onClick={() => useSettingsDialog.getState().open('connections', connectionId)}
              >
                {readProblemText.settings}
              </Button>
            )}
            <Button
              disabledReason={
                waitMs > 0 ? readProblemText.notBefore(waitMs) : isReading ? readProblemText.reading : undefined
              }
              onClick={onRead}
            >
              {waitMs > 0 ? readProblemText.readAgainIn(waitMs) : readProblemText.readAgain}
            </Button>
            {raw !== undefined && raw !== '' && (
              <Button variant="ghost" aria-expanded={isRawOpen} onClick={() => setRawOpen(!isRawOpen)}>
                {isRawOpen ? readProblemText.hideReply : readProblemText.showReply}
              </Button>
            )}
          </>
        }
      >
        {/* For a 429 the title and the button say everything, and the button counts down. */}
        {failure.kind !== 'rate-limited' && <p>{failure.message}</p>}
        {serviceSaid !== undefined && <p className={styles.said}>{readProblemText.serviceSaid(serviceSaid)}</p>}
        {readingAtMs !== null && <p>{readProblemText.shownBelow(readingAtMs)}</p>}
        {isRawOpen && (
          <pre className={styles.raw}>
            {request}
            {'\n\n'}
            {raw}
          </pre>
        )}
      </Callout>
    </div>
  );
}

/** Shown for a connection without a REST URL: pods cannot be read through it. */
export function NoRestUrl({ connectionId }: { connectionId: string }) {
  return (
    <div className={styles.wrap}>
      <Callout
        tone="warning"
        icon={<Settings />}
        title={commonText.noRestUrl}
        actions={
          <Button icon={<Settings />} onClick={() => useSettingsDialog.getState().open('connections', connectionId)}>
            {noRestUrlText.add}
          </Button>
        }
      >
        <p>{noRestUrlText.hint}</p>
      </Callout>
    </div>
  );
}
