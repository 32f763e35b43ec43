import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCompanyNetwork, type CompanyNetwork } from '../../kit/company-network.ts';

let company: CompanyNetwork;
beforeEach(async () => {
  // Nothing listens there: the service takes the request and then breaks off.
  company = await openCompanyNetwork('http://127.0.0.1:9');
});
afterEach(() => company.close());

async function submit(baseUrl: string): Promise<unknown> {
  const script = new URL('proxy-scene.ts', import.meta.url).pathname;
  const env = { ...process.env, NODE_NO_WARNINGS: '1', NODE_OPTIONS: '', SSL_CERT_FILE: company.ca.caPath };
  const { stdout } = await promisify(execFile)(process.execPath, [script, company.proxy, baseUrl], { env });
  return JSON.parse(stdout);
}

it('a submission that went through the tunnel and broke off may have arrived', async () => {
  expect(await submit(company.serviceUrl)).toMatchObject({ ok: false, failure: { mayHaveArrived: true } });
  expect(company.tunnels).toEqual(['service.example:443']);
});

it('one that the proxy let not through never left, and says so', async () => {
  expect(await submit('https://elsewhere.example')).toMatchObject({
    ok: false,
    failure: { mayHaveArrived: false, message: expect.stringContaining('the proxy did not let') as string },
  });
});

it('a service that answers 407 itself has the submission: it may have arrived', async () => {
  const service = createServer((_request, response) => void response.writeHead(407).end()).listen(0, '127.0.0.1');
  await once(service, 'listening');
  // Loopback is never asked through the proxy.
  const { port } = service.address() as AddressInfo;
  expect(await submit(`http://127.0.0.1:${port}`)).toMatchObject({ ok: false, failure: { mayHaveArrived: true } });
  service.close();
});
