import type { Locator, Page } from '@playwright/test';
import { holdToasts } from '../kit/held-timers.ts';
import { goTo, sendAndOpen, typeInput, untilIdle, untilListed } from '../kit/person.ts';
import { expect, jobPane, runByPalette, shareApp, test, type LaunchedApp } from './fixtures.ts';

/*
 * The app by keys. The keyboard is always somewhere, and shows where: after a dialog, a deleted row, a change of pane.
 */

/** Something has the focus, and shows it. */
async function expectFocusSeen(page: Page, after: string): Promise<void> {
  const seen = (): Promise<string> =>
    page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement != null) element = element.shadowRoot.activeElement;
      if (element === null || element === document.body) return 'the focus is lost';
      if (!element.matches(':focus-visible')) return `${element.tagName} hides its focus`;
      return 'seen';
    });
  await expect.poll(seen, { message: after }).toBe('seen');
}

/** What a person would call the focused element. */
async function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    const words = element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    return `${element?.tagName ?? 'nothing'} “${words.slice(0, 30)}”`;
  });
}

/**
 * At the last control of the document, focuses the first one, and returns whether it did: Tab does that in a window of
 * Electron. In a headless Chromium, which has nothing around the document, it may begin anywhere.
 */
async function wrapAtEnd(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<boolean> {
  return page.evaluate((isBackwards) => {
    const all = document.querySelectorAll<HTMLElement>('button, input, select, textarea, a[href], [tabindex]');
    const stops = [...all].filter(
      (one) =>
        one.tabIndex >= 0 &&
        !one.matches(':disabled') &&
        one.closest('[inert]') === null &&
        one.checkVisibility({ visibilityProperty: true }),
    );
    if (isBackwards) stops.reverse();
    if (document.activeElement !== stops.at(-1)) return false;
    stops[0]?.focus();
    return true;
  }, key === 'Shift+Tab');
}

/** Presses Tab until `target` has the focus; each stop on the way shows it. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const stops: string[] = [];
  while (stops.length < 80) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    if (!(await wrapAtEnd(page, key))) await page.keyboard.press(key);
    await expectFocusSeen(page, `after ${stops.join(', ')}`);
    stops.push(await focusedName(page));
  }
  throw new Error(`No ${key} leads to ${String(target)}, only to ${stops.join(', ')}`);
}

async function submitByKeys(page: Page, endpoint: string, input: string): Promise<void> {
  await page.keyboard.press('n');
  const sheet = page.getByRole('dialog', { name: 'New job' });
  const editor = sheet.getByRole('textbox', { name: 'Input JSON' });
  const picker = sheet.getByRole('combobox', { name: /^Endpoint/ });
  // It takes the focus when it has loaded.
  await expect(editor).toBeFocused();
  if ((await picker.getAttribute('aria-label')) !== `Endpoint: ${endpoint}`) {
    await tabTo(page, picker, 'Shift+Tab');
    await page.keyboard.press('Enter');
    // Until one of the options has the focus, keys still go to the button behind the list.
    const choices = page.getByRole('listbox', { name: 'Endpoint' });
    await expect(choices.getByRole('option', { selected: true })).toBeFocused();
    // One letter: after a pause, a second one would begin another word.
    await page.keyboard.press(endpoint.slice(0, 1));
    await expect(choices.getByRole('option', { name: endpoint })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(sheet.getByRole('combobox', { name: `Endpoint: ${endpoint}` })).toBeVisible();
  }
  await page.keyboard.press('ControlOrMeta+1');
  await expect(editor).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(input);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(sheet).toBeHidden();
}

/** The first window is left by keys, too. */
const shared = shareApp(async ({ page }) => {
  await tabTo(page, page.getByRole('button', { name: 'Open the sandbox' }));
  await page.keyboard.press('Enter');
  await untilListed(page);
  await holdToasts(page);
});

test('jobs are sent, read, tagged, compared and deleted by keys, and the focus is never lost', async () => {
  const { page } = shared();
  await submitByKeys(page, 'Echo', '{"title": "first"}');
  await submitByKeys(page, 'Echo', '{"title": "second"}');
  await submitByKeys(page, 'Mock', '{"title": "third", "mock_error": "no such model"}');
  await expect(page.getByRole('option', { name: /Completed|Failed/ })).toHaveCount(3, { timeout: 20_000 });
  await untilIdle(page);
  const list = page.getByRole('listbox', { name: 'Jobs' });
  await tabTo(page, list);
  await page.keyboard.press('Home');
  await expect(page.getByRole('option', { selected: true })).toHaveAccessibleName(/^third/);
  await tagAndRename(page, list);
  await foldGroup(page, list);

  // A row that is deleted leaves the focus with the list; the last one, with what is there in its place.
  await list.focus();
  await page.keyboard.press('Delete');
  await expect(page.getByRole('option')).toHaveCount(2);
  await expect(list).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await runByPalette(page, 'Tag 2 selected jobs');
  await expect(page.getByRole('dialog', { name: 'Tags of 2 jobs' }).getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(list).toBeFocused();
  await page.keyboard.press('c');
  await expect(page.getByRole('region', { name: 'Compared jobs' })).toBeVisible();
  await expectFocusSeen(page, 'comparison');
  await page.keyboard.press('Escape');
  await expect(list).toBeVisible();
  await expectFocusSeen(page, 'back in the list');
  await page.keyboard.press('ControlOrMeta+a');
  await expect(page.getByRole('toolbar', { name: '2 selected' })).toBeVisible();
  await page.keyboard.press('Delete');
  await expect(page.getByText('No jobs yet')).toBeVisible();
  await expectFocusSeen(page, 'the last row');
  // The offer comes when the jobs are in the bin. Before, the last one is that of the first job.
  await expect(page.getByRole('status').filter({ hasText: 'Deleted 2 jobs' })).toBeVisible();
  // F6 leads to the offer to undo, and its button gives the focus back.
  await page.keyboard.press('F6');
  await expect(page.getByRole('button', { name: 'Undo' }).last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option')).toHaveCount(2);
  await expectFocusSeen(page, 'undone');
});

async function tagAndRename(page: Page, list: Locator): Promise<void> {
  await page.keyboard.press('t');
  await expect(page.getByRole('dialog', { name: 'Tags' }).getByRole('textbox')).toBeFocused();
  await page.keyboard.type('nightly');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(list).toBeFocused();
  await page.keyboard.press('F2');
  await expect(jobPane(page).getByRole('textbox', { name: 'Title' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('renamed');
  await page.keyboard.press('Enter');
  await expect(jobPane(page).getByRole('heading', { name: 'renamed' })).toBeVisible();
  await expectFocusSeen(page, 'a new title');
  await list.focus();
  for (const [key, name] of [
    ['?', 'Keyboard shortcuts'],
    ['ControlOrMeta+k', 'Command palette'],
    ['ControlOrMeta+,', 'Settings'],
    ['m', 'Mark and label'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog', { name }).locator(':focus')).toBeVisible();
    await expectFocusSeen(page, name);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(list, name).toBeFocused();
  }
}

async function foldGroup(page: Page, list: Locator): Promise<void> {
  const head = page.getByRole('button', { name: /^Last hour/ });
  await tabTo(page, head, 'Shift+Tab');
  // Enter that is held presses a button once.
  await hold(page, 'Enter');
  await expect(head).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('option')).toHaveCount(0);
  await page.keyboard.press('Space');
  await expect(page.getByRole('option')).toHaveCount(3);
  await tabTo(page, list);
}

test('keys reach and leave panes and their rows, and Tab leaves the input editor', async () => {
  const { app, page } = shared();
  await editorByKeys(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('main').and(page.locator(':focus'))).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: /^Failures/ }));
  for (const [key, what] of [
    ['e', page.getByText('No failures', { exact: false }).first()],
    ['h', page.getByText('Workers running').first()],
    ['b', page.getByRole('region', { name: 'Sandbox', exact: true })],
    ['p', page.getByLabel('Pod id')],
    ['a', page.getByRole('region', { name: 'Jobs' })],
  ] as const) {
    await goTo(page, key);
    await expect(what).toBeVisible({ timeout: 20_000 });
    await expectFocusSeen(page, `G ${key}`);
  }
  await forgetByKeys(app, page);
  // The bell: opened, and back at it.
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await tabTo(page, bell);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Notifications' })).toBeVisible();
  await expectFocusSeen(page, 'notification centre');
  await page.keyboard.press('Escape');
  await expect(bell).toBeFocused();
});

test('a job in its own window is tagged and deleted by the same keys as in the list', async () => {
  const { app, page } = shared();
  await goTo(page, 'a');
  await sendAndOpen(page, { endpoint: 'echo', input: { title: 'By itself' } });
  await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
  await page.keyboard.press('Shift+Enter');
  const own = await app.waitForWindow(/\/job\//);
  await expect(own.getByRole('heading', { level: 1 })).toHaveText('By itself');
  await own.keyboard.press('t');
  await expect(own.getByRole('textbox', { name: 'Tags' })).toBeFocused();
  await own.keyboard.type('nightly');
  await own.keyboard.press('Enter');
  await expect(own.getByRole('dialog')).toHaveCount(0);
  await expect(own.getByText('nightly').filter({ visible: true }).first()).toBeVisible();
  await holdKeys(own);
  await own.keyboard.press('Delete');
  // Nothing is offered for it but to bring it back.
  await expect(own.getByRole('main').getByRole('button', { name: 'Restore' })).toBeVisible();
  await expect(own.getByRole('button', { name: 'Run again' })).toHaveCount(0);
  await own.getByRole('main').getByRole('button', { name: 'Restore' }).click();
  await expect(own.getByRole('heading', { level: 1 })).toHaveText('By itself');
  await expect(page.getByRole('option', { name: /^By itself/ })).toBeVisible();
  await own.close();
});

/** Presses a key and holds it, so that it repeats. */
async function hold(page: Page, key: string): Promise<void> {
  for (let times = 0; times < 4; times += 1) await page.keyboard.down(key);
  await page.keyboard.up(key);
}

/** A key that is held opens the palette once, and runs nothing in it. */
async function holdKeys(own: Page): Promise<void> {
  const query = own.getByRole('combobox', { name: 'Search or run' });
  await own.keyboard.down('Control');
  await hold(own, 'k');
  await own.keyboard.up('Control');
  await expect(query).toBeFocused();
  await own.keyboard.press('Escape');
  await expect(query).toHaveCount(0);
  await own.getByRole('button', { name: 'Commands' }).focus();
  await own.keyboard.down('Enter');
  await expect(query).toBeFocused();
  await hold(own, 'Enter');
  await own.keyboard.type('kept');
  await expect(query).toHaveValue('kept');
  await own.keyboard.press('Escape');
  await expect(query).toHaveCount(0);
}

test('a job’s own window has a palette, keys, a shortcut sheet, and links to the main window', async () => {
  const { app, page } = shared();
  await goTo(page, 'a');
  await sendAndOpen(page, { endpoint: 'echo', input: { title: 'Stays in the list' } });
  await sendAndOpen(page, { endpoint: 'echo', input: { title: 'Goes on its own' } });
  await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
  await page.keyboard.press('Shift+Enter');
  const own = await app.waitForWindow(/\/job\//);
  const title = own.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Goes on its own');
  await own.setViewportSize({ width: 1180, height: 820 });
  await readSheet(own);

  await own.keyboard.press('F2');
  await expect(own.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await own.keyboard.press('ControlOrMeta+a');
  await own.keyboard.type('Has a new name');
  await own.keyboard.press('Enter');
  await expect(title).toHaveText('Has a new name');
  await expectFocusSeen(own, 'a new title');
  await own.getByRole('button', { name: 'More', exact: true }).click();
  await own.getByRole('menuitem', { name: 'Rename' }).click();
  await expect(own.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await own.keyboard.type('Named by the menu');
  await own.keyboard.press('Enter');
  await expect(title).toHaveText('Named by the menu');

  await runByPalette(own, 'Write a note');
  await expect(own.getByRole('tab', { name: 'Note', selected: true })).toBeVisible();
  await runByPalette(own, 'Runs of this input');
  await expect(page.getByRole('button', { name: /^Remove same-input:/ })).toBeVisible();
  await expect(page.getByRole('option')).toHaveCount(1);
  await own.keyboard.press('ControlOrMeta+k');
  await own.getByRole('combobox', { name: 'Search or run' }).fill('Stays in the');
  await own.getByRole('option', { name: 'Stays in the list' }).click();
  await expect(jobPane(page).getByRole('heading', { name: 'Stays in the list' })).toBeVisible();
  await goTo(own, 'h');
  await expect(page.getByRole('region', { name: 'Health', exact: true })).toBeVisible();
  await expect(title).toHaveText('Named by the menu');
  await goTo(own, 'a');
  await expect(page.getByRole('option', { name: /^Named by the menu/ })).toBeVisible();
  await own.close();
});

// The last one: what it adds to the page stays there.
test('a key that is pressed as soon as the window is drawn is not lost', async () => {
  const { page } = shared();
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector('main') === null) return;
      observer.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true, cancelable: true }));
    }).observe(document, { subtree: true, childList: true });
  });
  await page.reload();
  await expect(page.getByRole('dialog', { name: 'New job' })).toBeVisible();
});

