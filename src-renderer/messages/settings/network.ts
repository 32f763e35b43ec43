import { formatCount } from '../../../src-preload/format.ts';
import type { NetworkCheck, ProxyChoice } from '../../../src-preload/network.ts';

/** The choices of a proxy, each with its hint. */
export const proxyNames: Readonly<Record<ProxyChoice['kind'], string>> = {
  system: 'System',
  none: 'None',
  manual: 'Manual',
};

export const proxyHints: Readonly<Record<ProxyChoice['kind'], string>> = {
  system: 'Use the system’s settings, including proxy scripts',
  none: 'Jobdeck connects to services directly',
  manual: 'Use this proxy for every service except localhost',
};

export const proxyText = {
  proxy: 'Proxy',
  address: 'Proxy address',
  addressExample: 'http://proxy.example:8080',
  inUse: 'In use',
  addressHint: 'No user name or password: settings do not store secrets',
  userName: 'Proxy user name',
  userNameHint: 'Leave empty if the proxy needs none. Jobdeck signs in with Basic, not with NTLM or Negotiate.',
  password: 'Proxy password',
  passwordHint: 'Stored with your keys, for this proxy and user name only. Leave empty to keep the saved one.',
  use: 'Use proxy',
  silent: (address: string): string => `The proxy ${address} did not answer in time.`,
};

/** The check of an address. */
export const networkCheckText = {
  address: 'Address to check',
  hint: 'Jobdeck requests the front page, without your key. Certificates of your system are accepted.',
  check: 'Check',
  checking: 'Checking',
};

/** The result of a check, in a sentence, and one for each proxy that did not answer. */
export function networkCheckResult(check: NetworkCheck, isHttps: boolean): string {
  const { proxy, silent, authorities, tookMs, problem } = check;
  const by = proxy === null ? 'directly' : `through ${proxy}`;
  // One that was tried last is named as what was tried, and its silence is the problem.
  const passed = silent.filter((each) => problem === null || each !== proxy).map((each) => proxyText.silent(each));
  if (problem !== null) return [`${problem} Jobdeck tried ${by}.`, ...passed].join(' ');
  const certificate = isHttps ? `, certificate accepted (${formatCount(authorities)} authorities trusted)` : '';
  return [`Reached ${by} in ${formatCount(tookMs)} ms${certificate}.`, ...passed].join(' ');
}
