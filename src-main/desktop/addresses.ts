/** True where `url` lies under `origin`. A bare prefix match would accept `app://jobdeck.evil`. */
export function isUnderOrigin(url: string, origin: string): boolean {
  return url === origin || url.startsWith(`${origin}/`);
}

/** True for an address that may be handed to the system's browser: https, no credentials in it. */
export function isSafeExternal(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol === 'https:' && parsed.username === '' && parsed.password === '';
}
