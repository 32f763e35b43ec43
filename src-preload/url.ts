/**
 * Whether a host is certainly this computer, so that other people cannot read what is sent to it and no proxy is used.
 * A name such as `gpu.localhost` may be sent elsewhere by the resolver of a system. Takes the host of a URL, without
 * its port.
 */
export function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host);
}

/** As `isThisMachine`, of the host that an http or https URL names. False if it is none. */
export function isUrlOfThisMachine(url: string): boolean {
  const host = /^https?:\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(url)?.[1];
  return host !== undefined && isThisMachine(host);
}

/** Node and browsers have it, but the types of this room know neither. */
declare const URL: { canParse: (text: string) => boolean };

/**
 * Whether a text, without spaces around it, is an address of http or https. `http:host`, without slashes, is not one,
 * although a browser accepts it.
 */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text.trim()) && URL.canParse(text.trim());
}
