import { createNetwork } from '../../../src-main/service/proxy-and-certificates.ts';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';

/**
 * Run by proxy.test.ts in a separate process, whose system trusts one more authority: submits once by what the system
 * answers about proxies, and prints the result.
 */
const [answer = '', baseUrl = '', proxyLimitMs] = process.argv.slice(2);
const network = createNetwork({
  ...(proxyLimitMs === undefined ? {} : { proxyLimitMs: Number(proxyLimitMs) }),
  resolveProxy: () => Promise.resolve(answer),
  choice: () => ({ kind: 'system' }),
});
const api = createQueueApi(
  { baseUrl, restUrl: null, authorization: 'bearer', readKey: () => Promise.resolve('key') },
  { now: Date.now, network },
);
const { result } = await api.run('ep', '{"input":{}}');
process.stdout.write(JSON.stringify(result));
process.exit(0);
