import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PodReply } from '../../../../src-preload/pod.ts';
import { podIdProblem } from '../../../../src-preload/pod-reading.ts';
import { browsableAddress, isPodStarting, podPorts, sshCommand } from '../../../../src-preload/pod-ports.ts';
import type { Failure, ServiceFailureKind } from '../../../../src-preload/failure.ts';
import { followAfter, restartFollowing, nextFollowMs } from '../../../../src-renderer/pods/starting-schedule.ts';
import { planProgress } from '../../../../src-renderer/pods/savings-section.tsx';
import { podCost } from '../../../../src-renderer/pods/pod-cost.ts';
import { workersIn } from '../../../../src-renderer/pods/request-panel.tsx';

const nowMs = Date.UTC(2026, 9, 4, 12);
const running = {
  costPerHr: 6.48,
  adjustedCostPerHr: 4.86,
  lastStartedAt: '2026-10-04T02:00:00Z',
  desiredStatus: 'RUNNING',
};

describe('the cost of a pod', () => {
  it('uses the adjusted price since the last start, in both forms of the timestamp', () => {
    expect(podCost(running, nowMs)).toEqual({
      listPerHr: 6.48,
      adjustedPerHr: 4.86,
      paid: { perHr: 4.86, field: 'adjustedCostPerHr' },
      savedPerHr: 1.62,
      sinceStart: { kind: 'known', elapsedMs: 36_000_000, credits: 48.6 },
    });
    expect(podCost({ ...running, lastStartedAt: '2026-10-04 02:00:00.000 +0000 UTC' }, nowMs).sinceStart).toEqual({
      kind: 'known',
      elapsedMs: 36_000_000,
      credits: 48.6,
    });
  });

  it('takes the list price if there is no adjusted one, and none if there is neither', () => {
    const paid = (change: Partial<Parameters<typeof podCost>[0]>) => podCost({ ...running, ...change }, nowMs).paid;
    expect(paid({ adjustedCostPerHr: null })).toEqual({ perHr: 6.48, field: 'costPerHr' });
    expect(paid({ adjustedCostPerHr: null, costPerHr: null })).toBeNull();
  });

  it.each([
    [{ lastStartedAt: null }, 'no-start'],
    [{ lastStartedAt: 'yesterday' }, 'unreadable-start'],
    [{ desiredStatus: 'EXITED' }, 'not-running'],
    [{ costPerHr: null, adjustedCostPerHr: null }, 'no-price'],
    [{ lastStartedAt: '2027-01-01T00:00:00Z' }, 'future-start'],
  ])('says what is unknown: %j', (change, why) => {
    expect(podCost({ ...running, ...change }, nowMs).sinceStart).toEqual({ kind: 'unknown', why });
  });

  it('knows how much of a plan has passed, between 0 and 1', () => {
    expect(planProgress({ startTime: '2026-10-01T12:00:00Z', endTime: '2026-10-07T12:00:00Z' }, nowMs)).toMatchObject({
      fraction: 0.5,
      usedMs: 259_200_000,
      leftMs: 259_200_000,
    });
    expect(planProgress({ startTime: '2026-10-01T12:00:00Z', endTime: '2026-10-02T12:00:00Z' }, nowMs)).toMatchObject({
      fraction: 1,
      leftMs: 0,
    });
    expect(planProgress({ startTime: null, endTime: 'soon' }, nowMs)).toEqual({
      startMs: null,
      endMs: null,
      fraction: null,
      usedMs: null,
      leftMs: null,
    });
  });
});

