import { describe, expect, it } from 'vitest';
import {
  createManagementAllowance,
  managementPerMinute,
  withAllowance,
} from '../../../src-main/service/management-allowance.ts';
import type { ManagementApi } from '../../../src-main/service/reply.ts';
import { failed } from '../../../src-preload/failure.ts';

const limited = { kind: 'rate-limited', message: 'm', mayHaveArrived: true, retryAfterMs: 7_000 } as const;

describe('the allowance of the management interface', () => {
  it('is sixty requests in any minute per connection (ruling 20)', () => {
    const allowance = createManagementAllowance({ random: () => 0.5 });
    for (let at = 0; at < managementPerMinute; at += 1) expect(allowance.begin('a', at * 100)).toBeNull();
    expect(allowance.begin('a', 6_000)).toEqual({ atMs: 60_000, isByService: false });
    expect(allowance.begin('b', 6_000)).toBeNull();
    expect(allowance.begin('a', 60_000)).toBeNull();
    expect(allowance.begin('a', 60_001)).toEqual({ atMs: 60_100, isByService: false });
  });

  it('is zero after a 429, as long as Retry-After says, otherwise with back-off (ruling 10)', () => {
    const allowance = createManagementAllowance({ random: () => 1 });
    allowance.end('a', limited, 1_000);
    expect(allowance.begin('a', 7_999)).toEqual({ atMs: 8_000, isByService: true });
    expect(allowance.begin('a', 8_000)).toBeNull();
    const { retryAfterMs: _none, ...bare } = limited;
    allowance.end('a', bare, 10_000);
    allowance.end('a', bare, 10_000);
    // The third in a row: 500 ms doubled twice.
    expect(allowance.begin('a', 10_000)).toEqual({ atMs: 12_000, isByService: true });
    allowance.end('a', null, 20_000);
    allowance.end('a', bare, 20_000);
    expect(allowance.begin('a', 20_000)).toEqual({ atMs: 20_500, isByService: true });
  });

  it('waits no less than the back-off if Retry-After says 0, and no longer than a day (ruling 10)', () => {
    const allowance = createManagementAllowance({ random: () => 0.5 });
    allowance.end('a', { ...limited, retryAfterMs: 0 }, 1_000);
    expect(allowance.begin('a', 1_249)).toEqual({ atMs: 1_250, isByService: true });
    expect(allowance.begin('a', 1_250)).toBeNull();
    allowance.end('a', { ...limited, retryAfterMs: 5 * 86_400_000 }, 2_000);
    expect(allowance.begin('a', 2_000)).toEqual({ atMs: 2_000 + 86_400_000, isByService: true });
  });

  it('is not used up by requests that were never sent, as without a network', () => {
    const allowance = createManagementAllowance({ random: () => 0.5 });
    const unsent = { kind: 'network', message: 'm', mayHaveArrived: false } as const;
    for (let at = 0; at < 2 * managementPerMinute; at += 1) {
      expect(allowance.begin('a', at)).toBeNull();
      allowance.end('a', unsent, at);
    }
    for (let at = 0; at < managementPerMinute; at += 1) expect(allowance.begin('a', 1_000)).toBeNull();
    expect(allowance.begin('a', 1_000)).not.toBeNull();
  });

  it('is shared by connections of one account, even if that is learned late (ruling 42)', () => {
    const accounts = new Map([['c', 'other']]);
    const allowance = createManagementAllowance({ random: () => 0.5, accountOf: (id) => accounts.get(id) ?? id });
    for (let at = 0; at < 40; at += 1) {
      expect(allowance.begin('a', at * 100)).toBeNull();
      expect(allowance.begin('b', at * 100 + 50)).toBeNull();
    }
    expect(allowance.begin('b', 5_000)).toBeNull();
    accounts.set('a', 'one').set('b', 'one');
    // 81 were sent: the 22nd has to be a minute ago before there is room for one more.
    expect(allowance.begin('a', 6_000)).toEqual({ atMs: 61_050, isByService: false });
    expect(allowance.begin('b', 6_000)).toEqual({ atMs: 61_050, isByService: false });
    expect(allowance.begin('c', 6_000)).toBeNull();
    expect(allowance.begin('a', 61_050)).toBeNull();
    expect(allowance.begin('b', 61_050)).not.toBeNull();
    allowance.end('a', limited, 70_000);
    expect(allowance.begin('b', 70_001)).toEqual({ atMs: 77_000, isByService: true });
    allowance.end('b', null, 78_000);
    allowance.end('b', { ...limited, retryAfterMs: 0 }, 78_000);
    // One in a row again, whichever request was answered.
    expect(allowance.begin('a', 78_000)).toEqual({ atMs: 78_250, isByService: true });
  });

  it('is checked before anything is sent', async () => {
    let sent = 0;
    const api: ManagementApi = {
      getPod: async () => {
        sent += 1;
        return {
          result: failed(limited),
          exchange: {
            atMs: 0,
            method: 'GET',
            operation: 'get-pod',
            path: '/',
            httpStatus: 429,
            tookMs: 1,
            bytesReceived: 0,
          },
        };
      },
      updateTemplate: () => Promise.reject(new Error('not requested')),
    };
    const governed = withAllowance(api, 'a', createManagementAllowance({ random: () => 0 }), () => 1_000);
    expect((await governed.getPod('p', [])).result).toEqual(failed(limited));
    const second = await governed.getPod('p', []);
    expect(second.result).toMatchObject({
      ok: false,
      failure: {
        kind: 'rate-limited',
        retryAfterMs: 7_000,
        mayHaveArrived: false,
        message: expect.stringContaining('7 s. Nothing was sent.'),
      },
    });
    expect((await governed.updateTemplate('t', {})).result.ok).toBe(false);
    expect(sent).toBe(1);
  });
});
