/**
 * An address without the name and password that may have been pasted with it: all up to its last `@`, after `//` where
 * it has that. A password may contain any character. Pure.
 */
export function withoutLogin(address: string): string {
  const at = address.lastIndexOf('@');
  if (at === -1) return address;
  const slashes = address.indexOf('//');
  const start = slashes === -1 || slashes > at ? 0 : slashes + 2;
  return address.slice(0, start) + address.slice(at + 1);
}
