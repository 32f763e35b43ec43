import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failed, ok } from '../../../src-preload/failure.ts';
import type { Result } from '../../../src-preload/failure.ts';
import { settingsDefaults } from '../../../src-preload/settings.ts';
import { callOrReport } from '../../../src-renderer/call-or-report.ts';
import { useToasts } from '../../../src-renderer/design/toast.tsx';
import { useSession } from '../../../src-renderer/data/session-store.ts';
import { chooseSettings } from '../../../src-renderer/data/change-settings.ts';
import { answerCalls } from '../../kit/answering-bridge.ts';

const full: Result<never> = failed({ kind: 'storage', message: 'The disk is full.' });

function said(): string[] {
  return useToasts.getState().items.map(({ message }) => message);
}

afterEach(() => {
  vi.unstubAllGlobals();
  useToasts.setState({ items: [] });
});

describe('a call by a button', () => {
  it('is reported if it failed, and only then', async () => {
    answerCalls({ 'tracker:pause': () => Promise.resolve(full), 'health:refresh': () => Promise.resolve(ok(null)) });
    callOrReport('health:refresh', { connectionId: 'c1' });
    callOrReport('tracker:pause', undefined);
    await expect.poll(() => said()).toEqual(['The disk is full.']);
  });

  it('for settings shows the former value and the failure if it could not be saved', async () => {
    answerCalls({ 'settings:change': () => Promise.resolve(full) });
    void chooseSettings({ density: 'compact' });
    expect(useSession.getState().settings.density).toBe('compact');
    await expect.poll(() => said()).toEqual(['The disk is full.']);
    expect(useSession.getState().settings).toEqual(settingsDefaults);
  });

  it('is never made without its answer being handled', () => {
    const windows = join(import.meta.dirname, '../../../src-renderer');
    const lost = readdirSync(windows, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && path !== 'call-or-report.ts')
      .flatMap((path) =>
        (readFileSync(join(windows, path), 'utf8').match(/(?:void|^ *await) (?:call|changeSettings)\([^;]*;/gm) ?? [])
          .filter((statement) => !statement.includes('.then('))
          .map((statement) => `${path}: ${statement}`),
      );
    expect(lost).toEqual([]);
  });
});
