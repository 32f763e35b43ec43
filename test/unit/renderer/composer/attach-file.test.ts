import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { attachToDraft } from '../../../../src-renderer/composer/attach-file.ts';
import { emptyDraft } from '../../../../src-renderer/composer/composer-draft.ts';
import { useComposer } from '../../../../src-renderer/composer/composer-store.ts';
import { answerComposer, closeComposer, inputText, noticeNow } from '../../../kit/composer.ts';

/** Readers whose file the browser has not read yet. */
let reading: Reader[] = [];

/** The browser's reader, which reads when the test says so. */
class Reader extends EventTarget {
  result: string | null = null;
  readAsDataURL(): void {
    reading.push(this);
  }
  end(kind: 'load' | 'error'): void {
    this.result = kind === 'load' ? 'data:audio/wav;base64,QUJD' : null;
    this.dispatchEvent(new Event(kind));
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  reading = [];
  answerComposer();
  vi.stubGlobal('FileReader', Reader);
  show('for text', '{}');
});

afterEach(closeComposer);

function show(slot: string, text: string): void {
  const draft = { ...emptyDraft('c', 'text'), inputText: text };
  useComposer.setState({ isOpen: true, slot, draft, refusal: null });
}

const sound = new File(['ABC'], 'voice.wav', { type: 'audio/wav' });
const refusal = (): string | undefined => useComposer.getState().refusal?.message;

test('an input that is not an object, and a file that no operation accepts, are refused', async () => {
  show('for text', '[1]');
  await attachToDraft(sound);
  expect([refusal(), inputText()]).toEqual(['Fix the input first, then attach the file.', '[1]']);
  show('for text', '{}');
  await attachToDraft(new File([new Uint8Array(16_000_000)], 'reel.flac', { type: 'audio/flac' }));
  expect(refusal()).toContain('reel.flac is 16.0 MB');
  expect([reading, inputText()]).toEqual([[], '{}']);
});

test('a file becomes the last key of the input as it is when it is read, with what was typed meanwhile', async () => {
  const attached = attachToDraft(sound);
  useComposer.getState().change({ inputText: '{"typed": 1}' });
  reading[0]?.end('load');
  await attached;
  expect(inputText()).toBe('{"typed": 1,\n  "audio_base64": "QUJD"\n}');
  const again = attachToDraft(sound);
  reading[1]?.end('load');
  await again;
  expect(inputText()).toContain('"audio_base64_2": "QUJD"');
});

test('a file that is read when another draft is open changes nothing, and the user is notified', async () => {
  const attached = attachToDraft(sound);
  show('for image', '{"other": 1}');
  reading[0]?.end('load');
  await attached;
  expect(inputText()).toBe('{"other": 1}');
  expect(noticeNow()?.title).toBe('voice.wav was not added, because the input it was for is no longer open.');
});

test('a file that cannot be read, or an input that is no object any longer, is reported at the input', async () => {
  const attached = attachToDraft(sound);
  reading[0]?.end('error');
  await attached;
  expect(refusal()).toContain('Could not read voice.wav.');
  const again = attachToDraft(sound);
  useComposer.getState().change({ inputText: '{"typed": ' });
  reading[1]?.end('load');
  await again;
  expect([refusal(), inputText()]).toEqual(['Fix the input first, then attach the file.', '{"typed": ']);
});
