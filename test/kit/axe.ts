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
 * `dark color-contrast at .count: <span …>` for everything that axe finds in the current page, or in what covers it. It
 * runs every rule in the theme that the page has, and the colour rules in the other theme, in which the page stays,
 * because a change of theme costs CPU. `surface` names what is on screen (`surfaces.ts`), if it is one that has to
 * be visited.
 */
export async function faults(app: LaunchedApp, page: Page, surface?: Surface): Promise<string[]> {
  const found: string[] = [];
  const themeNow = (): Promise<string | undefined> => page.evaluate(() => document.documentElement.dataset['theme']);
  const change = async (theme: 'dark' | 'light'): Promise<void> => {
    await app.setSystemColorScheme(theme);
    await expect.poll(themeNow).toBe(theme);
  };
  // In the middle of a change of theme, a colour has the contrast of neither theme.
  if (!(await page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches))) {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    // This may end the theme that the stand-in emulates, and the page learns of that a frame later.
    await change('light');
  }
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(`${axe}; undefined`);
  const isCovered = (await page.locator(covers).count()) > 0;
  const where = isCovered ? JSON.stringify({ include: covers.split(', ').map((one) => [one]) }) : 'document';
  const first = (await themeNow()) === 'dark' ? 'dark' : 'light';
  for (const theme of [first, first === 'dark' ? 'light' : 'dark'] as const) {
    await change(theme);
    const options = { ...(theme === first ? { rules } : { runOnly: rulesOfColour }), resultTypes: ['violations'] };
    const { violations } = await page.evaluate<Verdict>(`axe.run(${where}, ${JSON.stringify(options)})`);
    for (const { id, nodes } of violations)
      for (const { target, html } of nodes) found.push(`${theme} ${id} at ${target.join(' ')}: ${html.slice(0, 140)}`);
  }
  if (surface !== undefined) return found.map((fault) => `${surface}: ${fault}`);
  return found;
}
