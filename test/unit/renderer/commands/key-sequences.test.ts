import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { calls } from '../../../../src-preload/contract.ts';
import { ok } from '../../../../src-preload/failure.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';
import { listenToKeys } from '../../../../src-renderer/commands/keyboard.ts';
import { shortcutsOf } from '../../../../src-renderer/commands/shortcut-list.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { useSession } from '../../../../src-renderer/data/session-store.ts';
import { openRoute, windowKind } from '../../../../src-renderer/navigation/route.ts';
import { useShell } from '../../../../src-renderer/navigation/shell-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { plainWindow } from './a-window.ts';

/** Where each letter after G leads: to a list of the main window, or to one of its panes. */
const leadsTo: Readonly<Record<string, { view: string } | { pane: string }>> = {
  A: { view: 'all' },
  C: { view: 'active' },
  D: { view: 'finished-today' },
  F: { view: 'failed' },
  S: { view: 'starred' },
  1: { view: 'starred' },
  H: { pane: 'health' },
  E: { pane: 'failures' },
  P: { pane: 'pods' },
  T: { pane: 'templates' },
  B: { pane: 'sandbox' },
  X: { pane: 'bin' },
};

const keyboard = new EventTarget();
let opened: { kind: string; view?: string; pane?: string }[] = [];
let stop = (): void => {};

beforeEach(() => {
  plainWindow();
  opened = [];
  answerCalls({
    'window:openMain': (input) => {
      opened.push(calls['window:openMain'].input.parse(input).destination);
      return Promise.resolve(ok(null));
    },
  });
  Object.assign(window, {
    addEventListener: keyboard.addEventListener.bind(keyboard),
    removeEventListener: keyboard.removeEventListener.bind(keyboard),
  });
  // No key is pressed in a field.
  vi.stubGlobal('HTMLElement', Map);
  vi.stubGlobal('document', { querySelector: () => null });
  const starred = {
    id: 'v1',
    name: 'Mine',
    view: 'starred',
    endpointId: null,
    tokens: '',
    text: '',
    sort: null,
  } as const;
  useSession.setState({ settings: { ...settingsDefaults, savedViews: [starred] } });
});

afterEach(() => {
  stop();
  openRoute('/');
  vi.unstubAllGlobals();
});

function press(key: string): void {
  const event = Object.assign(new Event('keydown', { cancelable: true }), { key, ctrlKey: false, metaKey: false });
  keyboard.dispatchEvent(Object.assign(event, { shiftKey: false, altKey: false, repeat: false, isComposing: false }));
}

/** Where the window, or the main window for another one, is now. */
function placeNow(): string {
  const destination = opened.at(-1);
  if (destination !== undefined) return destination.view ?? destination.pane ?? destination.kind;
  const { pane } = useShell.getState();
  return pane.kind === 'jobs' ? useJobs.getState().place.view : pane.kind;
}

test.each([
  ['main', '/'],
  ['job', '/job/k1'],
  ['pod', '/pod/c1/p1'],
  ['template', '/template/c1/t1'],
  ['health', '/health/c1'],
  ['sandbox', '/sandbox'],
] as const)('each key after G in the sheet of the %s window leads to its destination', async (kind, route) => {
  openRoute(route);
  stop = listenToKeys(() => false);
  const lines = shortcutsOf(windowKind()).flatMap((group) => group.lines);
  const letters = lines.flatMap(({ join, chords }) => (join === 'next' ? [chords[1]?.[0] ?? ''] : []));
  expect(letters.toSorted()).toEqual(Object.keys(leadsTo).toSorted());
  for (const letter of letters) {
    const to = leadsTo[letter];
    if (to === undefined) throw new Error(`G ${letter} leads nowhere`);
    useShell.setState({ pane: { kind: 'failures' } });
    useJobs.setState({ place: { view: 'all', endpointId: 'text' } });
    if (letter === 'E') useShell.setState({ pane: { kind: 'pods' } });
    opened = [];
    press('g');
    press(letter.toLowerCase());
    await expect.poll(() => placeNow(), { message: `G ${letter}` }).toBe('view' in to ? to.view : to.pane);
    expect(opened.length > 0, `G ${letter} opens the main window`).toBe(kind !== 'main');
  }
});

test('a key that leads nowhere after G does nothing, and does what it does when it is pressed again', () => {
  const handled: string[] = [];
  stop = listenToKeys((chord) => handled.push(chord) > 0);
  for (const key of ['r', '.', 'Delete', 'g']) {
    press('g');
    press(key);
  }
  expect(handled).toEqual(['Delete']);
  // The second G began another sequence.
  press('x');
  press('r');
  expect(handled).toEqual(['Delete', 'R']);
});
