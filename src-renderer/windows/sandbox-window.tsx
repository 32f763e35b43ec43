import { FlaskConical } from 'lucide-react';
import { callOrReport } from '../call-or-report.ts';
import type { OnlineStatus } from '../data/budget.ts';
import { useSession } from '../data/session-store.ts';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { SandboxPane } from '../sandbox/sandbox-pane.tsx';
import { OwnWindow, WindowContent } from './own-window.tsx';

const openJob = (key: string): void => callOrReport('window:openJob', { key });

const running: OnlineStatus = { word: 'Sandbox running', dot: 'on', isTrouble: false };
const stopped: OnlineStatus = { word: 'Sandbox stopped', dot: 'off', isTrouble: true };

/** A window of its own for the sandbox. */
export function SandboxWindow() {
  const isRunning = useSession((state) => state.sandbox?.isRunning === true);
  return (
    <OwnWindow
      name="Sandbox"
      icon={<FlaskConical />}
      title="Sandbox"
      sandbox="itself"
      online={isRunning ? running : stopped}
    >
      <WindowContent>
        <ErrorBoundary part="The sandbox">
          <SandboxPane isOwnWindow onShowJob={openJob} />
        </ErrorBoundary>
      </WindowContent>
    </OwnWindow>
  );
}
