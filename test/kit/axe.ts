import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { LaunchedApp } from './launch.ts';
import type { Surface } from './surfaces.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The part of axe's result that is used here. */
interface Verdict {
  violations: { id: string; nodes: { target: unknown[]; html: string }[] }[];
}

/** The rules whose result depends on colours. Everything else that axe checks is the same in both themes. */
const rulesOfColour = ['color-contrast', 'link-in-text-block'];

/** Rules that axe leaves off without being asked. WCAG 2.2: targets of at least 24 px, or as far apart. */
const rules = { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } };

/**
 * What lies over a window and has the keyboard. What is under it was checked while nothing covered it, and rules about
 * a whole page do not apply to it.
 */
const covers =
  '[role="dialog"][data-open], [role="alertdialog"][data-open], [role="menu"][data-open], [data-open] [role="listbox"]';

/**
 * `dark color-contrast at .count: <span …>` for everything that axe finds in the current page, or in what covers it: by
 * every rule in the dark theme, and by the colour rules in the light theme. `surface` names what is on screen
 * (`surfaces.ts`), if it is one that has to be visited.
 */
export async function faults(app: LaunchedApp, page: Page, surface?: Surface): Promise<string[]> {
  const found: string[] = [];
  // In the middle of a change of theme, a colour has the contrast of neither theme.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(`${axe}; undefined`);
  const isCovered = (await page.locator(covers).count()) > 0;
  const where = isCovered ? JSON.stringify({ include: covers.split(', ').map((one) => [one]) }) : 'document';
  for (const theme of ['dark', 'light'] as const) {
    await app.setSystemColorScheme(theme);
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme);
    const options = { ...(theme === 'dark' ? { rules } : { runOnly: rulesOfColour }), resultTypes: ['violations'] };
    const { violations } = await page.evaluate<Verdict>(`axe.run(${where}, ${JSON.stringify(options)})`);
    for (const { id, nodes } of violations)
      for (const { target, html } of nodes) found.push(`${theme} ${id} at ${target.join(' ')}: ${html.slice(0, 140)}`);
  }
  if (surface !== undefined) return found.map((fault) => `${surface}: ${fault}`);
  return found;
}
