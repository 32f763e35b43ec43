/** Node's switch that takes the check of certificates away from every connection of a process. */
const openTlsVariable = 'NODE_TLS_REJECT_UNAUTHORIZED';

/**
 * Takes that switch out of the environment, for threads started later as well: with it anybody on the way could read
 * keys. True where it was set.
 */
export function refuseOpenTls(environment: NodeJS.ProcessEnv): boolean {
  const isOpen = environment[openTlsVariable] === '0';
  if (isOpen) Reflect.deleteProperty(environment, openTlsVariable);
  return isOpen;
}
