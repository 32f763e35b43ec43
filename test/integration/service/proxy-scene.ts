import { createNetwork } from '../../../src-main/service/proxy-and-certificates.ts';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';

/**
 * Run by proxy.test.ts in a separate process, whose system trusts one more authority: submits once through the given
 * proxy and prints the result.
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
