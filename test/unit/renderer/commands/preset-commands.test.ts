import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Preset, settingsDefaults } from '../../../../src-preload/settings.ts';
import { presetCommands } from '../../../../src-renderer/commands/palette-commands.tsx';
import { emptyDraft } from '../../../../src-renderer/composer/composer-draft.ts';
import { answerRequests, useComposer } from '../../../../src-renderer/composer/composer-store.ts';
import { fieldsOf } from '../../../../src-renderer/composer/presets/presets.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { useSession } from '../../../../src-renderer/data/session-store.ts';
import { answerComposer, closeComposer } from '../../../kit/composer.ts';
import { commandNamed, plainWindow, labelsOf } from './a-window.ts';

function preset(name: string, changes: Partial<Preset> = {}): Preset {
  return {
    id: name,
    name,
    connectionId: 'c1',
    endpointId: 'image',
    flavour: null,
    usedCount: 0,
    savedAtMs: 1,
    fields: fieldsOf({ ...emptyDraft('c1', 'image'), inputText: `{"of":"${name}"}` }),
    ...changes,
  };
}

function keep(...presets: Preset[]): void {
  useSession.setState({ settings: { ...settingsDefaults, presets } });
}

beforeEach(() => {
  // What is saved a moment later belongs to no other test.
  vi.useFakeTimers();
  plainWindow();
  answerComposer();
});
afterEach(closeComposer);

test('each preset with an endpoint on the connection is offered, with that endpoint', () => {
  keep(
    preset('Mine'),
    preset('Elsewhere', { connectionId: 'c2' }),
    preset('Removed', { endpointId: 'gone' }),
    preset('Any image', { connectionId: 'c2', flavour: 'image' }),
    preset('Any sound', { flavour: 'audio' }),
  );
  expect(labelsOf(presetCommands())).toEqual(['New job from preset Mine', 'New job from preset Any image']);
  expect(presetCommands().map(({ hint }) => hint)).toEqual(['Studio', 'Studio']);
  // The endpoint in view comes first, where it is of the kind.
  useJobs.setState({ place: { view: 'all', endpointId: 'image2' } });
  expect(presetCommands().map(({ hint }) => hint)).toEqual(['Studio', 'image2']);
  useSession.setState({ connections: [] });
  expect(presetCommands()).toEqual([]);
});

test('the composer opens with one input: that of the preset, at its endpoint', async () => {
  const stop = answerRequests(() => {});
  useComposer.getState().setInputCount('many');
  keep(preset('Mine'));
  commandNamed(presetCommands(), 'New job from preset Mine').run();
  await expect.poll(() => useComposer.getState().draft?.presetId).toBe('Mine');
  expect(useComposer.getState()).toMatchObject({
    isOpen: true,
    inputCount: 'one',
    draft: { connectionId: 'c1', endpointId: 'image', inputText: '{"of":"Mine"}' },
  });
  stop();
});
