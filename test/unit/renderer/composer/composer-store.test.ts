import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '../../../../src-preload/connection.ts';
import { ok } from '../../../../src-preload/failure.ts';
import { useComposer } from '../../../../src-renderer/composer/composer-store.ts';
import { useSession } from '../../../../src-renderer/data/session-store.ts';
import { emptyDraft } from '../../../../src-renderer/composer/composer-draft.ts';
import { answerComposer, closeComposer, savedDrafts } from '../../../kit/composer.ts';
import { aConnection } from '../../../kit/a-connection.ts';

beforeEach(() => {
  // What is saved a moment later belongs to no other test.
  vi.useFakeTimers();
  answerComposer({
    'job:draft': ({ key }) =>
      Promise.resolve(ok({ connectionId: '', endpointId: '', operation: 'run', inputText: `{"of":"${key}"}` })),
  });
});

afterEach(closeComposer);

const connection: Connection = aConnection({
  endpoints: [
    { id: 'text', label: '', flavour: 'text' },
    { id: 'image', label: '', flavour: 'image' },
  ],
});

/** The composer as after a start of the app: nothing in memory, what was saved on disk. */
async function restarted(): Promise<typeof useComposer> {
  vi.resetModules();
  const session = await import('../../../../src-renderer/data/session-store.ts');
  session.useSession.setState({ connections: [connection] });
  return (await import('../../../../src-renderer/composer/composer-store.ts')).useComposer;
}

const to = (endpointId: string) => ({ connectionId: 'c1', endpointId });

test('each endpoint has its own draft; one without starts with the current input, and neither is lost', async () => {
  const composer = await restarted();
  await composer.getState().openNew({ endpointId: 'image' });
  composer.getState().change({ inputText: '{"of":"image"}' });
  composer.getState().close();
  await composer.getState().openNew({ endpointId: 'text' });
  composer.getState().change({ inputText: '{"typed":"for text"}' });
  await composer.getState().goTo(to('image'));
  expect(composer.getState().draft).toMatchObject({ endpointId: 'image', inputText: '{"of":"image"}' });
  await composer.getState().goTo(to('text'));
  expect(composer.getState().draft).toMatchObject({ endpointId: 'text', inputText: '{"typed":"for text"}' });
  composer.getState().submitted();

  // Nothing is there for it: what is in the sheet comes along, and stays where it was as well.
  await composer.getState().openNew({ endpointId: 'image' });
  await composer.getState().goTo(to('text'));
  expect(composer.getState().draft).toMatchObject({ endpointId: 'text', inputText: '{"of":"image"}' });
  composer.getState().close();
  const again = await restarted();
  await again.getState().openNew();
  expect(again.getState().draft).toMatchObject({ endpointId: 'text', inputText: '{"of":"image"}' });
  await again.getState().goTo(to('image'));
  expect(again.getState().draft).toMatchObject({ endpointId: 'image', inputText: '{"of":"image"}' });
});

test('an input that only passed through an endpoint leaves no draft there', async () => {
  const composer = await restarted();
  await composer.getState().openNew({ endpointId: 'text' });
  composer.getState().change({ inputText: '{"a":1}' });
  await composer.getState().goTo(to('image'));
  await composer.getState().goTo(to('text'));
  composer.getState().change({ inputText: '{"a":2}' });
  await composer.getState().goTo(to('image'));
  expect(composer.getState().draft?.inputText).toBe('{"a":2}');
});

test('the single draft of an earlier version is found at its endpoint, and moved there once', async () => {
  const old = { ...emptyDraft('c1', 'image'), inputText: '{"from":"before"}' };
  savedDrafts.set('composer', JSON.stringify(old));
  const composer = await restarted();
  await composer.getState().openNew();
  expect(composer.getState().draft).toMatchObject({ endpointId: 'image', inputText: '{"from":"before"}' });
  composer.getState().submitted();
  const again = await restarted();
  await again.getState().openNew();
  expect(again.getState().draft).toMatchObject({ endpointId: 'image', inputText: emptyDraft('', '').inputText });
});

test('a draft whose endpoint is gone moves to the next one', async () => {
  const composer = await restarted();
  await composer.getState().openNew({ endpointId: 'image' });
  composer.getState().change({ inputText: '{"of":"image"}' });
  composer.getState().close();
  const again = await restarted();
  const session = await import('../../../../src-renderer/data/session-store.ts');
  session.useSession.setState({ connections: [{ ...connection, endpoints: connection.endpoints.slice(0, 1) }] });
  await again.getState().openNew();
  expect(again.getState().draft).toMatchObject({ endpointId: 'text', inputText: '{"of":"image"}' });
});

test('a resubmission that is sent to another endpoint stays a draft of its job', async () => {
  const composer = await restarted();
  await composer.getState().openFrom('k9');
  await composer.getState().goTo(to('image'));
  expect(composer.getState()).toMatchObject({ slot: 'composer of k9', draft: { endpointId: 'image' } });
});

function inputText(): string | undefined {
  return useComposer.getState().draft?.inputText;
}

test('text typed for a new job is restored after another job was opened to be resubmitted', async () => {
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

test('edits of a resubmission are restored under the same job, and can be discarded for the saved input', async () => {
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

test('a job that is opened in the composer without edits leaves no draft', async () => {
  await useComposer.getState().openFrom('k3');
  useComposer.getState().close();
  expect([...savedDrafts.keys()].filter((slot) => slot.includes('k3'))).toEqual([]);
});

test('a sent resubmission does not change the draft of the new job', async () => {
  const composer = useComposer.getState();
  await composer.openNew();
  composer.change({ inputText: '{"typed":"by hand"}' });
  composer.close();
  await composer.openFrom('k1');
  composer.submitted();
  await composer.openNew();
  expect(inputText()).toBe('{"typed":"by hand"}');
});

test('a job of a removed connection goes to the current connection, to an endpoint that is chosen again', async () => {
  const another: Connection = { ...connection, id: 'c2', endpoints: connection.endpoints.slice(0, 1) };
  const former = useSession.getState().connections;
  useSession.setState({ connections: [another] });
  await useComposer.getState().openFrom('k4');
  expect(useComposer.getState().draft).toMatchObject({ connectionId: 'c2', endpointId: '' });
  useSession.setState({ connections: former });
});
