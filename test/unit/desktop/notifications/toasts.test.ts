import { expect, it } from 'vitest';
import {
  readActivation,
  toastXml,
  notificationName,
  readLaunchInfo,
  readName,
} from '../../../../src-main/desktop/notifications/toasts.ts';
import { readToast } from '../../../electron-stand-in/toast-xml.ts';

const plain = { id: 'n7', title: 'fog completed', body: 'on Echo', isSilent: false, actions: [] };

it('a toast has its two lines, its buttons and its sound, and each click identifies itself', () => {
  const toast = readToast(toastXml({ ...plain, isSilent: true, actions: ['Retry', 'Resubmit with edits'] }));
  expect(toast).toEqual({
    launch: 'type=click&tag=n7',
    texts: ['fog completed', 'on Echo'],
    isSilent: true,
    actions: [
      { label: 'Retry', arguments: 'type=action&action=0&tag=n7' },
      { label: 'Resubmit with edits', arguments: 'type=action&action=1&tag=n7' },
    ],
  });
  expect(readActivation('click', toast?.launch ?? '', undefined)).toEqual({ id: 7, actions: [], actionIndex: null });
});

it('a toast of one line, with sound and no buttons has nothing else', () => {
  expect(toastXml({ ...plain, body: '' })).toBe(
    '<toast launch="type=click&amp;tag=n7"><visual><binding template="ToastGeneric"><text>fog completed</text>' +
      '</binding></visual></toast>',
  );
});

it('any text of a service or worker is drawn literally, and never refused as XML', () => {
  const words = `</text><action content="Pay" arguments="x"/> & &amp; <b>'bold'</b> "quoted" ]]> é 🎉`;
  const toast = readToast(toastXml({ ...plain, title: words, body: words, actions: [words] }));
  expect(toast).toMatchObject({ texts: [words, words], actions: [{ label: words }] });
  expect(toast?.actions).toHaveLength(1);
  // What XML has no place for becomes the sign for it.
  expect(readToast(toastXml({ ...plain, title: 'a\uD800b\uFFFEc' }))?.texts[0]).toBe('a\uFFFDb\uFFFDc');
});

it('the test’s reader refuses what Windows refuses, so that the other tests are reliable', () => {
  for (const xml of ['', 'text', '<toast>', '<toast></toast', '<toast>a & b</toast>', '<toast><text></toast></text>'])
    expect(readToast(xml)).toBeNull();
  expect(readToast('<toast launch="a&b"/>')).toBeNull();
  expect(readToast('<toast/><toast/>')).toBeNull();
  expect(readToast('<toast>\uD800</toast>')).toBeNull();
});

it('a click reported by Windows is read if it is ours, and nothing else is', () => {
  expect(readActivation('click', 'type=click&tag=n12', undefined)).toEqual({ id: 12, actions: [], actionIndex: null });
  expect(readActivation('action', 'type=action&action=0&tag=n7re', 0)).toEqual({
    id: 7,
    actions: ['retry', 'edit'],
    actionIndex: 0,
  });
  // What a toast without `launch` gives.
  expect(readActivation('click', '', undefined)).toBeNull();
  for (const given of [
    'type=click',
    'type=click&tag=12',
    'tag=n',
    'tag=n1x',
    'tag=nre',
    'tag=n1rere',
    'xtag=n1',
    `tag=n${'9'.repeat(30)}`,
  ])
    expect(readActivation('click', given, undefined)).toBeNull();
});

it('the click that started Jobdeck on macOS is read if it is ours, and nothing else is', () => {
  const clicked = 'com.apple.UNNotificationDefaultActionIdentifier';
  const info = { identifier: 'n12', actionIdentifier: clicked, date: 1_790_000_000, userInfo: {} };
  expect(readLaunchInfo(info)).toEqual({ id: 12, actions: [], actionIndex: null });
  expect(readLaunchInfo({ ...info, identifier: 'n12c', actionIdentifier: 'ACTION_1' })).toEqual({
    id: 12,
    actions: ['copy-output'],
    actionIndex: 1,
  });
  // It was removed, which starts Jobdeck too if it has buttons.
  const removed = 'com.apple.UNNotificationDismissActionIdentifier';
  for (const actionIdentifier of [removed, 'CLOSE_ACTION', 'ACTION_', 'ACTION_-1', '', 7])
    expect(readLaunchInfo({ ...info, actionIdentifier })).toBeNull();
  for (const identifier of ['', '12', 'n', 'n1x', `n${'9'.repeat(30)}`, 12, undefined])
    expect(readLaunchInfo({ ...info, identifier })).toBeNull();
  for (const other of [null, undefined, {}, 'n12', { identifier: 'n12' }]) expect(readLaunchInfo(other)).toBeNull();
});

it('the name of a notification says what its buttons do, in their order', () => {
  for (const [actions, name] of [
    [[], 'n12'],
    [['retry', 'edit'], 'n12re'],
    [['edit'], 'n12e'],
    [['copy-output'], 'n12c'],
  ] as const) {
    expect(notificationName({ id: 12, actions: [...actions] })).toBe(name);
    expect(readName(name)).toEqual({ id: 12, actions });
  }
});
