/** Node's variable that disables the check of certificates for every connection of a process. */
const openTlsVariable = 'NODE_TLS_REJECT_UNAUTHORIZED';

/**
 * Removes that variable from the environment, also for threads started later: with it, others on the network could read
 * keys. Returns true if it was set.
 */
export function refuseOpenTls(environment: NodeJS.ProcessEnv): boolean {
  const isOpen = environment[openTlsVariable] === '0';
  if (isOpen) Reflect.deleteProperty(environment, openTlsVariable);
  return isOpen;
}
