import { listed } from '../../../src-preload/messages/sentence.ts';

/** Why a connection could not be made. Each ends the sentence "Could not connect to the host: ...". */
export const unreachedText = {
  nothingAnswers: 'nothing is listening at this address',
  networkUnreachable: 'the network is unreachable',
  networkDown: 'the network is down',
  hostUnreachable: 'the host is unreachable',
  hostDown: 'the host is down',
  noRoute: 'this computer has no route to the address',
  noHost: 'there is no such host',
  lookupFailed: 'the host name lookup failed',
  notAcceptedInTime: 'the host did not accept the connection in time',
  /** `code` is the system's, or null. */
  other: (code: string | null): string => `no connection could be made${code === null ? '' : ` (${code})`}`,

  notHttps: 'the server does not speak https here; did you mean http://?',
  outdatedTls: 'the server supports only outdated TLS',
  noCommonTls: 'no TLS version works for both sides',
  handshakeFailed: 'the TLS handshake failed',

  certificateExpired: 'its certificate has expired',
  certificateNotYetValid: 'its certificate is not valid yet',
  certificateRevoked: 'its certificate was revoked',
  certificateUntrusted: 'its certificate is not trusted',
  certificateInvalid: 'its certificate is not valid',
  certificateSelfSigned: 'its certificate is self-signed',
  unknownAuthority: 'its certificate comes from an authority this computer does not know',
  certificateNotForServer: 'its certificate is not meant for a server',
  certificateOfOtherHost: 'its certificate is for another host',

  proxyUnknown: 'the system did not say in time which proxy to use',
  proxySilent: 'the proxy did not answer in time',
  unusableProxy: 'the system names a proxy of a kind that Jobdeck cannot use',
  proxyRefused: 'the proxy did not let the connection through',
  badProxyAddress: 'the address of the proxy is not valid',
  proxyLogin: 'the proxy did not let you in (407); check the name and the password under Settings › Network',
  proxyAcceptsOnly: (ways: readonly string[]): string =>
    `the proxy accepts only ${listed(ways)}, and Jobdeck supports only Basic`,
};

/** The test of the network in the settings. */
export const networkTestText = {
  address: 'Enter an address that begins with https:// or http://.',
  couldNotReach: (host: string, why: string): string => `Could not reach ${host}: ${why}.`,
};
