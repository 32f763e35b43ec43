import { failed, ok } from '../../src-preload/failure.ts';
import type { LocalFailure, Result } from '../../src-preload/failure.ts';

export interface CleanKey {
  key: string;
  /** What was changed, said for the user; never quotes the key. */
  notes: string[];
}

/**
 * A pasted API key as it can stand in an authorization header: spaces around it and a leading "Bearer" are taken off.
 * Refused when nothing is left or when it holds what a header cannot carry (spec: Authentication).
 */
export function cleanKey(pasted: string): Result<CleanKey, LocalFailure> {
  const trimmed = pasted.trim();
  const key = trimmed.replace(/^bearer\s+/i, '');
  if (key === '' || /^bearer$/i.test(key))
    return failed({ kind: 'refused', field: 'key', message: 'The key is empty.' });
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return failed({
      kind: 'refused',
      field: 'key',
      message:
        'The key holds a space, a line break or a letter that cannot be sent in a header. Copy it once more, ' +
        'without the text around it.',
    });
  }
  return ok({
    key,
    notes:
      key === trimmed
        ? []
        : ['The word "Bearer" was taken off the key; Jobdeck adds it where the connection asks for it.'],
  });
}