describe('ports', () => {
  const pod = {
    ports: ['22/tcp', '6006/http', '8888/http', 'odd', '70000/tcp'],
    portMappings: { 22: 10_341, 6006: 10_342, 9000: 10_343 },
    publicIp: '203.0.113.47',
  };

  it('have a public address if one is mapped, even if the list does not name them', () => {
    expect(podPorts(pod).map(({ entry, port, protocol, address }) => [entry, port, protocol, address])).toEqual([
      ['22/tcp', 22, 'tcp', '203.0.113.47:10341'],
      ['6006/http', 6006, 'http', '203.0.113.47:10342'],
      ['8888/http', 8888, 'http', null],
      ['odd', null, null, null],
      ['70000/tcp', null, 'tcp', null],
      ['9000', 9000, null, '203.0.113.47:10343'],
    ]);
    expect(podPorts(pod).map(sshCommand)).toEqual(['ssh root@203.0.113.47 -p 10341', null, null, null, null, null]);
    expect(podPorts({ ports: null, portMappings: null, publicIp: null })).toEqual([]);
  });

  it('are one row each if the key of a mapping names the protocol too', () => {
    const pod = { ports: ['80/http'], portMappings: { '80/http': 30_080, '22/tcp': 30_022 }, publicIp: '203.0.113.47' };
    expect(podPorts(pod).map(({ entry, port, protocol, address }) => [entry, port, protocol, address])).toEqual([
      ['80/http', 80, 'http', '203.0.113.47:30080'],
      ['22/tcp', 22, 'tcp', '203.0.113.47:30022'],
    ]);
    expect(browsableAddress(pod, 80)).toBe('http://203.0.113.47:30080');
  });

  it('open exactly http://ip:port of a mapped http port, and no address outside the pod', () => {
    expect(browsableAddress(pod, 6006)).toBe('http://203.0.113.47:10342');
    for (const port of [22, 8888, 9000, 1]) expect(browsableAddress(pod, port)).toBeNull();
    for (const publicIp of [
      '127.0.0.1',
      '0.0.0.0',
      '169.254.169.254',
      '224.0.0.1',
      '255.255.255.255',
      'localhost',
      'a.b.c.d',
      '1.2.3',
      '010.0.0.1',
      '1.2.3.4/x',
      '1.2.3.4@evil.test',
      '[::1]',
      '',
      null,
    ])
      expect(browsableAddress({ ...pod, publicIp }, 6006)).toBeNull();
    for (const publicPort of [0, 65_536, 1.5, -1])
      expect(browsableAddress({ ...pod, portMappings: { 6006: publicPort } }, 6006)).toBeNull();
    fc.assert(
      fc.property(fc.string(), fc.integer(), (publicIp, publicPort) => {
        const address = browsableAddress({ ports: ['80/http'], portMappings: { 80: publicPort }, publicIp }, 80);
        if (address !== null) expect(new URL(address).href).toBe(`${address}/`.replace(':80/', '/'));
      }),
    );
  });

  it('show whether a pod is still starting', () => {
    const fresh = { desiredStatus: 'RUNNING', publicIp: null, portMappings: {} };
    expect(isPodStarting(fresh)).toBe(true);
    expect(isPodStarting({ ...fresh, publicIp: '' })).toBe(true);
    expect(isPodStarting({ ...fresh, publicIp: '1.2.3.4' })).toBe(false);
    expect(isPodStarting({ ...fresh, portMappings: { 22: 1 } })).toBe(false);
    expect(isPodStarting({ ...fresh, desiredStatus: 'EXITED' })).toBe(false);
    expect(isPodStarting({ ...fresh, machine: { supportPublicIp: false } })).toBe(false);
    // A reply that leaves it out says nothing.
    expect(isPodStarting({ desiredStatus: 'RUNNING' })).toBe(false);
  });
});

