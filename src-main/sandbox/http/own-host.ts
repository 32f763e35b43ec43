const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * True for this machine's own names: a page from elsewhere that resolves its name to 127.0.0.1 still sends that name.
 */
export function isOwnHost(host: string): boolean {
  return OWN_HOST.test(host);
}
