import { createNetwork } from '../../../src-main/service/network.ts';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';

/**
 * Run by proxy.test.ts in a process of its own, whose system trusts one authority more: submits once by the proxy it is
 * given and prints what came of it.
 */
const [proxy = '', baseUrl = ''] = process.argv.slice(2);
const network = createNetwork({
  resolveProxy: () => Promise.resolve(`PROXY ${proxy}`),
  choice: () => ({ kind: 'system' }),
});
const api = createQueueApi(
  { baseUrl, restUrl: null, authorization: 'bearer', readKey: () => Promise.resolve('key') },
  { now: Date.now, network },
);
const { result } = await api.run('ep', '{"input":{}}');
process.stdout.write(JSON.stringify(result));
process.exit(0);
