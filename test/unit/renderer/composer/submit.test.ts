import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '../../../../src-preload/connection.ts';
import { failed, ok, type Result } from '../../../../src-preload/failure.ts';
import { noJobs } from '../../../../src-preload/history.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { useBulk } from '../../../../src-renderer/composer/bulk/bulk-store.ts';
import { submitRows } from '../../../../src-renderer/composer/bulk/use-submit-batch.ts';
import { useComposer } from '../../../../src-renderer/composer/composer-store.ts';
import { checkDraft } from '../../../../src-renderer/composer/draft-check.ts';
import { submitDraft } from '../../../../src-renderer/composer/use-submit.ts';
import { listenToJobs, useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { useSession } from '../../../../src-renderer/data/session-store.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { answerComposer, closeComposer, inputText, noticeNow, savedDrafts } from '../../../kit/composer.ts';
import { aJob } from '../../../kit/a-job.ts';
import { aConnection } from '../../../kit/a-connection.ts';

const connection: Connection = aConnection({
  endpoints: [
    { id: 'text', label: '', flavour: 'text' },
    { id: 'image', label: '', flavour: 'image' },
  ],
});

/** The submissions that the engine has not answered yet. */
let asked: ((answer: Result<Job>) => void)[] = [];
let listeners: ReturnType<typeof answerComposer>['listeners'];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = () => new Promise<Result<Job>>((resolve) => asked.push(resolve));
  ({ listeners } = answerComposer({
    'job:submit': answer,
    'batch:submit': async () => {
      const answered = await answer();
      return answered.ok ? failed({ kind: 'defect', message: 'not a batch' }) : answered;
    },
  }));
  useSession.setState({ connections: [connection] });
  useToasts.setState({ items: [] });
  await useComposer.getState().openNew({ endpointId: 'text' });
  useComposer.getState().change({ inputText: '{"sent": 1}' });
});

afterEach(() => {
  closeComposer();
  useSession.setState({ connections: [] });
  asked = [];
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Presses Submit. */
function submit(): Promise<void> {
  const { draft } = useComposer.getState();
  if (draft === null) throw new Error('The sheet is empty.');
  return submitDraft(draft, checkDraft(draft, [connection]), 'open');
}

async function answered(answer: Result<Job>): Promise<void> {
  asked.shift()?.(answer);
  await settled();
}

/** What the disk has for an endpoint. Null: no draft. */
async function saved(endpointId: string): Promise<string | null> {
  await vi.runAllTimersAsync();
  const text = savedDrafts.get(`composer for c1 ${endpointId}`) ?? '';
  return text === '' ? null : text;
}

const refused: Result<Job> = failed({ kind: 'refused', message: 'The disk is full. The job was not sent.' });

test('what was sent is no draft any longer, and the sheet closes', async () => {
  void submit();
  await answered(ok(aJob()));
  expect(useComposer.getState()).toMatchObject({ isOpen: false, draft: null, isSubmitting: false });
  expect(await saved('text')).toBeNull();
});

test('a submitted job is listed before the next frame, as its last event says', async () => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hasFocus: () => false, hidden: false }));
  vi.stubGlobal('requestAnimationFrame', () => 0);
  listenToJobs();
  const submitted = aJob({ phase: 'submitting', status: null, jobId: null });
  const accepted = aJob({ phase: 'active', status: 'IN_QUEUE' });
  void submit();
  const counts = { revision: 1, all: noJobs, byConnection: {}, savedBytes: 0 };
  for (const job of [submitted, accepted])
    listeners['job:changed']?.({ jobs: [job], removedKeys: [], batches: [], counts });
  await answered(ok(submitted));
  expect(useJobs.getState().list.get(submitted.key)).toEqual(accepted);
  expect(useJobs.getState()).toMatchObject({ selectedKey: submitted.key, isDetailOpen: true });
});

test('what is typed while the job is being saved stays in the sheet and on disk', async () => {
  void submit();
  useComposer.getState().change({ inputText: '{"typed": "since"}' });
  await answered(ok(aJob({ title: 'A kettle' })));
  expect(useComposer.getState().isOpen).toBe(true);
  expect(inputText()).toBe('{"typed": "since"}');
  expect(noticeNow()?.title).toBe('Submitted A kettle.');
  expect(await saved('text')).toContain('since');
});

test('a draft that was opened while another one is being saved stays, and the sent one is gone', async () => {
  savedDrafts.set(
    'composer for c1 image',
    JSON.stringify({ ...useComposer.getState().draft, inputText: '{"image": 2}' }),
  );
  void submit();
  await useComposer.getState().goTo({ connectionId: 'c1', endpointId: 'image' });
  await answered(ok(aJob()));
  expect(useComposer.getState().isOpen).toBe(true);
  expect(inputText()).toBe('{"image": 2}');
  expect(await saved('image')).toContain('image');
  expect(await saved('text')).toBeNull();
});

test('a refusal is shown even if the sheet was closed meanwhile, and the draft is still there', async () => {
  void submit();
  useComposer.getState().close();
  await answered(refused);
  expect(useToasts.getState().items.at(-1)?.message).toBe('The disk is full. The job was not sent.');
  await useComposer.getState().openNew({ endpointId: 'text' });
  expect(inputText()).toBe('{"sent": 1}');
});

test('a sheet that is closed and opened again while its job is being saved does not send it a second time', async () => {
  void submit();
  useComposer.getState().close();
  await useComposer.getState().openNew({ endpointId: 'text' });
  void submit();
  expect(asked).toHaveLength(1);
  await answered(ok(aJob()));
  expect(useComposer.getState()).toMatchObject({ isOpen: false, isSubmitting: false });
});

test('nothing is sent to the former endpoint while the draft of another one is being read', async () => {
  useBulk.getState().setText('{"a": 1}\n{"a": 2}\n');
  await expect.poll(() => useBulk.getState().parsed.good).toHaveLength(2);
  const { draft } = useComposer.getState();
  if (draft === null) throw new Error('The sheet is empty.');
  const moved = useComposer.getState().goTo({ connectionId: 'c1', endpointId: 'image' });
  void submit();
  void submitRows(draft, checkDraft(draft, [connection]));
  await moved;
  expect(asked).toHaveLength(0);
  void submit();
  expect(asked).toHaveLength(1);
  expect(useComposer.getState().draft?.endpointId).toBe('image');
  await answered(ok(aJob()));
  useBulk.getState().submitted(useBulk.getState());
});

test('a batch that is refused after the sheet was closed says so, and its rows stay', async () => {
  useBulk.getState().setText('{"a": 1}\n{"a": 2}\n');
  await expect.poll(() => useBulk.getState().parsed.good).toHaveLength(2);
  const { draft } = useComposer.getState();
  if (draft === null) throw new Error('The sheet is empty.');
  const done = submitRows(draft, checkDraft(draft, [connection]));
  useComposer.getState().close();
  await answered(refused);
  await done;
  expect(useToasts.getState().items.at(-1)?.message).toBe('The disk is full. The job was not sent.');
  expect(useBulk.getState().text).toBe('{"a": 1}\n{"a": 2}\n');
});

test('rows that are typed while a batch is being saved are no part of it and stay', () => {
  const sent = { text: '{"a": 1}\n', name: '' };
  useBulk.getState().setText('{"a": 1}\n{"a": 2}\n');
  expect(useBulk.getState().submitted(sent)).toBe(false);
  expect(useBulk.getState().text).toBe('{"a": 1}\n{"a": 2}\n');
  expect(useBulk.getState().submitted(useBulk.getState())).toBe(true);
  expect(useBulk.getState().text).toBe('');
});
