import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManagementApi } from '../../../src-main/service/management-api.ts';
import type { ManagementApi, ServiceTarget } from '../../../src-main/service/reply.ts';
import { podIncludes } from '../../../src-preload/pod.ts';
import { createFaultService } from '../../kit/fault-service.ts';
import type { FaultService } from '../../kit/fault-service.ts';

const key = 'rpa_management-key-0123';
let service: FaultService;

beforeEach(async () => {
  service = await createFaultService();
});
afterEach(() => service.close());

function api(target: Partial<ServiceTarget> = {}): ManagementApi {
  return createManagementApi(
    {
      baseUrl: 'http://127.0.0.1:9',
      restUrl: service.url,
      authorization: 'bare',
      readKey: () => Promise.resolve(key),
      ...target,
    },
    { now: () => 0, timeouts: { 'get-pod': 200 } },
  );
}

describe('get-pod', () => {
  it('sends the enabled flags, always with Bearer (ruling 4)', async () => {
    service.otherwise({ kind: 'reply', body: { id: 'p1', costPerHr: '0.74' } });
    const reply = await api().getPod('p1', ['includeWorkers', 'includeMachine']);
    expect(reply.result).toMatchObject({ ok: true, value: { pod: { id: 'p1', costPerHr: 0.74 }, oddFields: [] } });
    await api().getPod('p/1', podIncludes);
    await api().getPod('p1', []);
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/pods/p1?includeMachine=true&includeWorkers=true',
      'GET ' +
        '/v1/pods/p%2F1?includeMachine=true&includeNetworkVolume=true&includeSavingsPlans=true&includeTemplate=true&includeWorkers=true',
      'GET /v1/pods/p1',
    ]);
    expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it.each([
    [404, '{"error":"pod not found","status":404}', 'not-found', 'pod not found'],
    [404, '{"message":"Pod not found"}', 'not-found', 'Pod not found'],
    [401, '', 'unauthorized', undefined],
    [200, '{"error":"pod not found"}', 'malformed', 'pod not found'],
  ])('answers %d %s as %s', async (status, body, kind, serviceSaid) => {
    service.next({ kind: 'reply', status, body });
    const { result } = await api().getPod('p1', []);
    expect(result).toMatchObject({
      ok: false,
      failure: { kind, httpStatus: status, ...(serviceSaid === undefined ? {} : { serviceSaid }) },
    });
  });

  it('has a timeout', async () => {
    service.next({ kind: 'hang' });
    expect((await api().getPod('p1', [])).result).toMatchObject({ ok: false, failure: { kind: 'timeout' } });
  });
});

describe('update-template', () => {
  it('sends only the given fields, and reads the template', async () => {
    service.next({ kind: 'reply', body: { id: 't1', name: 'n', volumeInGb: '20', future: 1 } });
    const { result } = await api().updateTemplate('t1', {
      containerDiskInGb: 80,
      ports: ['8000/http'],
      env: { A: 'b' },
    });
    expect(result).toMatchObject({ ok: true, value: { template: { id: 't1', volumeInGb: 20 }, extra: { future: 1 } } });
    expect(service.requests[0]).toMatchObject({
      method: 'POST',
      path: '/v1/templates/t1/update',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({
      containerDiskInGb: 80,
      ports: ['8000/http'],
      env: { A: 'b' },
    });
  });

  it('refuses what the table does not allow, and sends nothing', async () => {
    expect((await api().updateTemplate('t1', { ports: ['80'] })).result).toMatchObject({
      ok: false,
      failure: {
        kind: 'invalid',
        mayHaveArrived: false,
        message: 'ports.0: A port is written as 8888/http or 22/tcp, from 1 to 65535. The template is unchanged.',
      },
    });
    expect((await api({ restUrl: null }).updateTemplate('t1', {})).result).toMatchObject({
      ok: false,
      failure: { kind: 'invalid', mayHaveArrived: false, message: expect.stringContaining('no REST URL') },
    });
    expect(service.requests).toHaveLength(0);
  });

  it('says that the template may have changed when no reply came', async () => {
    service.next({ kind: 'reset' });
    expect((await api().updateTemplate('t1', {})).result).toMatchObject({
      ok: false,
      failure: { kind: 'network', mayHaveArrived: true, message: expect.stringContaining('may have changed') },
    });
  });
});
