import { describe, expect, it } from 'vitest';
import type { Closure, TrackerState } from '../../../src-preload/app.ts';
import type { ConnectionState } from '../../../src-preload/connection.ts';
import { refusalNews, refusalLine, refusalsOf, refusalMessage } from '../../../src-main/notifications/refusals.ts';
import type { NotifiedRefusals } from '../../../src-main/notifications/refusals.ts';

type Facts = Pick<TrackerState, 'connections' | 'closures'>;

const minute = 60_000;
const started = new Date(2026, 10, 21, 14, 4, 30).getTime();
const status: Closure = {
  connectionId: 'c',
  endpointId: 'llm',
  operation: 'status',
  httpStatus: 403,
  path: '/v2/llm/status/1',
  serviceSaid: null,
  sinceMs: started,
  nextTryMs: started + 30_000,
};
const names = {
  connectionName: (id: string) => (id === 'c' ? 'Production' : id),
  endpointName: ({ endpointId }: { endpointId: string }) => (endpointId === 'llm' ? 'Chat' : endpointId),
};
const keyRefused: ConnectionState = {
  kind: 'key-refused',
  httpStatus: 401,
  path: '/',
  sinceMs: started,
  nextTryMs: started + 30_000,
};

const open: Facts = { connections: [], closures: [] };
const closed = (...closures: Closure[]): Facts => ({ connections: [], closures });
const refused = (...closures: Closure[]): Facts => ({
  connections: [{ connectionId: 'c', state: keyRefused, lastSyncAtMs: null }],
  closures,
});

/** The reports when these states follow one another at these times. */
function toldOf(steps: readonly (readonly [number, Facts])[]): string[] {
  let notified: NotifiedRefusals = new Map();
  return steps.flatMap(([atMs, state]) => {
    const news = refusalNews(notified, state, started + atMs, started);
    ({ notified } = news);
    return news.show.map((refusal) => refusalMessage(refusal, names).title);
  });
}

const once = ['Status on Chat is refused (403)'];

describe('one notification for refusals (ruling 35)', () => {
  it('reports an operation once, however long it stays refused', () => {
    expect(
      toldOf([
        [0, open],
        [1_000, closed(status)],
        [30 * minute, closed(status)],
        [300 * minute, closed({ ...status, nextTryMs: null })],
      ]),
    ).toEqual(once);
  });

  it('reports nothing more while it flaps within ten minutes', () => {
    const flapping = Array.from({ length: 40 }, (_, at): [number, Facts] => [
      at * 4 * minute,
      at % 2 === 0 ? closed(status) : open,
    ]);
    expect(toldOf(flapping)).toEqual(once);
  });

  it('reports again after ten minutes of acceptance', () => {
    expect(
      toldOf([
        [0, closed(status)],
        [minute, open],
        [11 * minute, closed(status)],
      ]),
    ).toEqual([...once, ...once]);
    expect(
      toldOf([
        [0, closed(status)],
        [minute, open],
        [11 * minute - 1, closed(status)],
      ]),
    ).toEqual(once);
  });

  it('reports operations that close together on one endpoint as one, and another endpoint separately', () => {
    const other = { ...status, endpointId: 'img', operation: 'cancel' };
    expect(toldOf([[0, closed(status, { ...status, operation: 'stream', httpStatus: 401 }, other)]])).toEqual([
      'Status and stream on Chat are refused (401, 403)',
      'Cancel on img is refused (403)',
    ]);
  });

  it('reports only new refusals if something was already refused', () => {
    expect(
      toldOf([
        [0, closed(status)],
        [minute, closed(status, { ...status, operation: 'cancel' })],
      ]),
    ).toEqual([...once, 'Cancel on Chat is refused (403)']);
  });

  it('reports a refused key once, and none of its operations, even if the key is accepted again before they are', () => {
    expect(
      toldOf([
        [0, refused(status)],
        [minute, refused(status)],
        [2 * minute, closed(status)],
      ]),
    ).toEqual(['The service refuses the key for Production (401)']);
  });

  it('does not repeat a report from before Jobdeck started', () => {
    expect(
      toldOf([
        [0, closed({ ...status, sinceMs: started - 1 })],
        [
          minute,
          {
            connections: [{ connectionId: 'c', state: { ...keyRefused, sinceMs: started - 1 }, lastSyncAtMs: null }],
            closures: [],
          },
        ],
      ]),
    ).toEqual([]);
  });
});

describe('the text of a refusal', () => {
  it('says what it means, what is not refused, and when it is tried again', () => {
    const [refusal] = refusalsOf(closed(status));
    expect(refusal === undefined ? null : refusalMessage(refusal, names)).toEqual({
      title: 'Status on Chat is refused (403)',
      body:
        'Jobdeck cannot check jobs there meanwhile; their results wait on the service. ' +
        'Nothing else is refused. Next try at 14:05.',
    });
    const [key] = refusalsOf(refused());
    expect(key === undefined ? null : refusalMessage(key, names).body).toBe(
      'Meanwhile Jobdeck reads and sends nothing there; saved jobs are safe. Next try at 14:05.',
    );
  });

  it('fits in a line of the tray, with a refused key in place of its operations', () => {
    expect(refusalsOf(closed(status)).map((refusal) => refusalLine(refusal, names))).toEqual([
      'Refused: status on Chat',
    ]);
    expect(refusalsOf(refused(status)).map((refusal) => refusalLine(refusal, names))).toEqual([
      'Key refused: Production',
    ]);
  });
});
