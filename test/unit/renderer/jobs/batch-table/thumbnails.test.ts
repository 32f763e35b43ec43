import { expect, test } from 'vitest';
import { createThumbnails, maxKept, type Thumbnail } from '../../../../../src-renderer/jobs/batch-table/thumbnails.ts';

function aStore() {
  const loaded: string[] = [];
  const released: string[] = [];
  const waiting: (() => void)[] = [];
  let changes = 0;
  const store = createThumbnails({
    load: (key) => {
      loaded.push(key);
      const shown: Thumbnail = { url: `blob:${key}`, isDamaged: false, width: 1, height: 1, count: 1 };
      return new Promise((resolve) => waiting.push(() => resolve(shown)));
    },
    release: (url) => released.push(url),
    onChange: () => (changes += 1),
  });
  const next = async (): Promise<void> => {
    waiting.shift()?.();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { store, loaded, released, next, changes: () => changes };
}

const wantedOf = (...keys: string[]) => keys.map((key) => ({ key, bodies: '1' }));

test('pictures are made one after another, and what left the screen meanwhile is not made', async () => {
  const { store, loaded, next } = aStore();
  store.want(wantedOf('a', 'b', 'c'));
  store.want(wantedOf('a', 'c'));
  await next();
  await next();
  expect(loaded).toEqual(['a', 'c']);
  expect([store.get('a')?.url, store.get('b'), store.get('c')?.url]).toEqual(['blob:a', undefined, 'blob:c']);
});

test('a picture is made again when the output is another one', async () => {
  const { store, loaded, released, next } = aStore();
  store.want(wantedOf('a'));
  await next();
  store.want(wantedOf('a'));
  store.want([{ key: 'a', bodies: '2' }]);
  await next();
  expect(loaded).toEqual(['a', 'a']);
  expect(released).toEqual(['blob:a']);
});

test('a screen with more pictures than are kept otherwise has all of them, each made once', async () => {
  const { store, loaded, released, next } = aStore();
  const keys = Array.from({ length: maxKept + 3 }, (_, at) => `k${at}`);
  store.want(wantedOf(...keys));
  for (const _ of keys) await next();
  await next();
  expect(loaded).toEqual(keys);
  expect(released).toEqual([]);
});

test('only some screens of pictures are kept, the latest ones, and none after the end', async () => {
  const { store, released, next } = aStore();
  const keys = Array.from({ length: maxKept + 2 }, (_, at) => `k${at}`);
  for (const key of keys) {
    store.want(wantedOf(key));
    await next();
  }
  expect(released).toEqual(['blob:k0', 'blob:k1']);
  store.want(wantedOf('late'));
  store.clear();
  await next();
  expect(released).toContain('blob:late');
  expect(new Set(released).size).toBe(keys.length + 1);
});
