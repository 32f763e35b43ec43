import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { openWindowState } from '../../../../src-main/desktop/windows/window-state.ts';
import { Windows } from '../../../../src-main/desktop/windows/windows.ts';
import { createLog } from '../../../../src-main/log.ts';

/*
 * Electron rejects a load that another one replaces, and one whose window is closed. Of Electron there is what opens a
 * window; each load of it ends as the test says.
 */
const desk = vi.hoisted(() => ({ loads: [] as ((error: Error) => void)[], isDestroyed: false }));
vi.mock('electron', () => ({
  app: { isPackaged: true, on: () => undefined },
  BrowserWindow: Object.assign(
    class extends EventEmitter {
      webContents = { isLoading: () => true, isDestroyed: () => false, send: () => undefined };
      isDestroyed = () => desk.isDestroyed;
      isMinimized = () => false;
      loadURL = (): Promise<void> => new Promise((_resolve, reject) => void desk.loads.push(reject));
      show(): void {}
      focus(): void {}
      setProgressBar(): void {}
    },
    { getAllWindows: () => [] },
  ),
  nativeTheme: { shouldUseDarkColors: false },
  screen: {},
  nativeImage: {},
}));

const folder = mkdtempSync(join(tmpdir(), 'given-up-loads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const written: string[] = [];
beforeEach(() => {
  written.length = 0;
  desk.loads.length = 0;
  desk.isDestroyed = false;
});

function openTwice(): void {
  const windows = new Windows({
    preloadPath: '',
    iconPath: '',
    resourcesDir: folder,
    windowState: openWindowState(join(folder, 'window.json')),
    isWayland: false,
    onVisibilityChanged: () => undefined,
    log: createLog({ write: (line) => void written.push(line), now: () => 0 }),
  });
  windows.openMain();
  windows.openMain({ kind: 'new-job' });
}

async function reject(load: number, code: string): Promise<void> {
  desk.loads[load]?.(Object.assign(new Error(`${code} loading 'app://jobdeck/index.html'`), { code }));
  await Promise.resolve();
  await Promise.resolve();
}

it('a load that the next one replaces is no error, and one that fails is', async () => {
  openTwice();
  expect(desk.loads).toHaveLength(2);
  await reject(0, 'ERR_ABORTED');
  expect(written).toEqual([]);
  await reject(1, 'ERR_FILE_NOT_FOUND');
  expect(written.join('')).toContain('a window could not be loaded');
});

it('a load that ends with its window is no error', async () => {
  openTwice();
  desk.isDestroyed = true;
  await reject(1, 'ERR_FAILED');
  expect(written).toEqual([]);
});
