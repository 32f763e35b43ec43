import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../src-main/log.ts';
import { ownReplyReader } from '../../../src-main/service/read-reply.ts';
import { createWebhookControl, type WebhookControl } from '../../../src-main/webhook/receiver.ts';
import type { Documents } from '../../../src-main/history/collection.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import { documentsInMemory } from '../../kit/documents-in-memory.ts';

function aControl(documents: Documents = documentsInMemory().documents): WebhookControl {
  const control = createWebhookControl({
    documents,
    clock: createVirtualClock(),
    onHint: () => undefined,
    onChange: () => undefined,
    log: createLog({ write: () => undefined, now: () => 0 }),
    replies: ownReplyReader,
  });
  onTestFinished(() => control.close());
  return control;
}

test.each([
  ['off', [true, false]],
  ['on', [true, false, true]],
])('the receiver is %s if that was wanted last, however fast it was changed', async (_state, wanted) => {
  const control = aControl();
  await Promise.all(wanted.map((isWanted) => control.apply(isWanted)));
  const isOn = wanted.at(-1) === true;
  expect(control.state().isOn).toBe(isOn);
  expect(control.state().url !== null).toBe(isOn);
});
