import { z } from 'zod';
import { refusalText } from './messages/refusals.ts';

/** The address of a proxy, without a name and a password in it. */
const proxyAddress = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?\/?$/i;

/**
 * The characters that Basic authentication allows in a name: a colon would end it, and proxies treat other signs
 * differently.
 */
const proxyName = /^[ -9;-~]{1,200}$/;

/** The proxy for reaching services. */
export const proxyChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('system') }),
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('manual'),
    url: z.string().max(300).regex(proxyAddress, refusalText.proxyAddress),
    /** The user name at the proxy. Absent if it needs no login. The password is kept with the keys. */
    name: z.string().regex(proxyName, refusalText.proxyName).optional(),
  }),
]);
