import { KeyRound } from 'lucide-react';
import type { Connection } from '../../src-preload/connection.ts';
import { callOrReport } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { replaceKey, sendOtherForm } from '../navigation/connection-actions.ts';
import { useNow } from '../data/use-now.ts';
import { commonText } from '../messages/common.ts';
import { triedText } from '../messages/data/closures.ts';
import { keyRefusedText } from '../messages/jobs/list.ts';
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
      <h2 className={styles.title}>{keyRefusedText.title(connection.name)}</h2>
      <p className={styles.request}>{keyRefusedText.request(connection.state.path, connection.state.httpStatus)}</p>
      <p className={styles.text}>
        {keyRefusedText.meaning} {triedText(connection.state.nextTryMs, nowMs, null)}
      </p>
      <div className={styles.actions}>
        <Button variant="primary" size="lg" onClick={() => replaceKey(connection)}>
          {keyRefusedText.replaceKey}
        </Button>
        <Button size="lg" onClick={() => callOrReport('tracker:tryNow', undefined)}>
          {commonText.tryNow}
        </Button>
        <Button variant="ghost" size="lg" onClick={() => void sendOtherForm(connection)}>
          {connection.authorization === 'bearer' ? keyRefusedText.sendBare : keyRefusedText.sendAsBearer}
        </Button>
      </div>
    </div>
  );
}
