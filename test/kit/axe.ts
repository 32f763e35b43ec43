import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { LaunchedApp } from './launch.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The part of axe's result that is used here. */
interface Verdict {
  violations: { id: string; nodes: { target: unknown[]; html: string }[] }[];
}

/** The rules whose result depends on colours. Everything else that axe checks is the same in both themes. */
const rulesOfColour = ['color-contrast', 'link-in-text-block'];

/** Rules that axe does not run by default: targets are at least 24 px, or as far apart (WCAG 2.2). */
export const targetSize: readonly string[] = ['target-size'];

/**
 * `dark color-contrast at .count: <span …>` for everything that axe finds in the current page: by every rule in the
 * dark theme, and by the colour rules in the light theme. `more`: rules that do not pass everywhere yet.
 */
export async function faults(app: LaunchedApp, page: Page, more: readonly string[] = []): Promise<string[]> {
  const rules = Object.fromEntries(['label-content-name-mismatch', ...more].map((id) => [id, { enabled: true }]));
  const found: string[] = [];
  // In the middle of a change of theme, a colour has the contrast of neither theme.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const theme of ['dark', 'light'] as const) {
    await app.setSystemColorScheme(theme);
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme);
    if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(`${axe}; undefined`);
    const options = { ...(theme === 'dark' ? { rules } : { runOnly: rulesOfColour }), resultTypes: ['violations'] };
    const { violations } = await page.evaluate<Verdict>(`axe.run(document, ${JSON.stringify(options)})`);
    for (const { id, nodes } of violations)
      for (const { target, html } of nodes) found.push(`${theme} ${id} at ${target.join(' ')}: ${html.slice(0, 140)}`);
  }
  return found;
}
