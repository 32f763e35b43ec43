import { CSPProvider } from '@base-ui/react/csp-provider';
import { Suspense, lazy, useEffect, useState } from 'react';
import { lazyPart, useOnce } from './design/lazy-part.ts';
import { Toasts } from './design/toast.tsx';
import { TooltipProvider } from './design/tooltip.tsx';
import { isFirstRun, useSession } from './data/session-store.ts';
import { useComposerRequest } from './navigation/open-requests.ts';
import { useSettingsDialog } from './navigation/settings-dialog-store.ts';
import { DefectPage, ErrorBoundary } from './design/error-boundary.tsx';
import { MainWindow } from './windows/main-window.tsx';
import { PreparationPage } from './windows/preparation-page.tsx';
import { openRoute, type WindowKind } from './navigation/route.ts';
import { overlayText } from './messages/design.ts';

// What is not on the first screen loads when it is first needed. The editor is by far the largest part.
const ComposerOverlay = lazyPart(async () => (await import('./windows/composer-overlay.tsx')).ComposerOverlay);
const SettingsDialog = lazyPart(async () => (await import('./settings/settings-dialog.tsx')).SettingsDialog);
const JobWindow = lazy(async () => ({ default: (await import('./windows/job-window.tsx')).JobWindow }));
const SandboxWindow = lazy(async () => ({ default: (await import('./windows/sandbox-window.tsx')).SandboxWindow }));
const TrayWindow = lazy(async () => ({ default: (await import('./windows/tray-window.tsx')).TrayWindow }));
const HealthWindow = lazy(async () => ({ default: (await import('./windows/health-window.tsx')).HealthWindow }));
const PodWindow = lazy(async () => ({ default: (await import('./windows/pod-window.tsx')).PodWindow }));
const TemplateWindow = lazy(async () => ({
  default: (await import('./windows/template-window.tsx')).TemplateWindow,
}));
const Onboarding = lazy(async () => ({ default: (await import('./windows/onboarding.tsx')).Onboarding }));

/** The window by its route, and what may cover any window. */
export function App() {
  const [route] = useState(() => openRoute(window.location.hash.slice(1)));
  const isLoaded = useSession((state) => state.isLoaded);
  const preparation = useSession((state) => state.preparation);
  const problem = useSession((state) => state.problem);
  const isNew = useSession(isFirstRun);
  const isOnboarding = (route.kind === 'main' || route.kind === 'onboarding') && isNew;
  useEffect(() => {
    // With a connection this is the main window, and its address says so.
    if (isLoaded && !isOnboarding && route.kind === 'onboarding') history.replaceState(null, '', '#/');
  }, [isLoaded, isOnboarding, route]);
  if (!isLoaded) return preparation === null ? null : <PreparationPage preparation={preparation} />;
  // Without an engine there is nothing to draw.
  if (problem !== null) return <DefectPage detail={problem.message} />;

  return (
    <CSPProvider disableStyleElements>
      <TooltipProvider>
        <Content route={route} isOnboarding={isOnboarding} />
        <Overlays />
        <Toasts />
      </TooltipProvider>
    </CSPProvider>
  );
}

function Content({ route, isOnboarding }: { route: WindowKind; isOnboarding: boolean }) {
  if (route.kind === 'job')
    return (
      <Suspense fallback={null}>
        <JobWindow jobKey={route.jobKey} />
      </Suspense>
    );
  if (route.kind === 'tray')
    return (
      <Suspense fallback={null}>
        <TrayWindow />
      </Suspense>
    );
  if (route.kind === 'sandbox')
    return (
      <Suspense fallback={null}>
        <SandboxWindow />
      </Suspense>
    );
  if (route.kind === 'health')
    return (
      <Suspense fallback={null}>
        <HealthWindow connectionId={route.connectionId} endpointId={route.endpointId} />
      </Suspense>
    );
  if (route.kind === 'pod')
    return (
      <Suspense fallback={null}>
        <PodWindow connectionId={route.connectionId} podId={route.id} />
      </Suspense>
    );
  if (route.kind === 'template')
    return (
      <Suspense fallback={null}>
        <TemplateWindow connectionId={route.connectionId} templateId={route.id} />
      </Suspense>
    );
  return isOnboarding ? (
    <Suspense fallback={null}>
      <Onboarding />
    </Suspense>
  ) : (
    <MainWindow />
  );
}

/**
 * Composer and settings, after they were first opened. They stay mounted, so that closing them keeps what was entered.
 */
function Overlays() {
  const wantsComposer = useOnce(useComposerRequest((state) => state.request !== null));
  const wantsSettings = useOnce(useSettingsDialog((state) => state.isOpen));
  return (
    <Suspense fallback={null}>
      {wantsComposer && (
        <ErrorBoundary part={overlayText.composer}>
          <ComposerOverlay />
        </ErrorBoundary>
      )}
      {wantsSettings && (
        <ErrorBoundary part={overlayText.settings}>
          <SettingsDialog />
        </ErrorBoundary>
      )}
    </Suspense>
  );
}
