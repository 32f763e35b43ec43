import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  destinationRoute,
  plainPanes,
  readDestination,
  type Destination,
} from '../../../../src-preload/destination.ts';
import { jobViews } from '../../../../src-preload/job-views.ts';
import { jobLink } from '../../../../src-preload/job-link.ts';
import { linkIn, readLink, registerLinks, type LinkSystem } from '../../../../src-main/desktop/links/links.ts';

/** Signs that mean something in an address, or may not stand in one. */
const special = fc.constantFrom(...'[]<>^|\\:@/?#%&=. a1\0\n', 'job', 'new', '%00', '%zz', 'input=', '\u202E');

describe('links', () => {
  it('lead to a job, and to a new job with its first values', () => {
    expect(readLink('jobdeck://job/0abcDEF_-9')).toEqual({ kind: 'job', key: '0abcDEF_-9' });
    expect(readLink('jobdeck://job/sync-3f2a%3A1~eu')).toEqual({ kind: 'job', key: 'sync-3f2a:1~eu' });
    expect(readLink('JOBDECK://new')).toEqual({ kind: 'new-job' });
    const input = JSON.stringify({ prompt: 'fog & ridges?' });
    expect(readLink(`jobdeck://new?endpoint=sdxl-turbo&input=${encodeURIComponent(input)}`)).toEqual({
      kind: 'new-job',
      endpointId: 'sdxl-turbo',
      inputText: input,
    });
  });

  it('that are copied lead to the job by its id, or by its key while it has none', () => {
    const jobId = '5d1f0c7e-93ab-4c1e-8f2a-6b7d20e4a917-u1';
    expect(jobLink({ key: 'k1', jobId })).toBe(`jobdeck://job/${jobId}`);
    for (const id of [jobId, 'a:b+c@d=e~f.g', null])
      expect(readLink(jobLink({ key: 'k1', jobId: id }))).toEqual({ kind: 'job', key: id ?? 'k1' });
  });

  it.each([
    'jobdeck://job/',
    'jobdeck://job/a/b',
    'jobdeck://job/%2e%2e%2fetc',
    'jobdeck://job/..',
    'jobdeck://job/%zz',
    `jobdeck://job/${'x'.repeat(201)}`,
    'jobdeck://job/abc?send=1',
    'jobdeck://job/abc#x',
    'jobdeck://user:pass@job/abc',
    'jobdeck://job:80/abc',
    'jobdeck://submit?endpoint=a',
    'jobdeck://new/now?endpoint=a',
    'jobdeck://new?endpoint=a&endpoint=b',
    'jobdeck://new?endpoint=a&send=true',
    'jobdeck://new?endpoint=../../x',
    'jobdeck:new',
    'https://job/abc',
    `jobdeck://new?input=${'x'.repeat(16_001)}`,
    'jobdeck://',
  ])('are refused if they are anything else: %s', (link) => {
    expect(readLink(link)).toBeNull();
  });

  it('never throw, whatever follows the scheme', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: special })), (rest) => {
        const destination = readLink(`jobdeck://${rest}`);
        expect(destination === null || destination.kind === 'job' || destination.kind === 'new-job').toBe(true);
      }),
    );
  });

  it('are found among the arguments of a start, and nothing else is', () => {
    expect(linkIn(['/opt/jobdeck', '--hidden', 'jobdeck://job/a'])).toBe('jobdeck://job/a');
    expect(linkIn(['jobdeck://job/a'])).toBeNull();
    expect(linkIn(['/opt/jobdeck', 'https://x'])).toBeNull();
  });
});

describe('destinations', () => {
  it('are read back from the address they are written as', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((one) => one.isWellFormed());
    const destination: fc.Arbitrary<Destination> = fc.oneof(
      fc.constant<Destination>({ kind: 'home' }),
      fc.constant<Destination>({ kind: 'notifications' }),
      fc.constant<Destination>({ kind: 'failed' }),
      text.map((key): Destination => ({ kind: 'job', key })),
      text.map((key): Destination => ({ kind: 'edit-job', key })),
      text.map((id): Destination => ({ kind: 'batch', id })),
      fc
        .record({ endpointId: text, inputText: text }, { requiredKeys: [] })
        .map((prefill): Destination => ({ kind: 'new-job', ...prefill })),
      fc
        .record({ connectionId: text, endpointId: fc.option(text) })
        .map((health): Destination => ({ kind: 'health', ...health })),
      fc
        .record({
          view: fc.constantFrom(...jobViews),
          endpointId: fc.option(text),
          tokens: fc.string(),
          text: fc.string(),
        })
        .map((list): Destination => ({ kind: 'list', ...list })),
      text.map((id): Destination => ({ kind: 'connection', id })),
      fc.constantFrom(...plainPanes).map((pane): Destination => ({ kind: 'pane', pane })),
      fc
        .array(fc.record({ key: text, attempt: fc.option(fc.nat()) }), { minLength: 1 })
        .map((sides): Destination => ({ kind: 'compare', sides })),
    );
    fc.assert(
      fc.property(destination, (one) => {
        expect(readDestination(destinationRoute(one))).toEqual(one);
      }),
    );
  });
});

/** A system that writes down what it was asked. */
function system(parts: Partial<LinkSystem> & { isDefault?: boolean; accepts?: boolean }): {
  asked: string[];
  system: LinkSystem;
} {
  const asked: string[] = [];
  return {
    asked,
    system: {
      platform: 'win32',
      isPackaged: true,
      isDefaultProtocolClient: (scheme) => (asked.push(`is ${scheme}`), parts.isDefault ?? false),
      setAsDefaultProtocolClient: (scheme) => (asked.push(`set ${scheme}`), parts.accepts ?? true),
      ...parts,
    },
  };
}

describe('the program for jobdeck:// links', () => {
  it.each([
    { name: 'an installed Jobdeck on Windows', parts: {}, asked: ['is jobdeck', 'set jobdeck'] },
    { name: 'one that is registered already', parts: { isDefault: true }, asked: ['is jobdeck'] },
    { name: 'a Jobdeck on Linux, whose desktop file registers it', parts: { platform: 'linux' }, asked: [] },
    { name: 'a start from the sources', parts: { isPackaged: false }, asked: [] },
  ] as const)('is registered by $name as far as needed', ({ parts, asked }) => {
    const made = system(parts);
    expect(registerLinks(made.system)).toBe(true);
    expect(made.asked).toEqual(asked);
  });

  it('is reported if the system refuses', () => {
    expect(registerLinks(system({ accepts: false }).system)).toBe(false);
  });
});
