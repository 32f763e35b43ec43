import { FlaskConical } from 'lucide-react';
import { callOrReport } from '../call-or-report.ts';
import type { OnlineStatus } from '../data/budget.ts';
import { plainScope } from '../commands/scope.ts';
import { sandboxSection } from '../commands/window-sections.tsx';
import { useSession } from '../data/session-store.ts';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { commonText } from '../messages/common.ts';
import { paneParts } from '../messages/windows/main-window.ts';
import { sandboxWindowText } from '../messages/windows/secondary-windows.ts';
import { SandboxPane } from '../sandbox/sandbox-pane.tsx';
import { SecondaryWindow, WindowContent } from './secondary-window.tsx';

const openJob = (key: string): void => callOrReport('window:openJob', { key });

const running: OnlineStatus = { word: sandboxWindowText.running, dot: 'on', isTrouble: false };
const stopped: OnlineStatus = { word: sandboxWindowText.stopped, dot: 'off', isTrouble: true };

/** A window of its own for the sandbox. */
export function SandboxWindow() {
  const isRunning = useSession((state) => state.sandbox?.isRunning === true);
  const connection = useSession(({ connections }) => connections.find(({ isSandbox }) => isSandbox) ?? null);
  return (
    <SecondaryWindow
      name={commonText.sandbox}
      icon={<FlaskConical />}
      title={commonText.sandbox}
      sandbox="itself"
      online={isRunning ? running : stopped}
      scope={plainScope(connection, sandboxSection)}
    >
      <WindowContent>
        <ErrorBoundary part={paneParts.sandbox}>
          <SandboxPane isSecondaryWindow onShowJob={openJob} />
        </ErrorBoundary>
      </WindowContent>
    </SecondaryWindow>
  );
}
