/**
 * Whether a host is certainly this computer: then nobody else reads what is sent to it, and no proxy is asked. A name
 * such as `gpu.localhost` is not, because the resolver of a system may send it elsewhere. Takes the host as it stands in
 * a URL, without its port.
 */
export function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host);
}

/** As `isThisMachine`, of the host that an http or https URL names. False if it is none. */
export function isUrlOfThisMachine(url: string): boolean {
  const host = /^https?:\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(url)?.[1];
  return host !== undefined && isThisMachine(host);
}
