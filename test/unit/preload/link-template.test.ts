import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filledLink, isLinkTemplate, logFields } from '../../../src-preload/link-template.ts';

const log = 'https://logs.example/{{endpoint_id}}/{{ job_id }}?worker={{worker_id}}';

test('each field is filled in as one part of the address', () => {
  const values = { endpoint_id: 'ep/1', job_id: 'a b?c', worker_id: 'w&x=1' };
  expect(filledLink(log, values)).toBe('https://logs.example/ep%2F1/a%20b%3Fc?worker=w%26x%3D1');
  expect(filledLink('https://logs.example/', {})).toBe('https://logs.example/');
});

test('without a link, or without an id that it names, there is nothing to open', () => {
  expect(filledLink(undefined, {})).toBeNull();
  expect(filledLink('', {})).toBeNull();
  expect(filledLink(log, { endpoint_id: 'ep', job_id: 'j', worker_id: null })).toBeNull();
  expect(filledLink(log, { endpoint_id: 'ep', worker_id: 'w' })).toBeNull();
});

test.each(['', '.', '..'])('the id %j, which would lead to another page, is not filled in', (id) => {
  expect(filledLink('https://logs.example/jobs/{{job_id}}/log', { job_id: id })).toBeNull();
});

test.each([
  ['', true],
  [log, true],
  ['https://logs.example', true],
  ['http://logs.example/{{job_id}}', false],
  ['javascript:alert({{job_id}})', false],
  ['file:///{{job_id}}', false],
  ['logs.example/{{job_id}}', false],
  ['https://logs.example/{{key}}', false],
  ['https://logs.example/{{}}', false],
  ['https://{{worker_id}}.example/', false],
  ['https://logs.example{{job_id}}/', false],
  ['https://logs.example:{{job_id}}/', false],
  ['https://me:secret@logs.example/{{job_id}}', false],
  ['https://{{job_id}}@logs.example/', false],
])('%s can be a link: %s', (template, isLink) => expect(isLinkTemplate(template, logFields)).toBe(isLink));

test('only the fields of its kind are known', () => {
  expect(isLinkTemplate('https://console.example/{{endpoint_id}}', ['endpoint_id'])).toBe(true);
  expect(isLinkTemplate('https://console.example/{{job_id}}', ['endpoint_id'])).toBe(false);
});

test('no id from a service leads to another host', () => {
  const piece = fc.oneof(fc.constantFrom('{{job_id}}', '/', '.', '@', ':', '?', '#', '\\', 'x', '%2f'), fc.string());
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 6 }),
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\uD800', '..', '@x.example')),
      (pieces, id) => {
        const template = `https://logs.example${pieces.join('')}`;
        if (!isLinkTemplate(template, logFields)) return;
        const link = filledLink(template, { job_id: id });
        if (link === null) return;
        expect(URL.parse(link)?.host).toBe(URL.parse(template.replaceAll('{{job_id}}', 'a'))?.host);
      },
    ),
    { numRuns: 500 },
  );
});
