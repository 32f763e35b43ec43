import { expect, it } from 'vitest';
import {
  notificationName,
  readActivation,
  readLaunchInfo,
  readName,
} from '../../../../src-main/desktop/notifications/toast-activation.ts';

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
