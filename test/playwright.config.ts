import { defineConfig } from '@playwright/test';
import { availableParallelism } from 'node:os';
import { findHeadlessShell } from './kit/chromium.ts';
import { defaultKind } from './kit/launch.ts';
import { keepCompiled } from './run/compiled.ts';

keepCompiled();
// The workers inherit it, and so does each app that they start.
const shell = findHeadlessShell();
if (shell !== null) process.env['CHROMIUM_PATH'] ??= shell;

/**
 * Files that take most of a minute. They begin first: if one of them began last, it would keep a worker busy after all
 * others ended.
 */
const longest = [
  'a11y',
  'alerts',
  'bad-day',
  'bad-desktops',
  'desktop',
  'first-job',
  'health',
  'many-jobs',
  'notifications',
  'pod',
  'sandbox-window',
  'sizes',
  'stillness',
  'template',
  'tray',
  'unsettled',
].map((name) => `**/${name}.spec.ts`);

const report = process.env['JOBDECK_E2E_REPORT'];

/** End-to-end specs: the built app, real windows in real Chromium. Nothing is retried: a spec that fails has failed. */
export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'long', testMatch: longest },
    { name: 'short', testIgnore: longest },
  ],
  outputDir: '../test-results',
  // One more than there are cores: a spec mostly waits for what the app polls. Electron's windows share one desktop:
  // its focus, its clipboard, its global shortcuts.
  workers: defaultKind() === 'electron' ? 1 : Math.min(availableParallelism() + 1, 4),
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  // Both only end what hangs. The longest test takes a minute on two quiet cores, and twice that on busy ones; how fast
  // the windows are is measured by the benches.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ...(report === undefined ? [] : [['json', { outputFile: report }] as const])],
});
