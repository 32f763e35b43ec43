import { createServer, type Server } from 'node:https';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { makePrivateCa, type PrivateCa } from '../../kit/private-ca.ts';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';

let ca: PrivateCa;
let server: Server;
let asked = 0;
beforeAll(async () => {
  ca = makePrivateCa();
  server = createServer({ key: ca.key, cert: ca.cert }, (_request, response) => {
    asked += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(closeApps);
afterAll(async () => {
  server.close();
  ca.close();
  await removeAppFolders();
});

it('NODE_TLS_REJECT_UNAUTHORIZED=0 opens no connection to an untrusted server, and that is reported', async () => {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  const app = await openApp();
  const { notices } = await app.answer('app:info', undefined);
  expect(notices.map(({ title }) => title)).toEqual([expect.stringContaining('checks certificates')]);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const [check] = await app.answer('connection:check', {
    draft: {
      name: 'Stranger',
      baseUrl: `https://localhost:${port}`,
      restUrl: '',
      authorization: 'bearer',
      endpoints: [{ id: 'ep', label: '', flavour: 'other' }],
    },
    key: 'never-sent',
  });
  expect(check?.problem).toMatch(/certificate/i);
  expect(asked).toBe(0);
});
