import { expect, it } from 'vitest';
import { windowsIdentity } from '../../../../src-main/desktop/notifications/windows-identity.ts';

it('the installed Jobdeck has the same identity in all versions', () => {
  expect(windowsIdentity(true)).toEqual({
    appUserModelId: 'dev.jobdeck.app',
    toastActivator: '{7C1C8A0B-53A6-4C0B-9B1F-6D7E0B9E52A4}',
  });
});

it('a start from the sources has another identity, in the same form', () => {
  const fromSources = windowsIdentity(false);
  expect(fromSources.appUserModelId).not.toBe(windowsIdentity(true).appUserModelId);
  expect(fromSources.toastActivator).not.toBe(windowsIdentity(true).toastActivator);
  expect(fromSources.toastActivator).toMatch(/^\{[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\}$/);
});
