import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '../../../../src-preload/connection.ts';
import { ok } from '../../../../src-preload/failure.ts';
import { useComposer } from '../../../../src-renderer/composer/composer-store.ts';
import { useSession } from '../../../../src-renderer/data/session-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

const kept = new Map<string, string>();

beforeEach(() => {
  answerCalls({
    'draft:keep': ({ slot, text }) => {
      kept.set(slot, text);
      return Promise.resolve(ok(null));
    },
    'draft:load': ({ slot }) => {
      const text = kept.get(slot) ?? '';
      return Promise.resolve(ok(text === '' ? null : { text }));
    },
    'job:draft': ({ key }) =>
      Promise.resolve(ok({ connectionId: '', endpointId: '', operation: 'run', inputText: `{"of":"${key}"}` })),
  });
});

afterEach(() => {
  useComposer.getState().submitted();
  kept.clear();
  vi.unstubAllGlobals();
});

function inputText(): string | undefined {
  return useComposer.getState().draft?.inputText;
}

test('what was typed for a new job is there again after another job was opened to be resubmitted', async () => {
  const composer = useComposer.getState();
  await composer.openNew();
  composer.change({ inputText: '{"typed":"by hand"}' });
  composer.close();
  await composer.openFrom('k1');
  expect(inputText()).toBe('{"of":"k1"}');
  composer.close();
  await composer.openNew();
  expect(inputText()).toBe('{"typed":"by hand"}');
});

test('edits of a resubmission are there again under the same job, and can be given up for the saved input', async () => {
  const composer = useComposer.getState();
  await composer.openFrom('k1');
  composer.change({ inputText: '{"edited":1}' });
  composer.close();
  await composer.openFrom('k2');
  expect(inputText()).toBe('{"of":"k2"}');
  composer.close();
  await composer.openFrom('k1');
  expect(inputText()).toBe('{"edited":1}');
  expect(useComposer.getState().unedited?.inputText).toBe('{"of":"k1"}');
  composer.dropEdits();
  expect(inputText()).toBe('{"of":"k1"}');
  composer.submitted();
  await composer.openFrom('k1');
  expect(inputText()).toBe('{"of":"k1"}');
});

test('a job that is only looked at in the composer leaves no draft behind', async () => {
  await useComposer.getState().openFrom('k3');
  useComposer.getState().close();
  expect([...kept.keys()].filter((slot) => slot.includes('k3'))).toEqual([]);
});

test('a resubmission that was sent leaves the draft of the new job alone', async () => {
  const composer = useComposer.getState();
  await composer.openNew();
  composer.change({ inputText: '{"typed":"by hand"}' });
  composer.close();
  await composer.openFrom('k1');
  composer.submitted();
  await composer.openNew();
  expect(inputText()).toBe('{"typed":"by hand"}');
});

test('a job of a removed connection goes to the connection in use, to an endpoint that is chosen anew', async () => {
  const connection: Connection = {
    id: 'c2',
    name: 'Another',
    baseUrl: 'http://127.0.0.1:1',
    restUrl: '',
    authorization: 'bearer',
    endpoints: [{ id: 'text', label: '', flavour: 'text' }],
    isSandbox: false,
    hasKey: true,
    plainHttp: [],
    state: { kind: 'ready' },
    createdAtMs: 0,
  };
  const former = useSession.getState().connections;
  useSession.setState({ connections: [connection] });
  await useComposer.getState().openFrom('k4');
  expect(useComposer.getState().draft).toMatchObject({ connectionId: 'c2', endpointId: '' });
  useSession.setState({ connections: former });
});
