import type { Pod } from './pod.ts';

/** One port of a pod with its public address (spec: Pod, ports, portMappings, publicIp). */
export interface PodPort {
  /** As in the reply. For a mapped port that `ports` does not list: the port alone. */
  entry: string;
  /** The port inside the pod. Null if the entry cannot be read. */
  port: number | null;
  protocol: 'http' | 'tcp' | null;
  /** Null: not mapped. */
  publicPort: number | null;
  /** `203.0.113.47:10341`. Null while it has no public side. */
  address: string | null;
}

/** The pod's ports in the order of the reply, then mapped ones that are not listed. */
export function podPorts(pod: Pick<Pod, 'ports' | 'portMappings' | 'publicIp'>): PodPort[] {
  // The field may also have the protocol in the key: "80/http".
  const mappings = new Map(
    Object.entries(pod.portMappings ?? {}).map(([inside, publicPort]) => [
      inside.trim().replace(/\/(?:http|tcp|udp)$/i, ''),
      { inside, publicPort },
    ]),
  );
  const listed = (pod.ports ?? []).map((entry): PodPort => {
    const parts = /^(\d{1,5})(?:\/([a-z]+))?$/i.exec(entry.trim());
    const port = parts?.[1] === undefined ? null : portIn(Number(parts[1]));
    return withAddress(pod, {
      entry,
      port,
      protocol: protocolIn(entry),
      publicPort: port === null ? null : portIn(mappings.get(String(port))?.publicPort),
    });
  });
  const known = new Set(listed.map(({ port }) => String(port)));
  const unlisted = [...mappings]
    .filter(([port]) => !known.has(port))
    .map(([port, { inside, publicPort }]) =>
      withAddress(pod, {
        entry: inside,
        port: portIn(Number(port)),
        protocol: protocolIn(inside),
        publicPort: portIn(publicPort),
      }),
    );
  return [...listed, ...unlisted];
}

function withAddress(pod: Pick<Pod, 'publicIp'>, port: Omit<PodPort, 'address'>): PodPort {
  const ip = pod.publicIp ?? '';
  return { ...port, address: port.publicPort === null || !isIpv4(ip) ? null : `${ip}:${port.publicPort}` };
}

function protocolIn(entry: string): PodPort['protocol'] {
  const protocol = /\/([a-z]+)$/i.exec(entry.trim())?.[1]?.toLowerCase();
  return protocol === 'http' || protocol === 'tcp' ? protocol : null;
}

function portIn(value: number | undefined): number | null {
  return value !== undefined && Number.isInteger(value) && value >= 1 && value <= 65_535 ? value : null;
}

/** Four decimal numbers without leading zeros, which browsers would read as octal. */
function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/**
 * The address that "Open" passes to the browser: exactly `http://ip:port` of a mapped http port. Null if there is none,
 * and for an IP that is this computer, unspecified or a broadcast, because a reply must not send the browser there.
 */
export function browsableAddress(pod: Pick<Pod, 'ports' | 'portMappings' | 'publicIp'>, port: number): string | null {
  const found = podPorts(pod).find((each) => each.port === port && each.protocol === 'http');
  if (found === undefined || found.address === null) return null;
  const [first = 0, second = 0] = (pod.publicIp ?? '').split('.').map(Number);
  const isNoPlace = first === 0 || first === 127 || first >= 224 || (first === 169 && second === 254);
  return isNoPlace ? null : `http://${found.address}`;
}

/** `ssh root@203.0.113.47 -p 10341`. Null for a port that is not 22/tcp or not mapped. */
export function sshCommand({ port, protocol, address }: PodPort): string | null {
  if (port !== 22 || protocol !== 'tcp' || address === null) return null;
  const [ip = '', publicPort = ''] = address.split(':');
  return `ssh root@${ip} -p ${publicPort}`;
}

/**
 * Whether the pod is still starting: it should be running, but its public side is not there yet (spec: Pod, publicIp,
 * portMappings are empty while the pod initializes). A reply without publicIp says nothing about it; a machine without
 * public addresses never gets one.
 */
export function isPodStarting(pod: Pick<Pod, 'desiredStatus' | 'publicIp' | 'portMappings' | 'machine'>): boolean {
  if (pod.desiredStatus !== 'RUNNING' || pod.machine?.supportPublicIp === false) return false;
  return (pod.publicIp === null || pod.publicIp === '') && Object.keys(pod.portMappings ?? {}).length === 0;
}
