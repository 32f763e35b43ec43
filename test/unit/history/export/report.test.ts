import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExportedJob } from '../../../../src-main/history/export/exported-job.ts';
import { readBody } from '../../../../src-main/history/export/report-body.ts';
import { reportHead, reportSection } from '../../../../src-main/history/export/report.ts';
import { reportFoot } from '../../../../src-preload/report-page.ts';
import { aJob } from '../../../kit/a-job.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const exported: ExportedJob = {
  job: aJob({ phase: 'finished', status: 'COMPLETED', title: 'A lighthouse' }),
  connection: 'Main',
  cost: null,
  inputText: '{"prompt":"a lighthouse","seed":12345678901234567890}',
  outputText: JSON.stringify({ images: [{ data: png }], note: 'done' }),
  stream: null,
  errorText: null,
  note: '',
};

const page = (...jobs: ExportedJob[]): string =>
  reportHead('Jobs', Date.UTC(2026, 4, 2)) + jobs.map(reportSection).join('') + reportFoot;

/** Its tags as they stand, without the doctype. */
const tagsOf = (html: string): string[] => html.match(/<[^!][^>]*>/g) ?? [];

describe('a report', () => {
  it('shows an image recognised by its bytes, and a word in its place in the output', () => {
    const html = page(exported);
    expect(html).toContain(`<img alt="Output, image 1" src="data:image/png;base64,${png}">`);
    expect(html).toContain('&quot;data&quot;: (image 1: PNG, 1 × 1, 70 B)');
    expect(html).toContain('&quot;seed&quot;: 12345678901234567890');
  });

  it.each([
    ['a link', 'https://example.invalid/a.png'],
    ['a text that begins like a PNG', `iVBORw0KGgo ${'words '.repeat(20)}`],
    ['base64 that breaks out of its attribute', `${png.slice(0, 60)}" onerror="alert(1)`],
    [
      'an SVG, which may contain a script',
      `data:image/svg+xml;base64,${btoa('<svg onload="alert(1)"></svg>'.repeat(4))}`,
    ],
  ])('leaves %s as text', (_name, text) => {
    const html = page({ ...exported, outputText: JSON.stringify([text]) });
    expect(html).not.toContain('<img');
    expect(html).toContain(text.slice(0, 20));
  });

  it('allows nothing to be loaded or run, and its policy names its style by its hash', () => {
    const html = page(exported);
    const style = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(/Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.split('; ')).toEqual([
      "default-src 'none'",
      'img-src data:',
      `style-src 'sha256-${hash}'`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it('has no markup from its jobs, whatever they contain', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('</pre><script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '<!--', ']]>', '\0<b>'),
    );
    const own = [
      /^<\/[a-z0-9]+>$/,
      /^<(?:article|h2|h3|bdi|dl|div|dt|dd)>$/,
      /^<span class="status [a-z-]+">$/,
      /^<time datetime="[-0-9T:.Z]+">$/,
      /^<pre class="(?:code|prose)" dir="auto" tabindex="0" role="group" aria-label="[A-Z][a-z]+">$/,
    ];
    fc.assert(
      fc.property(nasty, nasty, (one, two) => {
        const job = aJob({
          title: one,
          endpointId: two,
          tags: [one],
          label: two,
          reason: { kind: 'prose', text: one },
        });
        const section = reportSection({
          ...exported,
          job,
          connection: two,
          note: one,
          inputText: two,
          outputText: JSON.stringify([one]),
          errorText: JSON.stringify({ error_traceback: two, x: one }),
        });
        for (const tag of tagsOf(section)) expect([tag, own.some((known) => known.test(tag))]).toEqual([tag, true]);
        expect(section.split('<article>')).toHaveLength(2);
        expect(section).not.toContain('\0');
      }),
    );
  });

  it('says when bodies were deleted, and shows nothing else of them', () => {
    const job = aJob({ ...exported.job, outputForgottenAtMs: 1_000, inputForgottenAtMs: 2_000 });
    const html = page({ ...exported, job, outputText: null, inputText: '' });
    expect(html).toContain('<dt>Output deleted</dt>');
    expect(html).toContain('<dt>Input deleted</dt>');
    expect(page(exported)).not.toContain('deleted');
  });

  it('joins a text that arrived in pieces, and shows a traceback as lines', () => {
    expect(readBody('["Once"," upon"," a time"]')).toEqual({ text: 'Once upon a time', isProse: true, images: [] });
    const failed = { ...exported, outputText: null, errorText: '{"error_type":"X","error_traceback":"one\\ntwo"}' };
    expect(reportSection(failed)).toContain('aria-label="Traceback">one\ntwo</pre>');
  });

  it('shows a stream as its text, and says how many chunks of a very long one are missing', () => {
    const of = (outputs: string[]): string =>
      page({ ...exported, outputText: null, stream: { chunkCount: outputs.length, pages: () => [outputs] } });
    expect(of(['"Once"', '" upon"'])).toContain('>Once upon</pre>');
    expect(of(['"Once"', '" upon"'])).not.toContain('missing');
    const long = of([...Array.from({ length: 34 }, () => JSON.stringify('x'.repeat(999_998))), '"end"']);
    expect(long).toContain('It shows the first 32 chunks; 3 chunks are missing here.');
    expect(long).not.toContain('end</pre>');
  });

  it('handles JSON of any depth', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect(readBody(deep).text.startsWith('[\n  [')).toBe(true);
  });
});