/** The sheet has the keys of this window, and none of the list or the sidebar. */
async function readSheet(own: Page): Promise<void> {
  await own.keyboard.press('?');
  const sheet = own.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet.locator(':focus')).toBeVisible();
  await expect(sheet.getByText('Go to, in the main window')).toBeVisible();
  await expect(sheet.getByText('Rename')).toBeVisible();
  await expect(sheet.getByText('Hide or show the sidebar')).toHaveCount(0);
  // Typing searches it, also by key; the keys are read out.
  await own.keyboard.type('unchanged');
  await expect(sheet.getByRole('definition')).toContainText('Shift E');
  await own.keyboard.press('ControlOrMeta+a');
  await own.keyboard.type('g t');
  await expect(sheet.getByRole('term')).toHaveText('Templates');
  await expect(sheet.getByRole('definition')).toContainText('G then T');
  await own.keyboard.type('zz');
  await expect(sheet.getByText('No shortcut for “g tzz”')).toBeVisible();
  await own.keyboard.press('Escape');
  await expect(sheet.getByText('Templates')).toBeVisible();
  await own.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
}

/** Tab leaves the editor in both directions and types nothing. */
async function editorByKeys(page: Page): Promise<void> {
  await page.keyboard.press('n');
  await typeInput(page, '{"prompt": "kept"}');
  const editor = page.getByRole('dialog', { name: 'New job' }).getByRole('textbox', { name: 'Input JSON' });
  await expect(editor).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(editor).not.toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(editor).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(editor).not.toBeFocused();
  await expect(editor).toHaveText('{"prompt": "kept"}');
}

