import { KeyRound } from 'lucide-react';
import type { Connection } from '../../src-preload/connection.ts';
import { callOrReport } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { replaceKey, sendOtherForm } from '../navigation/connection-actions.ts';
import { useNow } from '../data/session-store.ts';
import { triedText } from '../data/closures.ts';
import styles from './key-refused.module.css';

/** The pane for a refused key while there are no jobs. With jobs, a banner is shown instead. */
export function KeyRefused({ connection }: { connection: Connection }) {
  const nowMs = useNow(1_000);
  if (connection.state.kind !== 'key-refused') return null;
  return (
    <div className={styles.pane} role="alert">
      <span className={styles.icon}>
        <KeyRound size={20} />
      </span>
      <h2 className={styles.title}>The key for {connection.name} was refused</h2>
      <p className={styles.request}>
        {connection.state.path}&nbsp; {connection.state.httpStatus}
      </p>
      <p className={styles.text}>
        It may be wrong, not allowed on these endpoints, or refused only temporarily. Meanwhile Jobdeck reads and sends
        nothing on this connection; history and outbox are safe. {triedText(connection.state.nextTryMs, nowMs, null)}
      </p>
      <div className={styles.actions}>
        <Button variant="primary" size="lg" onClick={() => replaceKey(connection)}>
          Replace key
        </Button>
        <Button size="lg" onClick={() => callOrReport('tracker:tryNow', undefined)}>
          Try now
        </Button>
        <Button variant="ghost" size="lg" onClick={() => void sendOtherForm(connection)}>
          {connection.authorization === 'bearer' ? 'Send as bare key' : 'Send as Bearer'}
        </Button>
      </div>
    </div>
  );
}