describe('tracking a starting pod', () => {
  it('reads after 2 s, at growing intervals, 15 s at most, for ten minutes, and pauses after a 429', () => {
    let following = { sinceMs: 0, reads: 0, lastReadAtMs: 0, heldUntilMs: 0 };
    const pauses: number[] = [];
    for (let atMs = nextFollowMs(following); atMs !== null; atMs = nextFollowMs(following)) {
      pauses.push(atMs - following.lastReadAtMs);
      following = { ...following, reads: following.reads + 1, lastReadAtMs: atMs };
    }
    expect(pauses.slice(0, 6)).toEqual([2_000, 3_000, 4_500, 6_750, 10_125, 15_000]);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(Math.max(...pauses)).toBe(15_000);
    expect(following.lastReadAtMs).toBeLessThanOrEqual(600_000);
    expect(following.lastReadAtMs).toBeGreaterThan(580_000);
    expect(nextFollowMs({ sinceMs: 0, reads: 1, lastReadAtMs: 1_000, heldUntilMs: 90_000 })).toBe(90_000);
  });

  const reply = (pod: PodReply['pod']): { reply: PodReply } => ({
    reply: { pod, workersJson: null, extra: {}, oddFields: [], raw: '' },
  });
  const starting = reply({ id: 'p1', desiredStatus: 'RUNNING', publicIp: '' });

  it('begins with the first read of a starting pod and counts every read, until it has an address', () => {
    const first = followAfter(null, starting, null, 1_000);
    expect(first).toEqual({ sinceMs: 1_000, reads: 0, lastReadAtMs: 1_000, heldUntilMs: 1_000 });
    expect(followAfter(first, starting, null, 4_000)).toEqual({
      sinceMs: 1_000,
      reads: 1,
      lastReadAtMs: 4_000,
      heldUntilMs: 4_000,
    });
    expect(
      followAfter(
        first,
        reply({ id: 'p1', desiredStatus: 'RUNNING', publicIp: '203.0.113.47', portMappings: { 22: 10_341 } }),
        null,
        4_000,
      ),
    ).toBeNull();
    expect(followAfter(first, null, null, 4_000)).toBeNull();
  });

  it('waits out a 429, continues after an outage and ends when another read is pointless', () => {
    const failure = (kind: ServiceFailureKind, retryAfterMs = 0): Failure => ({
      kind,
      message: '',
      mayHaveArrived: true,
      retryAfterMs,
    });
    const before = followAfter(null, starting, null, 0);
    expect(followAfter(before, starting, failure('rate-limited', 30_000), 2_000)?.heldUntilMs).toBe(32_000);
    expect(followAfter(before, starting, failure('network'), 2_000)?.reads).toBe(1);
    expect(followAfter(before, starting, failure('unauthorized'), 2_000)).toBeNull();
  });

  it('is due immediately when the user continues it', () => {
    expect(nextFollowMs(restartFollowing(900_000))).toBeLessThan(900_000);
  });

  it('never reads more than sixty times a minute', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(600_000), (reads, lastReadAtMs) => {
        const atMs = nextFollowMs({ sinceMs: 0, reads, lastReadAtMs, heldUntilMs: 0 });
        if (atMs !== null) expect(atMs - lastReadAtMs).toBeGreaterThanOrEqual(2_000);
      }),
    );
  });
});

describe('ids', () => {
  it('are refused with a sentence if they are invalid', () => {
    for (const id of ['', '  ', 'a b', 'a/b', 'a?b', 'a#b', 'a\\b', '.', '..', 'x'.repeat(192), 'a\u0000b', '\uD800'])
      expect(podIdProblem(id)).toMatch(/\.$/);
    for (const id of ['p7d2kx40nqa1we', ' padded ', 'x'.repeat(191), 'ünï-côde', 'a.b', "it's"])
      expect(podIdProblem(id)).toBeNull();
  });

  it('are found in a listing of workers, whatever its form', () => {
    expect(
      workersIn(
        '[{"id":"w1","desiredStatus":"RUNNING","endpointId":"text","slsVersion":3},{"id":"a/b"},{"name":"x"},7,"w2",{"id":"w1"}]',
      ),
    ).toEqual({
      workers: [
        { id: 'w1', about: '' },
        { id: 'w2', about: '' },
      ],
      others: 3,
    });
    expect(workersIn('[{"id":"w1","desiredStatus":"RUNNING","endpointId":"text","slsVersion":3}]').workers).toEqual([
      { id: 'w1', about: 'RUNNING, text, version 3' },
    ]);
    expect(workersIn('{"a":{"id":"w1"}}').workers).toHaveLength(1);
    fc.assert(fc.property(fc.json(), (json) => void workersIn(json)));
  });
});
