/** An endpoint of a connection as a key of a map. For memory only: what is stored has ids of its own. */
export function endpointKey(connectionId: string, endpointId: string): string {
  return `${connectionId}\n${endpointId}`;
}
