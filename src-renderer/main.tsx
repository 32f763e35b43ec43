import '@fontsource-variable/inter/opsz.css';
import './design/tokens.css';
import './design/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { listenToBatches } from './batches/batches.ts';
import { showFullText } from './design/full-text.ts';
import { leaveKeysToInputMethod } from './design/keyboard/input-method.ts';
import { keepFocus } from './design/keyboard/keep-focus.ts';
import { followFocus } from './design/keyboard/return-focus.ts';
import { listenToJobs } from './data/jobs-store.ts';
import { listenForStale } from './data/stale-on.ts';
import { listenToSettings } from './data/change-settings.ts';
import { listenToEngine, useSession } from './data/session-store.ts';
import { followTheme } from './data/theme.ts';
import { ErrorBoundary } from './design/error-boundary.tsx';

// The system's theme applies until the settings are read. That takes one call and is over before any content is drawn.
followTheme();
listenToEngine();
listenToSettings();
listenForStale();
listenToJobs();
listenToBatches();
showFullText();
leaveKeysToInputMethod();

const root = document.getElementById('root');
if (root !== null) {
  followFocus(root);
  keepFocus(root);
  const draw = (): void =>
    createRoot(root).render(
      <StrictMode>
        <ErrorBoundary>
          <App />
        </ErrorBoundary>
      </StrictMode>,
    );
  // In another font everything would have another width, and move when this one is here. Without it, that one is used.
  void document.fonts.load('1em "Inter Variable"').then(draw, draw);
  void useSession.getState().load();
}
