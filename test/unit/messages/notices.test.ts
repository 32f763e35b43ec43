import { expect, it } from 'vitest';
import { notificationsRefusedNotice } from '../../../src-main/messages/notices.ts';

it('a refused notification is reported with the system’s words, if it has any', () => {
  expect(notificationsRefusedNotice('Not allowed').text).toMatch(/either way\. The system said: Not allowed$/);
  expect(notificationsRefusedNotice('').text).toMatch(/results are saved either way\.$/);
});
