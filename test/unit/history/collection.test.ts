import { expect, it } from 'vitest';
import { z } from 'zod';
import { byName, openCollection, parseDocument } from '../../../src-main/history/collection.ts';
import type { DocumentKind } from '../../../src-main/history/collection.ts';
import { documentsInMemory } from '../../kit/documents-in-memory.ts';

interface Place {
  street: string;
  number: number;
}

const placeKind: DocumentKind<Place, Pick<Place, 'street'>> = {
  kind: 'place',
  schema: z.object({ street: z.string(), number: z.number() }),
  id: ({ street }) => `at ${street}`,
};

it('saves values under the id that their kind makes, and finds them by either', async () => {
  const { documents, texts } = documentsInMemory();
  const places = openCollection(documents, placeKind);
  const value = { street: 'Elm', number: 3 };
  await places.put(value, value);
  expect([...texts]).toEqual([['place/at Elm', '{"street":"Elm","number":3}']]);
  expect(await places.read({ street: 'Elm' })).toEqual(value);
  expect(await places.read('at Elm')).toEqual(value);
  expect(await places.all()).toEqual([{ id: 'at Elm', value }]);
  await places.remove(value);
  expect([await places.read(value), await places.find(value), await places.all()]).toEqual([null, null, []]);
});

it('distinguishes unreadable values from missing ones, and leaves them unchanged', async () => {
  const { documents, texts } = documentsInMemory();
  const names = openCollection<string>(documents, { kind: 'name', schema: z.string(), id: byName });
  texts.set('name/newer', '{"v":2}').set('name/broken', '{"v":').set('other/x', '"x"');
  expect(await names.all()).toEqual([
    { id: 'newer', value: null },
    { id: 'broken', value: null },
  ]);
  expect([await names.read('newer'), await names.find('newer'), await names.find('none')]).toEqual([
    null,
    { id: 'newer', value: null },
    null,
  ]);
  expect(texts.get('name/newer')).toBe('{"v":2}');
  expect(parseDocument(z.string(), '"text"')).toBe('text');
});
