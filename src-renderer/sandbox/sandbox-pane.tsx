import { useEffect } from 'react';
import { ProblemBanner } from '../design/banner.tsx';
import { useSession } from '../data/session-store.ts';
import { commonText } from '../messages/common.ts';
import { sandboxText } from '../messages/sandbox/pane.ts';
import { PaneSplit } from '../navigation/pane-split.tsx';
import { EndpointsCard } from './endpoints-card.tsx';
import { FaultsCard } from './faults-card.tsx';
import { PaneHead } from './pane-head.tsx';
import { RequestsView } from './requests-view.tsx';
import { useSandbox, watchSandbox } from './sandbox-store.ts';
import { SpeedCard } from './speed-card.tsx';
import styles from './sandbox-pane.module.css';

export interface SandboxPaneProps {
  /** The pane is in a window of its own, so it has no button to open one. */
  isSecondaryWindow?: boolean;
  /** Shows a job in this window's list, or in a window of its own. */
  onShowJob: (key: string) => void;
  /** Called on Escape when there is nothing left to clear. */
  onLeave?: () => void;
}

/** The built-in sandbox: its requests as they come, and its settings. */
export function SandboxPane({ isSecondaryWindow = false, onShowJob, onLeave }: SandboxPaneProps) {
  useEffect(watchSandbox, []);
  const sandbox = useSession((state) => state.sandbox);
  const problem = useSandbox((state) => state.problem);
  const dismissProblem = useSandbox((state) => state.dismissProblem);
  if (sandbox === null) return null;
  return (
    <section
      className={styles.pane}
      aria-label={commonText.sandbox}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onLeave?.();
      }}
    >
      <PaneHead sandbox={sandbox} isSecondaryWindow={isSecondaryWindow} />
      <ProblemBanner problem={problem} onDismiss={dismissProblem} />
      <PaneSplit
        pane="sandboxSettings"
        className={styles.parts}
        edgeClass={styles.edge}
        left={<RequestsView sandbox={sandbox} onShowJob={onShowJob} />}
        right={
          <aside className={styles.side} aria-label={sandboxText.settings}>
            <SpeedCard sandbox={sandbox} />
            <FaultsCard sandbox={sandbox} />
            <EndpointsCard sandbox={sandbox} />
          </aside>
        }
      />
    </section>
  );
}
