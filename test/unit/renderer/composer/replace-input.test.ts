import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Preset, PresetFields } from '../../../../src-preload/settings.ts';
import { useBulk } from '../../../../src-renderer/composer/bulk/bulk-store.ts';
import { emptyDraft } from '../../../../src-renderer/composer/composer-draft.ts';
import { answerRequests, useComposer } from '../../../../src-renderer/composer/composer-store.ts';
import { chosenFiles } from '../../../../src-renderer/composer/drop/dropped-files.ts';
import { takeDrop } from '../../../../src-renderer/composer/drop/take-drop.ts';
import { mergePreset, takePreset } from '../../../../src-renderer/composer/presets/preset-actions.ts';
import { fieldsOf } from '../../../../src-renderer/composer/presets/presets.ts';
import { offerInput, takeEarlierInput } from '../../../../src-renderer/composer/replace-input.ts';
import { takeValues } from '../../../../src-renderer/composer/variables/take-values.ts';
import { newVariable } from '../../../../src-renderer/composer/variables/variable.ts';
import { openComposer } from '../../../../src-renderer/navigation/open-requests.ts';
import { answerComposer, closeComposer, inputText, noticeNow, pressNotice } from '../../../kit/composer.ts';

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  answerComposer();
  await useComposer.getState().openNew();
  useComposer.getState().change({ inputText: '{"typed": 1}' });
});
afterEach(closeComposer);

const drop = (name: string, text: string): Promise<void> => takeDrop(chosenFiles([new File([text], name)]), null);

test('a dropped input replaces the typed text, and Undo restores it', async () => {
  await drop('input.json', '{"from": "a file"}');
  expect(inputText()).toBe('{"from": "a file"}');
  pressNotice();
  expect(inputText()).toBe('{"typed": 1}');
});

test('an earlier input replaces the typed text, and Undo restores it', () => {
  takeEarlierInput('{"earlier": 1}');
  expect(inputText()).toBe('{"earlier": 1}');
  expect(noticeNow()?.title).toBe('Replaced the input with an earlier one.');
  pressNotice();
  expect(inputText()).toBe('{"typed": 1}');
});

test('an earlier input in an empty editor, or the same again, shows no notice', () => {
  takeEarlierInput('{"typed": 1}');
  useComposer.getState().change({ inputText: '{}' });
  takeEarlierInput('{"earlier": 1}');
  expect(inputText()).toBe('{"earlier": 1}');
  expect(noticeNow()).toBeNull();
});

test('Undo never overwrites what was typed after the replacement', async () => {
  await drop('input.json', '{"from": "a file"}');
  const undoDrop = noticeNow()?.actions.at(0);
  useComposer.getState().change({ inputText: '{"from": "a file", "more": 2}' });
  undoDrop?.onSelect();
  expect(inputText()).toBe('{"from": "a file", "more": 2}');
  expect(noticeNow()?.title).toMatch(/^Not restored/);
});

test('Undo of a file of many inputs restores the rows before, unless they were edited since', async () => {
  useBulk.getState().setText('{"row": 1}');
  await drop('rows.csv', 'prompt\na cat\na dog\n');
  const undoDrop = noticeNow()?.actions.at(0);
  useBulk.getState().setText('prompt\na cat\na dog\na bird\n');
  undoDrop?.onSelect();
  expect(useBulk.getState().text).toContain('a bird');
  useBulk.getState().setText('prompt\na cat\na dog\n');
  undoDrop?.onSelect();
  expect(useBulk.getState().text).toBe('{"row": 1}');
});

const preset = (fields: Partial<PresetFields>): Preset => ({
  id: 'p1',
  name: 'Portrait',
  connectionId: '',
  endpointId: '',
  flavour: null,
  usedCount: 0,
  savedAtMs: 0,
  fields: { ...fieldsOf(emptyDraft('', '')), ...fields },
});
const ways: [string, () => Promise<void> | void][] = [
  ['a preset', () => takePreset(preset({ inputText: '{"preset": 1}' }))],
  ['the keys of a preset', () => mergePreset(preset({ inputText: '{"preset": 1}' }))],
  [
    'the values of a file',
    () =>
      takeValues(new File(['1\n2\n'], 'values.txt'), [
        { variable: newVariable('seed'), values: [], problem: null, isNeeded: false },
      ]),
  ],
];

test.each(ways)('Undo of %s restores the draft as it was', async (_what, replace) => {
  const former = useComposer.getState().draft;
  await replace();
  expect(useComposer.getState().draft).not.toEqual(former);
  pressNotice();
  expect(useComposer.getState().draft).toEqual(former);
});

test.each(ways)('Undo of %s never overwrites what was typed since', async (_what, replace) => {
  await replace();
  const undoLoad = noticeNow()?.actions.at(0);
  useComposer.getState().change({ inputText: '{"more": 2}', variables: [] });
  undoLoad?.onSelect();
  expect(inputText()).toBe('{"more": 2}');
  expect(noticeNow()?.title).toMatch(/^Not restored/);
});

test.each(['open', 'closed'])(
  'the input of a link does not replace a draft in the %s sheet: it is offered',
  async (sheet) => {
    if (sheet === 'closed') useComposer.getState().close();
    const stop = answerRequests(offerInput);
    await new Promise<void>((resolve) =>
      openComposer({ endpointId: null, inputText: '{"from": "a link"}', onOpened: resolve }),
    );
    stop();
    expect(inputText()).toBe('{"typed": 1}');
    expect(noticeNow()).toMatchObject({
      title: 'Your draft is unchanged.',
      actions: [{ label: 'Use the other input' }],
    });
    noticeNow()?.actions[0]?.onSelect();
    expect(inputText()).toBe('{"from": "a link"}');
    pressNotice();
    expect(inputText()).toBe('{"typed": 1}');
  },
);
