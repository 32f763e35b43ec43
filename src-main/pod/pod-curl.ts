import { podIncludes } from '../../src-preload/pod.ts';
import type { PodInclude } from '../../src-preload/pod.ts';
import { addressOf } from '../service/address.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';

/**
 * A curl command that reads the pod, for any POSIX shell. The key stands as $JOBDECK_KEY; always Bearer (ruling 4). A
 * sentence where the id or address cannot stand in one.
 */
export function curlForPod(restUrl: string, podId: string, include: readonly PodInclude[]): Result<string, string> {
  const query = Object.fromEntries(podIncludes.filter((flag) => include.includes(flag)).map((flag) => [flag, 'true']));
  const url = addressOf(restUrl, ['v1', 'pods', podId], query);
  if (!url.ok) return failed(url.failure);
  return ok(
    [
      `curl '${url.value.href.replaceAll("'", '%27')}'`,
      '-H "authorization: Bearer $JOBDECK_KEY"',
      "-H 'accept: application/json'",
    ].join(' \\\n  '),
  );
}
