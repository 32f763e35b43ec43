import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';
import { appCommands } from '../../../../src-renderer/commands/app-commands.tsx';
import { useSession } from '../../../../src-renderer/data/session-store.ts';
import { columnNames } from '../../../../src-renderer/jobs/table-columns.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { commandNamed, labelsOf, plainWindow } from './a-window.ts';

beforeEach(plainWindow);
afterEach(() => vi.unstubAllGlobals());

test('each column of the list but its title is shown or hidden by a command', () => {
  const labels = labelsOf(appCommands()).filter((label) => label.includes(' column '));
  expect(labels).toHaveLength(columnNames.length - 1);
  expect(labels).toContain('Hide column Endpoint');
  expect(labels).toContain('Show column Est. cost');
  const { changes } = answersWithSettings();
  commandNamed(appCommands(), 'Show column Note').run();
  expect(changes).toEqual([{ tableColumns: { column: 'note', isShown: true } }]);
  useSession.setState({
    settings: { ...settingsDefaults, tableColumns: [{ column: 'note', widthPx: null, isShown: true }] },
  });
  expect(labelsOf(appCommands())).toContain('Hide column Note');
});

/** Notes what is changed of the settings. */
function answersWithSettings(): { changes: unknown[] } {
  const changes: unknown[] = [];
  answerCalls({
    'settings:change': (change) => {
      changes.push(change);
      return Promise.resolve(ok(settingsDefaults));
    },
  });
  return { changes };
}
