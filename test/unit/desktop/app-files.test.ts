import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isSafeExternal,
  isUnderOrigin,
  contentSecurityPolicy,
  contentTypeOf,
  fileFor,
} from '../../../src-main/desktop/app-files.ts';

const root = '/opt/jobdeck/renderer';

describe('the app’s own pages', () => {
  it('are found under their folder', () => {
    expect(fileFor(root, '/')).toBe(`${root}/index.html`);
    expect(fileFor(root, '/assets/main.js')).toBe(`${root}/assets/main.js`);
  });

  it.each(['/../main/main.js', '/..%2f..%2fetc/passwd', '/assets/../../../etc/passwd', '/%E0%A4%A', '/..'])(
    'never lie outside it: %s',
    (path) => {
      expect(fileFor(root, path)).toBeNull();
    },
  );

  it('stay inside for any path at all', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.constantFrom('..', '.', '%2e%2e', '%2f', 'a', '', '\\', '%00'))
          .map((parts) => `/${parts.join('/')}`),
        (path) => {
          const file = fileFor(root, path);
          expect(file === null || file.startsWith(`${root}/`)).toBe(true);
        },
      ),
    );
  });

  it('get a type only by a known ending', () => {
    expect(contentTypeOf('/x/main.js')).toBe('text/javascript; charset=utf-8');
    expect(contentTypeOf('/x/secret.exe')).toBe('application/octet-stream');
  });

  it('may load nothing remote and nothing inline', () => {
    expect(contentSecurityPolicy).toContain("default-src 'none'");
    expect(contentSecurityPolicy).not.toMatch(/unsafe|https?:|\*/);
    expect(contentSecurityPolicy).toContain("require-trusted-types-for 'script'");
  });
});

describe('addresses', () => {
  it('are ours only under the exact origin', () => {
    expect(isUnderOrigin('app://jobdeck/index.html#/', 'app://jobdeck')).toBe(true);
    expect(isUnderOrigin('app://jobdeck', 'app://jobdeck')).toBe(true);
    expect(isUnderOrigin('app://jobdeck.evil/index.html', 'app://jobdeck')).toBe(false);
    expect(isUnderOrigin('https://example.test/app://jobdeck/', 'app://jobdeck')).toBe(false);
  });

  it.each([
    ['https://example.test/a?b#c', true],
    ['http://example.test', false],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['https://user:pass@example.test', false],
    ['not a url', false],
    ['', false],
  ])('go to the browser only over https: %s', (url, isSafe) => {
    expect(isSafeExternal(url)).toBe(isSafe);
  });
});
