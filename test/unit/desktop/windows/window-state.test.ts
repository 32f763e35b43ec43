import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWindowState } from '../../../../src-main/desktop/windows/window-state.ts';
import { createPreparing } from '../../../../src-main/desktop/windows/preparing.ts';
import type { Preparation } from '../../../../src-preload/app.ts';
import { createVirtualClock } from '../../../kit/clock.ts';
import { modeOf } from '../../../kit/file-mode.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobdeck-window-state-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the first window’s appearance', () => {
  it('is saved over a start, for this user only', () => {
    const path = join(folder, 'window.json');
    const place = { x: 10, y: 20, width: 900, height: 700 };
    openWindowState(path).save({ theme: 'dark', place, isMaximized: true });
    expect(openWindowState(path).read()).toEqual({ theme: 'dark', place, isMaximized: true });
    openWindowState(path).save({ place: { width: 900, height: 700 } });
    expect(openWindowState(path).read().place).toEqual({ width: 900, height: 700 });
    expect(modeOf(path, 0o600)).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['window.json']);
  });

  it('is the default if the file is missing, damaged or out of bounds, field by field', () => {
    const path = join(folder, 'window.json');
    const usual = { theme: 'system', place: null, isMaximized: false };
    expect(openWindowState(path).read()).toEqual(usual);
    writeFileSync(path, '{');
    expect(openWindowState(path).read()).toEqual(usual);
    writeFileSync(path, '{"theme":"light","place":{"x":0,"y":0,"width":1,"height":1},"isMaximized":"yes"}');
    expect(openWindowState(path).read()).toEqual({ ...usual, theme: 'light' });
    // Asked for the display of such a place, Electron throws.
    for (const place of [{ x: 0.5 }, { y: 3_000_000_000 }, { width: 900.5 }]) {
      writeFileSync(path, JSON.stringify({ place: { x: 0, y: 0, width: 900, height: 700, ...place } }));
      expect(openWindowState(path).read().place).toBeNull();
    }
  });

  it('is optional: nothing fails if it cannot be saved', () => {
    const windowState = openWindowState(join(folder, 'not-there', 'window.json'));
    windowState.save({ theme: 'dark' });
    expect(windowState.read().theme).toBe('dark');
  });
});

describe('the preparation before the first answers', () => {
  it('is reported immediately for the history, and for the sandbox only when it takes long', async () => {
    const clock = createVirtualClock(0);
    const told: (Preparation | null)[] = [];
    const preparing = createPreparing(clock, (preparation) => told.push(preparation));
    preparing.set({ kind: 'upgrade', jobs: 3 });
    expect(preparing.shown()).toEqual({ kind: 'upgrade', jobs: 3 });
    preparing.set(null);
    preparing.set({ kind: 'sandbox' });
    expect(preparing.shown()).toBeNull();
    await clock.advance(1_000);
    expect(preparing.shown()).toEqual({ kind: 'sandbox' });
    preparing.set(null);
    preparing.set({ kind: 'sandbox' });
    preparing.set(null);
    await clock.advance(5_000);
    expect(told).toEqual([{ kind: 'upgrade', jobs: 3 }, null, { kind: 'sandbox' }, null]);
  });
});
