import { expect, test } from 'vitest';
import { withoutLogin } from '../../../../src-renderer/data/without-login.ts';

test.each([
  ['https://me:secret@host:3128/v2', 'https://host:3128/v2'],
  ['me:secret@host:3128', 'host:3128'],
  ['https://me:se/cr@t@host', 'https://host'],
  ['//me:secret@host', '//host'],
  ['me:se//cret@host', 'me:se//host'],
  ['https://host/v2', 'https://host/v2'],
  ['', ''],
])('%s is %s', (address, left) => expect(withoutLogin(address)).toBe(left));
