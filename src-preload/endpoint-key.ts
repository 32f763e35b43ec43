/** Names an endpoint of a connection. Anything that has both ids does, such as a job. */
export interface EndpointRef {
  connectionId: string;
  endpointId: string;
}

/** An endpoint of a connection as a key of a map. For memory only: what is stored has ids of its own. */
export function endpointKey({ connectionId, endpointId }: EndpointRef): string {
  return `${connectionId}\n${endpointId}`;
}

/** Whether both name the same endpoint of the same connection. */
export function isSameEndpoint(one: EndpointRef, other: EndpointRef): boolean {
  return one.connectionId === other.connectionId && one.endpointId === other.endpointId;
}
