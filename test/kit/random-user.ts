import type { Locator, Page } from '@playwright/test';
import { faults } from './axe.ts';
import type { LaunchedApp } from './launch.ts';

/** Returns a number from 0 to below 1. */
type Random = () => number;

const commands = (
  'j k Enter Escape ArrowDown ArrowUp ArrowLeft ArrowRight Tab Shift+Tab Space Home End PageDown Delete Backspace ' +
  'n / ? g a h p t f s e r c x m l d 1 2 3 4 5 [ ] . , v y u i o z b F2 F8 Shift+F10 Shift+ArrowDown Control+k ' +
  'Control+, Control+f Control+z Control+Enter Control+a Control+c Control+b Control+Shift+v Control+1 Control+2'
).split(' ');
const panes = ['a', 'e', 'f', 'h', 'p', 's', 't'];
const texts = [
  'echo',
  'status:failed',
  '-tag:',
  'after:',
  '"exact',
  'took>3',
  '{{seed}}',
  '{"prompt": "a"}',
  '\u{1f600}\u{e9}',
  'https://example.test',
  '1e9',
  '-5',
  'a'.repeat(300),
  '\u202eabc',
];
const sizes = [
  { width: 900, height: 600 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
];
/** What would end the test, or what it needs. */
const left = /quit|close window|^close$|minimi[sz]e|maximi[sz]e|remove connection/i;
const controls = [
  'button',
  'input',
  'textarea',
  'a',
  ...['menuitem', 'menuitemradio', 'option', 'tab', 'switch', 'combobox'].map((role) => `[role=${role}]`),
]
  .map((selector) => `${selector}:visible`)
  .join(', ');

/** Presses, clicks and types at random, as somebody would who has never seen the window. The same seed does the same. */
export interface RandomUser {
  /** Does one thing in one of the windows. Returns what it was, in a few words. */
  act: () => Promise<string>;
  /** What is wrong now: errors since the last call, and what can be seen. */
  findings: () => Promise<string[]>;
  /** What axe finds in the main window now. */
  inaccessible: () => Promise<string[]>;
}

/** A user of a running app, who begins in its main window. */
export function createRandomUser(app: LaunchedApp, main: Page, random: Random): RandomUser {
  const errors: string[] = [];
  const watched = new Set<Page>();
  const watch = (page: Page): void => {
    if (watched.has(page)) return;
    watched.add(page);
    page.on('pageerror', (error) => errors.push(`error in a window: ${error.stack ?? error.message}`));
    page.on('crash', () => errors.push('a window crashed'));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        errors.push(`${message.type()} of a window: ${message.text()}`);
    });
  };
  const oneOf = <T>(all: readonly T[], other: T): T => all[Math.floor(random() * all.length)] ?? other;

  async function act(): Promise<string> {
    const pages = app.windows().filter((page) => !page.isClosed() && !page.url().includes('tray'));
    pages.forEach(watch);
    const page = random() < 0.75 ? main : oneOf(pages, main);
    const kind = random();
    try {
      if (kind < 0.35) return await press(page, oneOf(commands, 'Escape'));
      if (kind < 0.45) return await type(page, oneOf(texts, ''));
      if (kind < 0.9) return await click(await scopeOf(page, random), random);
      if (kind < 0.93) return await goTo(main, oneOf(panes, 'a'));
      if (kind < 0.95 && page === main) return await resize(main, oneOf(sizes, { width: 1440, height: 900 }));
      await page.mouse.wheel(0, (random() - 0.5) * 3_000);
      return 'wheel';
    } catch (error) {
      // The control went, or something lies over it, which a person would see.
      if (error instanceof Error && /Timeout|intercepts|detached|has been closed/.test(error.message)) return 'nothing';
      throw error;
    }
  }

  return {
    act,
    findings: async () => {
      const seen = main.isClosed() ? ['the main window is closed'] : await main.evaluate(oddThings);
      return [...errors.splice(0), ...seen];
    },
    inaccessible: async () => {
      await main.evaluate(() => window.bridge?.call('settings:change', { theme: 'system' }));
      const found = await faults(app, main);
      // A tooltip is in no landmark, and what a fixed bar covers can be scrolled from under it.
      return found.filter((fault) => !/ (?:region|target-size) at /.test(fault));
    },
  };
}

async function press(page: Page, key: string): Promise<string> {
  await page.keyboard.press(key);
  return `press ${key}`;
}

async function goTo(main: Page, pane: string): Promise<string> {
  for (const key of ['Escape', 'Escape', 'g', pane]) await main.keyboard.press(key);
  return `go to ${pane}`;
}

async function resize(main: Page, size: { width: number; height: number }): Promise<string> {
  await main.setViewportSize(size);
  return `${size.width} x ${size.height}`;
}

async function type(page: Page, text: string): Promise<string> {
  const isField = await page.evaluate(() => {
    const focused = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
    return focused instanceof HTMLElement && (focused.isContentEditable || focused.matches('input, textarea'));
  });
  if (!isField) return 'nothing';
  await page.keyboard.insertText(text);
  return `type ${text.slice(0, 30)}`;
}

/** Usually what lies over the window: a menu, or else a dialog. */
async function scopeOf(page: Page, random: Random): Promise<Locator> {
  const menus = page.locator('[role=menu]:visible, [role=listbox]:visible:not([data-job-list])');
  if (random() < 0.85 && (await menus.count()) > 0) return menus.last();
  const dialogs = page.locator('[role=dialog]:visible, [role=alertdialog]:visible');
  if (random() < 0.9 && (await dialogs.count()) > 0) return dialogs.last();
  return page.locator('body');
}

async function click(scope: Locator, random: Random): Promise<string> {
  const all = scope.locator(controls);
  const count = await all.count();
  if (count === 0) return 'nothing';
  const target = all.nth(Math.floor(random() * count));
  const timeout = 600;
  const name = (await target.getAttribute('aria-label', { timeout })) ?? (await target.textContent({ timeout })) ?? '';
  if (left.test(name)) return 'nothing';
  const button = random() < 0.12 ? 'right' : 'left';
  await target.click({ timeout, button, clickCount: random() < 0.08 ? 2 : 1 });
  return `${button} click on ${name.slice(0, 60)}`;
}

/** Runs in the window: signs of a fault that can be read or measured. */
function oddThings(): string[] {
  const text = document.body.innerText;
  const root = document.documentElement;
  return [
    ...[...text.matchAll(/.{0,60}(?:\bundefined\b|\bNaN\b|\[object |Invalid Date|\bInfinity\b).{0,40}/g)].map(
      ([found]) => `words of a fault: ${found}`,
    ),
    ...[...text.matchAll(/Could not show .*|This card crashed.*/g)].map(([found]) => `a part crashed: ${found}`),
    ...(root.scrollWidth > window.innerWidth + 1 ? [`wider than the window: ${root.scrollWidth} px`] : []),
  ];
}
