import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { goCommands } from '../../../../src-renderer/commands/go-commands.tsx';
import { runCommands } from '../../../../src-renderer/commands/run-commands.tsx';
import { commandsOfJob } from '../../../../src-renderer/commands/scope.ts';
import { matchingShortcuts, shortcutsOf } from '../../../../src-renderer/commands/shortcut-list.ts';
import { podSection, templateSection } from '../../../../src-renderer/commands/window-sections.tsx';
import { openRoute, windowKind, type WindowKind } from '../../../../src-renderer/navigation/route.ts';
import { projectDir } from '../../../kit/electron-binary.ts';
import { acceptedAtMs, aJob } from '../job/a-job.ts';
import { plainWindow } from './a-window.ts';

/** Keys that a control shows beside itself where they are obvious there: they need no line in the sheet. */
const shownInPlace = ['↑', '↓', '←', '→', 'Tab', 'Esc'];

/** Every chord that a command or a control names in the sources. */
function namedChords(): string[] {
  const chords = globSync('src-renderer/**/*.{ts,tsx}', { cwd: projectDir }).flatMap((path) =>
    [...readFileSync(join(projectDir, path), 'utf8').matchAll(/\bkeys(?:=\{|: )\[('[^\]]*')\]/g)].map(([, list = '']) =>
      [...list.matchAll(/'((?:[^'\\]|\\.)*)'/g)].map(([, key = '']) => key),
    ),
  );
  return [...new Set(chords.filter((keys) => !keys.every((key) => shownInPlace.includes(key))).map(sameKeys))];
}

function sameKeys(keys: readonly string[]): string {
  return keys.join(' ');
}

/** The chords of a sheet. Two keys in a row are two chords of a line. */
function listedIn(kind: WindowKind['kind']): Set<string> {
  const lines = shortcutsOf(kind).flatMap((group) => group.lines);
  return new Set(lines.flatMap(({ chords }) => [...chords.map(sameKeys), sameKeys(chords.flat())]));
}

const windows = ['main', 'job', 'pod', 'template', 'health', 'sandbox'] as const;

test('every key named in the windows is in one of their shortcut sheets', () => {
  const listed = new Set(windows.flatMap((kind) => [...listedIn(kind)]));
  const named = namedChords();
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((chord) => !listed.has(chord))).toEqual([]);
});

test('the sheet is searched by action, by key, and by group title', () => {
  const found = (text: string): string[] =>
    matchingShortcuts(shortcutsOf('main'), text).flatMap(({ lines }) => lines.map(({ label }) => label));
  expect(found('sideBAR ')).toEqual(['Hide or show the sidebar']);
  expect(found('ctrl shift v')).toEqual(['Fill from a pasted cURL']);
  expect(found('go to')).toHaveLength(12);
  expect(found('')).toEqual(shortcutsOf('main').flatMap(({ lines }) => lines.map(({ label }) => label)));
  expect(found('nothing of the kind')).toEqual([]);
});

describe('the sheet of a window', () => {
  const job = aJob({ phase: 'finished', status: 'COMPLETED', chunkCount: 1 });
  const pod = podSection({
    podId: 'p1',
    isPinned: false,
    readRefusal: '',
    isRead: true,
    read: () => {},
    find: () => {},
    setPinned: () => {},
  });
  const template = templateSection({
    templateId: 't1',
    saveRefusal: null,
    canUndo: true,
    canRedo: true,
    hasEdits: true,
    save: () => {},
    undo: () => {},
    redo: () => {},
    nextChange: () => {},
    readFromPod: () => {},
  });

  /** The keys of the commands that a window has, as the sheet would write them. */
  function keysOfCommands(kind: WindowKind['kind']): string[] {
    const shown =
      kind === 'pod' ? pod : kind === 'template' ? template : { commands: commandsOfJob(job, acceptedAtMs + 5_000) };
    const own = kind === 'health' || kind === 'sandbox' ? [] : shown.commands;
    return [...own, ...runCommands(), ...goCommands()].flatMap(({ keys }) =>
      keys === undefined ? [] : [sameKeys(keys)],
    );
  }

  afterEach(() => {
    openRoute('/');
    vi.unstubAllGlobals();
  });

  test.each([
    ['main', '/'],
    ['job', '/job/k1'],
    ['pod', '/pod/c1/p1'],
    ['template', '/template/c1/t1'],
    ['health', '/health/c1'],
    ['sandbox', '/sandbox'],
  ] as const)('of the %s window has every key of its commands', (kind, route) => {
    plainWindow();
    expect(openRoute(route).kind).toBe(kind);
    const listed = listedIn(windowKind());
    expect(keysOfCommands(kind).filter((chord) => !listed.has(chord))).toEqual([]);
  });

  test.each([
    ['job', '/job/k1', ['Ctrl B', '/', 'X', 'J', 'Shift ↵', 'Ctrl A', 'C', 'F5']],
    ['pod', '/pod/c1/p1', ['Ctrl B', '/', 'R', 'E', 'Del', 'F2']],
    ['main', '/', ['F5', 'Ctrl D']],
  ] as const)('of the %s window has no key of another one', (kind, route, others) => {
    plainWindow();
    openRoute(route);
    const lines = shortcutsOf(kind).flatMap((group) => group.lines);
    // The second keys after G are keys of their own elsewhere.
    const single = lines.filter(({ join }) => join !== 'next');
    const listed = new Set(single.flatMap(({ chords }) => chords.map(sameKeys)));
    expect(others.filter((chord) => listed.has(chord))).toEqual([]);
    expect(keysOfCommands(kind).filter((chord) => others.some((other) => other === chord))).toEqual([]);
  });
});