/** A pod and a template of the lists are opened and forgotten; the focus stays in the list. */
async function forgetByKeys(app: LaunchedApp, page: Page): Promise<void> {
  await goTo(page, 'p');
  await tabTo(page, page.getByRole('button', { name: 'Pods of the sandbox' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu').locator(':focus')).toBeVisible();
  await page.keyboard.press('Enter');
  const pod = await app.waitForWindow(/\/pod\//);
  await expect(pod.getByRole('region', { name: 'Compute' })).toBeVisible({ timeout: 20_000 });
  await runByPalette(pod, 'Pin the pod');
  await expect(pod.getByRole('button', { name: 'Unpin' })).toBeVisible();
  await runByPalette(pod, 'Search the reply');
  await expect(pod.getByLabel('Search in the reply')).toBeFocused();
  // A pod that is pinned changes its list, and the focus would be lost with its former row.
  await expect(page.getByRole('region', { name: 'Pinned' }).getByRole('button', { name: /^Open pod/ })).toBeVisible();
  const more = page.getByRole('button', { name: /^More for/ });
  await tabTo(page, more);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu').locator(':focus')).toBeVisible();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(more).toHaveCount(0);
  await expectFocusSeen(page, 'a pod forgotten');

  await goTo(page, 't');
  await tabTo(page, page.getByLabel('Template id'));
  await page.keyboard.type('tpl-asr-train');
  await page.keyboard.press('Enter');
  const template = await app.waitForWindow(/\/template\//);
  const image = template.getByRole('group', { name: 'Image', exact: true }).getByRole('textbox');
  await image.fill('atlas/serve:2');
  await runByPalette(template, 'Undo the last edit');
  await expect(image).not.toHaveValue('atlas/serve:2');
  await runByPalette(template, 'Redo the last undone edit');
  await expect(image).toHaveValue('atlas/serve:2');
  await expect(page.getByRole('listitem').filter({ hasText: 'tpl-asr-train' }).getByText('draft')).toBeVisible();
  const forget = page.getByRole('button', { name: /^More for/ });
  await expect(forget).toHaveCount(1);
  await tabTo(page, forget);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu').locator(':focus')).toBeVisible();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Forgot tpl-asr-train and its draft/)).toBeVisible();
  await expect(forget).toHaveCount(0);
  await expectFocusSeen(page, 'a template forgotten');
}
