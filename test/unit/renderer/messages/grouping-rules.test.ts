import { expect, test } from 'vitest';
import { normalised } from '../../../../src-main/history/failures/signature.ts';
import { ignoredParts, keptParts } from '../../../../src-renderer/messages/failures/list.ts';

test('the shown rules are those that failures are grouped by', () => {
  for (const { message, becomes } of ignoredParts) expect(normalised(message)).toBe(becomes);
  for (const { message } of keptParts) expect(normalised(message)).toBe(message);
});
