import { hash, timingSafeEqual } from 'node:crypto';

const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * True for this machine's own names: a page from elsewhere that resolves its name to 127.0.0.1 still sends that name.
 */
export function isOwnHost(host: string): boolean {
  return OWN_HOST.test(host);
}

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
