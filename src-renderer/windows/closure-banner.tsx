import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import type { Closure } from '../../src-preload/app.ts';
import { endpointName, type Connection } from '../../src-preload/connection.ts';
import { callOrReport } from '../call-or-report.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { whenSentAgain } from '../data/connection-state.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { closureText } from '../data/closures.ts';
import { replaceKey } from '../navigation/connection-actions.ts';
import { commonText } from '../messages/common.ts';
import { bannerText } from '../messages/windows/states.tsx';
import { useFirstLoss } from './use-first-loss.ts';
import styles from './closure-banner.module.css';

/** How many replies are shown. */
const repliesShown = 4;

interface ClosureBannerProps {
  connection: Connection;
  /** At least one. */
  closures: readonly Closure[];
}

/** Names the operations that the service refuses to this key. Everything else continues to work (ruling 35). */
export function ClosureBanner({ connection, closures }: ClosureBannerProps) {
  const [isOpen, setOpen] = useState(false);
  const nowMs = useNow(1_000);
  const isPaused = useSession(({ tracker }) => tracker?.isPaused === true);
  const lossMs = useFirstLoss(connection.id, closures);
  const nameOf = (endpointId: string): string => endpointName(findEndpoint([connection], connection.id, endpointId));
  const banner = closureText(closures, nameOf, { nowMs, lossMs, later: whenSentAgain(connection.state, isPaused) });
  return (
    <Banner
      tone="warning"
      isOpen={isOpen}
      icon={<ShieldAlert />}
      title={banner.title}
      text={
        <>
          {banner.text}
          {isOpen &&
            closures
              .slice(0, repliesShown)
              .map((closure) => <Reply key={`${closure.endpointId} ${closure.operation}`} closure={closure} />)}
        </>
      }
      actions={
        <>
          <Button size="sm" variant="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? bannerText.hideReply : bannerText.showReply}
          </Button>
          <Button size="sm" onClick={() => callOrReport('tracker:tryNow', undefined)}>
            {commonText.tryNow}
          </Button>
          {closures.every(({ httpStatus }) => httpStatus === 401) && (
            <Button size="sm" onClick={() => replaceKey(connection)}>
              {bannerText.replaceKey}
            </Button>
          )}
        </>
      }
    />
  );
}

/** The request line, and the service's own message. */
function Reply({ closure }: { closure: Closure }) {
  return (
    <span className={styles.reply}>
      <b>{closure.httpStatus}</b> {closure.path}
      {closure.serviceSaid === null ? '' : `: ${closure.serviceSaid}`}
    </span>
  );
}
