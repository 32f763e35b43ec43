import { expect, it } from 'vitest';
import { keyPlaceHint } from '../../../../src-renderer/messages/settings/preferences.ts';

it('says where new keys are saved, and which are still elsewhere', () => {
  const storage = {
    kind: 'session',
    explanation: 'Keys are kept in memory.',
    isWaiting: false,
    places: [
      { kind: 'keychain', secrets: 2, problem: null },
      { kind: 'safe-storage', secrets: 0, problem: 'No keyring.' },
      { kind: 'session', secrets: 1, problem: null },
    ],
  } as const;
  expect(keyPlaceHint({ ...storage, places: [...storage.places] }, null)).toBe(
    'Keys are kept in memory. Still elsewhere: 2 keys in system keychain.',
  );
  expect(keyPlaceHint({ ...storage, places: [] }, null)).toBe('Keys are kept in memory.');
  expect(keyPlaceHint({ ...storage, places: [] }, 'keychain')).toContain('may be asking you to unlock');
});
