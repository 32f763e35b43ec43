import { afterEach, expect, test, vi } from 'vitest';
import { settingsDefaults, type SavedView, type Settings } from '../../../../src-preload/settings.ts';
import { settingsChange } from '../../../../src-preload/settings-change-schema.ts';
import { createLog } from '../../../../src-main/log.ts';
import { createSettings, type SettingsStore } from '../../../../src-main/settings/settings.ts';
import { listenToSettings } from '../../../../src-renderer/data/change-settings.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { useSession } from '../../../../src-renderer/data/session-store.ts';
import { deleteView, moveView, renameView, saveView } from '../../../../src-renderer/navigation/saved-views.ts';
import { emptyDraft } from '../../../../src-renderer/composer/composer-draft.ts';
import { fieldsOf } from '../../../../src-renderer/composer/presets/presets.ts';
import { overwritePreset } from '../../../../src-renderer/composer/presets/preset-actions.ts';
import { chooseColumn } from '../../../../src-renderer/jobs/batch-table/use-batch-rows.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { documentsInMemory } from '../../../kit/documents-in-memory.ts';

afterEach(() => {
  useSession.setState({ settings: settingsDefaults });
  vi.unstubAllGlobals();
});

const view = (id: string): SavedView => ({
  id,
  name: id,
  view: 'failed',
  endpointId: null,
  tokens: '',
  text: '',
  sort: null,
});

/**
 * A window over real settings that has not heard yet of what another window changed: `saved` is on disk, `known` is
 * what this window shows. Returns how it hears of all.
 */
async function windowBehind(
  saved: Partial<Settings>,
  known: Partial<Settings>,
): Promise<{ store: SettingsStore; hear: () => void }> {
  const memory = documentsInMemory();
  memory.texts.set('settings/settings', JSON.stringify(saved));
  const store = createSettings({
    documents: memory.documents,
    onChange: () => undefined,
    holdsSecret: () => false,
    log: createLog({ write: () => undefined, now: () => 0 }),
  });
  await store.get();
  const { listeners } = answerCalls({ 'settings:change': (change) => store.change(settingsChange.parse(change)) });
  listenToSettings();
  useSession.setState({ settings: { ...settingsDefaults, ...known } });
  return { store, hear: () => listeners['settings:changed']?.(store.current()) };
}

const namesIn = ({ savedViews }: Settings): string[] => savedViews.map(({ name }) => name);

test('a view that is saved, renamed, moved or deleted leaves those that another window saved meanwhile', async () => {
  const [a, b, theirs] = [view('a'), view('b'), view('theirs')];
  const { store, hear } = await windowBehind({ savedViews: [a, b, theirs] }, { savedViews: [a, b] });
  useJobs.setState({ place: { view: 'active', endpointId: null } });
  expect(await saveView('mine')).toBeNull();
  expect(namesIn(store.current())).toEqual(['a', 'b', 'theirs', 'mine']);
  await renameView('a', 'A');
  expect(namesIn(store.current())).toEqual(['A', 'b', 'theirs', 'mine']);
  await moveView('b', -1);
  expect(namesIn(store.current())).toEqual(['b', 'A', 'theirs', 'mine']);
  await deleteView(b);
  expect(namesIn(store.current())).toEqual(['A', 'theirs', 'mine']);
  hear();
  expect(namesIn(useSession.getState().settings)).toEqual(['A', 'theirs', 'mine']);
});

test('a column of a batch leaves those that another window chose meanwhile', async () => {
  const theirs = { endpointId: 'e', column: 'cost', isShown: true };
  const { store } = await windowBehind({ batchColumns: [theirs] }, {});
  chooseColumn('e', 'seed', false);
  await expect
    .poll(() => store.current().batchColumns)
    .toEqual([theirs, { endpointId: 'e', column: 'seed', isShown: false }]);
});

test('a preset that another window deleted while it was overwritten is saved as a new one', async () => {
  const draft = { ...emptyDraft('c', 'image'), inputText: '{"seed": 2}' };
  const preset = {
    id: 'p',
    name: 'Night',
    connectionId: draft.connectionId,
    endpointId: draft.endpointId,
    flavour: null,
    usedCount: 3,
    savedAtMs: 0,
    fields: fieldsOf({ ...draft, inputText: '{"seed": 1}' }),
  };
  const { store } = await windowBehind({}, { presets: [preset] });
  useSession.setState({ settings: store.current() });
  expect(await overwritePreset(draft, preset)).toBeNull();
  expect(store.current().presets).toMatchObject([{ name: 'Night', fields: { inputText: '{"seed": 2}' } }]);
});

test('what the engine has already changed is shown once, even while its answer is on the way', async () => {
  const [a, b, c] = [view('a'), view('b'), view('c')];
  const { store, hear } = await windowBehind({ savedViews: [a, b, c] }, { savedViews: [a, b, c] });
  const answers: (() => void)[] = [];
  answerCalls({
    'settings:change': async (change) => {
      const result = await store.change(settingsChange.parse(change));
      hear();
      await new Promise<void>((resolve) => answers.push(resolve));
      return result;
    },
  });
  const moved = moveView('a', 1);
  await expect.poll(() => answers).toHaveLength(1);
  expect(namesIn(useSession.getState().settings)).toEqual(['b', 'a', 'c']);
  const removed = deleteView(b);
  await expect.poll(() => answers).toHaveLength(2);
  expect(namesIn(useSession.getState().settings)).toEqual(['a', 'c']);
  for (const answer of answers) answer();
  await Promise.all([moved, removed]);
  expect(namesIn(useSession.getState().settings)).toEqual(['a', 'c']);
});
