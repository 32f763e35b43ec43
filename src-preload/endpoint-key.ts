/** An endpoint of a connection as one text, to key maps by. In memory only; what is stored has ids of its own. */
export function endpointKey(connectionId: string, endpointId: string): string {
  return `${connectionId}\n${endpointId}`;
}
