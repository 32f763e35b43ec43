import { expect, it } from 'vitest';
import {
  createImageStore,
  maxKept,
  maxKeptBytes,
  type ShownImage,
} from '../../../../../src-renderer/job/media/image-store.ts';
import type { StreamedMedia } from '../../../../../src-preload/stream-digest.ts';
import type { MediaPlace } from '../../../../../src-renderer/job/media/output-media.ts';

const place = (seq: number): StreamedMedia => ({ kind: 'image', seq, chunks: 1, index: 0 });
const places = (from: number, to: number): StreamedMedia[] =>
  Array.from({ length: to - from }, (_, at) => place(from + at));

/** A store whose images are read when the test says so. */
function aStore(bytes = 50_000) {
  const addresses = new Set<string>();
  const asked: number[] = [];
  const answers: (() => void)[] = [];
  const load = async (wanted: MediaPlace): Promise<ShownImage> => {
    const seq = 'seq' in wanted ? wanted.seq : -1;
    asked.push(seq);
    await new Promise<void>((resolve) => answers.push(resolve));
    const url = `blob:${seq}`;
    addresses.add(url);
    return { image: { path: '', filename: null, format: 'png', width: 1, height: 1, bytes, facts: [] }, url };
  };
  let changes = 0;
  const store = createImageStore({
    load,
    release: (url) => addresses.delete(url),
    onChange: () => (changes += 1),
  });
  const answer = async (): Promise<void> => {
    answers.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const answerAll = async (): Promise<void> => {
    while (answers.length > 0) await answer();
  };
  return { store, addresses, asked, answer, answerAll, changes: () => changes };
}

it('reads one at a time, the most important first, and skips those no longer needed', async () => {
  const { store, asked, answer, answerAll, changes } = aStore();
  store.want([place(9), place(1), place(2)]);
  expect(asked).toEqual([9]);
  store.want([place(10), place(2)]);
  await answer();
  expect([asked, store.get(place(9))?.url]).toEqual([[9, 10], 'blob:9']);
  await answerAll();
  expect([asked, changes()]).toEqual([[9, 10, 2], 3]);
  store.want([place(2), place(9)]);
  await answerAll();
  expect(asked).toHaveLength(3);
});

it('keeps the memory of a thousand previews constant, and keeps the shown ones', async () => {
  const { store, addresses, answerAll } = aStore();
  for (let newest = 0; newest < 1_000; newest += 1) {
    store.want([place(newest), ...places(Math.max(0, newest - 8), newest)]);
    await answerAll();
    expect(addresses.size).toBeLessThanOrEqual(maxKept);
    expect(store.get(place(newest))?.url).toBe(`blob:${newest}`);
  }
});

it('keeps few large ones', async () => {
  const { store, addresses, answerAll } = aStore(20_000_000);
  for (let newest = 0; newest < 20; newest += 1) {
    store.want([place(newest)]);
    await answerAll();
    expect(addresses.size * 20_000_000).toBeLessThanOrEqual(maxKeptBytes);
  }
  expect(store.get(place(19))).toBeDefined();
});

it('frees all when it is cleared, even those still being read, and can be used again', async () => {
  const { store, addresses, asked, answerAll } = aStore();
  store.want(places(0, 3));
  await answerAll();
  store.want([place(7)]);
  store.clear();
  await answerAll();
  expect([addresses.size, store.get(place(7))]).toEqual([0, undefined]);
  store.want([place(7)]);
  await answerAll();
  expect([asked.slice(-2), [...addresses]]).toEqual([[7, 7], ['blob:7']]);
});
