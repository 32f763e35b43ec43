import { hash, timingSafeEqual } from 'node:crypto';

/** Which forms of the header an address space accepts (ruling 4). */
export type AuthorizationForms = 'bare-or-bearer' | 'bearer';

export type CheckAuthorization = (header: string | undefined, forms: AuthorizationForms) => boolean;

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/**
 * Makes the check of the `authorization` header against one API key. Digests are compared, in
 * constant time, so that neither the key's length nor its first wrong character shows in the timing.
 * Spec: Authentication; ruling 4.
 */
export function createAuthorization(apiKey: string): CheckAuthorization {
  const expected = digest(apiKey);
  return (header, forms) => {
    if (header === undefined) return false;
    const bearer = /^bearer +(.*)$/i.exec(header.trim());
    const key = bearer?.[1] ?? (forms === 'bare-or-bearer' ? header.trim() : undefined);
    return key !== undefined && timingSafeEqual(digest(key), expected);
  };
}
