import { useEffect } from 'react';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { ProblemBanner } from '../design/banner.tsx';
import { Tabs } from '../design/tabs.tsx';
import { useSession } from '../data/session-store.ts';
import { commonText } from '../messages/common.ts';
import { printedPaneText } from '../messages/printed.ts';
import { sandboxText } from '../messages/sandbox/pane.ts';
import { PaneSplit } from '../navigation/pane-split.tsx';
import { EndpointsCard } from './endpoints-card.tsx';
import { FaultsCard } from './faults-card.tsx';
import { PaneHead } from './pane-head.tsx';
import { RequestsView } from './requests-view.tsx';
import { watchPrinted } from './printed-store.ts';
import { PrintedView } from './printed-view.tsx';
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
  useEffect(watchPrinted, []);
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
        left={<Views sandbox={sandbox} onShowJob={onShowJob} />}
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

/** What clients ask of the sandbox, and what its handlers print. */
function Views({ sandbox, onShowJob }: { sandbox: SandboxState; onShowJob: (key: string) => void }) {
  const view = useSandbox((state) => state.view);
  const setView = useSandbox((state) => state.setView);
  return (
    <div className={styles.views}>
      <Tabs
        label={printedPaneText.views}
        value={view}
        tabs={[
          { value: 'requests', label: printedPaneText.requests },
          { value: 'printed', label: printedPaneText.printed },
        ]}
        onChange={setView}
        listClassName={styles.tabs}
        panelClassName={styles.panel}
      >
        {view === 'requests' ? (
          <RequestsView sandbox={sandbox} onShowJob={onShowJob} />
        ) : (
          <PrintedView sandbox={sandbox} onShowJob={onShowJob} />
        )}
      </Tabs>
    </div>
  );
}
