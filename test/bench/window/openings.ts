import type { Page } from '@playwright/test';
import { timeToPaint, type Wanted } from '../../kit/paint-timer.ts';

interface Opening {
  name: string;
  wanted: Wanted;
  /** The presses that lead there. Only the last one is timed. */
  presses: readonly string[];
  /** What is done before, and not timed. */
  before?: (page: Page) => Promise<void>;
  /** Back to the list. */
  leave: (page: Page) => Promise<void>;
}

const inDialog = (pattern: string): Wanted => ({ selector: '[role="dialog"][data-open]', pattern });
const inPane = (pattern: string): Wanted => ({ selector: 'main', pattern });

/** `@name`: a click on the button of this name. Anything else is a key. */
async function press(page: Page, what: string): Promise<void> {
  if (what.startsWith('@'))
    await page
      .getByRole('button', { name: what.slice(1) })
      .first()
      .click();
  else await page.keyboard.press(what);
}

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('[role="dialog"][data-open]').waitFor({ state: 'detached' });
}

async function toList(page: Page): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.getByRole('option').first().waitFor();
}

async function pickTwo(page: Page): Promise<void> {
  await toList(page);
  await page
    .getByRole('option')
    .nth(0)
    .click({ modifiers: ['ControlOrMeta'] });
  await page
    .getByRole('option')
    .nth(1)
    .click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('toolbar', { name: '2 selected' }).waitFor();
}

async function leaveComparison(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Escape');
}

/** What a press opens, each for the first time since the start, in an order in which none brings the code of another. */
const openings: readonly Opening[] = [
  { name: 'composer', presses: ['n'], wanted: inDialog('Submit job'), leave: closeDialog },
  {
    name: 'palette',
    presses: ['ControlOrMeta+k'],
    wanted: { selector: '[role="dialog"] [role="option"]' },
    leave: closeDialog,
  },
  { name: 'settings', presses: ['ControlOrMeta+,'], wanted: inDialog('Preferences'), leave: closeDialog },
  { name: 'shortcuts', presses: ['?'], wanted: inDialog('Keyboard shortcuts'), leave: closeDialog },
  {
    name: 'notifications',
    presses: ['@Notifications'],
    wanted: { selector: 'aside[aria-label="Notifications"] [role="group"]', pattern: '\\S' },
    leave: (page) => press(page, '@Notifications'),
  },
  {
    name: 'tags',
    presses: ['t'],
    before: (page) => page.getByRole('option').first().click(),
    wanted: inDialog('Tags'),
    leave: closeDialog,
  },
  { name: 'health', presses: ['g', 'h'], wanted: inPane('Workers running'), leave: toList },
  {
    name: 'health of an endpoint',
    presses: ['g', 'h'],
    before: (page) => page.getByRole('button', { name: 'echo' }).first().click(),
    wanted: inPane('Workers running'),
    leave: toList,
  },
  { name: 'failures', presses: ['g', 'e'], wanted: inPane('Total pixels'), leave: toList },
  { name: 'pods', presses: ['g', 'p'], wanted: inPane('[Pp]od'), leave: toList },
  { name: 'templates', presses: ['g', 't'], wanted: inPane('[Tt]emplate'), leave: toList },
  { name: 'bin', presses: ['g', 'x'], wanted: inPane('No deleted jobs'), leave: toList },
  { name: 'sandbox', presses: ['g', 'b'], wanted: inPane('Built-in sandbox'), leave: toList },
  {
    name: 'comparison',
    presses: ['c'],
    before: pickTwo,
    wanted: { selector: '[aria-label="Compared jobs"]' },
    leave: leaveComparison,
  },
];

/** The names of the figures. */
export const openingNames: readonly string[] = openings.map(({ name }) => name);

/** Opens everything once. `open` resolves with the milliseconds from the press to the frame that shows it. */
export async function eachOpening(
  page: Page,
  measure: (name: string, open: () => Promise<number>) => Promise<void>,
): Promise<void> {
  for (const { name, presses, wanted, before, leave } of openings) {
    await before?.(page);
    const last = presses.at(-1) ?? '';
    await measure(name, async () => {
      for (const one of presses.slice(0, -1)) await press(page, one);
      return timeToPaint(page, wanted, () => press(page, last));
    });
    await leave(page);
  }
}
