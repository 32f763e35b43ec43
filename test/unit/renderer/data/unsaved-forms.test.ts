import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import { isLike, unsavedForms, type UnsavedForms } from '../../../../src-renderer/data/unsaved-forms.ts';
import { blankConnection } from '../../../../src-renderer/settings/connection-form-state.ts';
import { connectionForms } from '../../../../src-renderer/settings/connection-edits.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

interface Fields {
  text: string;
  secret: string;
}

/** By slot: what a window saved, and the next one reads. */
let disk: Map<string, string>;
/** What a window does when it is closed. */
let leave: () => void;

/** The forms of a window that was just loaded: nothing of them is in its memory. */
const newWindow = (): UnsavedForms<Fields> =>
  unsavedForms<Fields>({
    kind: 'test',
    isForm: isLike({ text: '', secret: '' }),
    withoutSecrets: (fields) => ({ ...fields, secret: '' }),
  });

const start: Fields = { text: '', secret: '' };

/** The form as a dialog that is opened now has it. */
function opened(forms: UnsavedForms<Fields>): ReturnType<UnsavedForms<Fields>['useForm']> {
  const seen: ReturnType<UnsavedForms<Fields>['useForm']>[] = [];
  function Dialog(): null {
    // oxlint-disable-next-line react-hooks/rules-of-hooks
    seen.push(forms.useForm('one', { ...start }));
    return null;
  }
  renderToStaticMarkup(createElement(Dialog));
  const [form] = seen;
  if (form === undefined) throw new Error('The dialog was not drawn.');
  return form;
}

beforeEach(() => {
  vi.useFakeTimers();
  disk = new Map();
  leave = () => {};
  answerCalls({
    'draft:save': ({ slot, text }) => {
      disk.set(slot, text);
      return Promise.resolve(ok(null));
    },
    'draft:load': ({ slot }) => {
      const text = disk.get(slot) ?? '';
      return Promise.resolve(ok(text === '' ? null : { text }));
    },
  });
  const addEventListener = (_name: string, run: () => void): void => {
    leave = run;
  };
  vi.stubGlobal('window', { ...window, addEventListener });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('what was typed into a form is there after the window was loaded again, without its secret', async () => {
  newWindow().put('one', { text: 'half a rule', secret: 'rpa_never' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([...disk.values()].join()).not.toContain('rpa_never');
  const next = newWindow();
  expect(await next.restore('other')).toBe(false);
  expect(await next.restore('one')).toBe(true);
  expect(next.typedIn('one')).toEqual({ text: 'half a rule', secret: '' });
});

test('the last letters are saved when the window closes before the pause is over', async () => {
  newWindow().put('one', { text: 'last letters', secret: '' });
  expect(disk.size).toBe(0);
  leave();
  const next = newWindow();
  await next.restore('one');
  expect(next.typedIn('one')?.text).toBe('last letters');
});

test('a form that was saved or discarded does not come back', async () => {
  const forms = newWindow();
  forms.put('one', { text: 'typed', secret: '' });
  await vi.advanceTimersByTimeAsync(1_000);
  forms.end('one');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await newWindow().restore('one')).toBe(false);
});

test('what is typed while the disk answers stays', async () => {
  disk.set('form test one', JSON.stringify({ text: 'older', secret: '' }));
  const forms = newWindow();
  const restored = forms.restore('one');
  forms.put('one', { text: 'newer', secret: '' });
  expect(await restored).toBe(false);
  expect(forms.typedIn('one')?.text).toBe('newer');
});

test.each(['{"text":1,"secret":""}', '{"text":"no secret"}', '[]', 'null', '{'])(
  'what another version saved is not shown if it is no such form: %s',
  async (text) => {
    disk.set('form test one', text);
    const forms = newWindow();
    expect(await forms.restore('one')).toBe(false);
    expect(forms.typedIn('one')).toBeUndefined();
  },
);

test('a value is like an example if it has its fields and each value of a list is like the first of its list', () => {
  const isForm = isLike({ id: null, urls: [{ id: '' }] });
  expect(isForm({ id: null, urls: [], more: 1 })).toBe(true);
  expect(isForm({ id: 'a', urls: [{ id: 'b' }] })).toBe(true);
  expect(isForm({ id: 1, urls: [] })).toBe(false);
  expect(isForm({ id: null, urls: [{ id: 'b' }, {}] })).toBe(false);
  expect(isForm({ id: null, urls: {} })).toBe(false);
});

test('a form has what was typed into it when it is opened again, until it is saved', () => {
  const forms = newWindow();
  expect(opened(forms)).toMatchObject({ fields: start, isBack: false });
  opened(forms).change({ ...start, text: '0.69' });
  expect(forms.typedIn('one')).toEqual({ ...start, text: '0.69' });
  forms.end('one');
  expect(forms.typedIn('one')).toBeUndefined();
});

test('a form that was changed back to what it started with has nothing unsaved, on disk neither', async () => {
  const forms = newWindow();
  const { change } = opened(forms);
  change({ ...start, text: '0.69' });
  await vi.advanceTimersByTimeAsync(1_000);
  change(start);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(forms.typedIn('one')).toBeUndefined();
  expect(opened(forms).isBack).toBe(false);
  expect(await newWindow().restore('one')).toBe(false);
});

test('neither the key of a connection nor a login in one of its addresses is saved with its form', async () => {
  connectionForms.put('new', {
    ...blankConnection,
    baseUrl: 'https://me:rpa_never@host/v2',
    restUrl: 'https://me:rpa_never@host/rest',
    key: 'rpa_never',
  });
  await vi.advanceTimersByTimeAsync(1_000);
  const saved = [...disk.values()].join();
  expect(saved).toContain('https://host/v2');
  expect(saved).not.toContain('rpa_never');
  connectionForms.end('new');
});

test('what could not be read is read again when the form is opened again', async () => {
  disk.set('form test one', JSON.stringify({ text: 'half a rule', secret: '' }));
  const forms = newWindow();
  answerCalls({
    'draft:load': () => Promise.resolve(failed({ kind: 'storage', message: 'The disk does not answer.' })),
  });
  expect(await forms.restore('one')).toBe(false);
  answerCalls({ 'draft:load': ({ slot }) => Promise.resolve(ok({ text: disk.get(slot) ?? '' })) });
  expect(await forms.restore('one')).toBe(true);
  expect(forms.typedIn('one')?.text).toBe('half a rule');
});
