import { connectionMenuText } from './main-window.ts';

/** The first run. */
export const onboardingText = {
  title: 'Where do your jobs run?',
  hint: 'Add more connections later. Each keeps its own history on this computer.',
  historyStaysHere: 'History stays on this computer',
  restoreBackup: 'Restore a backup',
  shortcuts: 'Keyboard shortcuts',
};

/** The card that starts the built-in sandbox. */
export const trySandboxText = {
  title: 'Try it now with the built-in sandbox',
  hint: 'A small copy of the service runs inside Jobdeck. No account and no network.',
  endpoints: 'Streamed text, images, and your own handlers',
  states: 'Real job states, limits, ttl and retention',
  failures: 'Failures and crashes on demand',
  isStarting: 'The sandbox is starting',
  open: connectionMenuText.openSandbox,
};

/** The card that connects to a service. */
export const connectText = {
  title: 'Connect to your service',
  hint: 'You can change all of this in Settings.',
  connect: 'Connect',
};

/** The jobs in the picture of the list. */
export const previewText = {
  summary: 'Summarise 40 release notes',
  harbour: 'Harbour at dusk, 4 × 1024',
  podcast: 'podcast-ep-12.mp3, 48:20, en',
  invoices: 'Extract line items from 60 invoices',
  handbook: 'handbook.pdf, page 91',
  translation: 'Translate 400 pages to French',
  poster: 'Upscale poster-07, 4×',
  waiting: 'waiting',
};
