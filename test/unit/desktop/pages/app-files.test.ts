import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isSafeExternal,
  isUnderOrigin,
  pageOrigin,
  contentSecurityPolicy,
  contentTypeOf,
  fileFor,
} from '../../../../src-main/desktop/pages/app-files.ts';

const root = '/opt/jobdeck/renderer';

describe('the app’s own pages', () => {
  it('are found under their folder', () => {
    expect(fileFor(root, '/')).toBe(`${root}/index.html`);
    expect(fileFor(root, '/assets/main.js')).toBe(`${root}/assets/main.js`);
  });

  it.each(['/../main/main.js', '/..%2f..%2fetc/passwd', '/assets/../../../etc/passwd', '/%E0%A4%A', '/..'])(
    'are never outside it: %s',
    (path) => {
      expect(fileFor(root, path)).toBeNull();
    },
  );

  it('stay inside for any path', () => {
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

  it('get a type only by a known extension', () => {
    expect(contentTypeOf('/x/main.js')).toBe('text/javascript; charset=utf-8');
    expect(contentTypeOf('/x/secret.exe')).toBe('application/octet-stream');
  });

  it('can load nothing remote and nothing inline', () => {
    expect(contentSecurityPolicy).toContain("default-src 'none'");
    expect(contentSecurityPolicy).not.toMatch(/unsafe|https?:|\*/);
    expect(contentSecurityPolicy).toContain("require-trusted-types-for 'script'");
  });
});

describe('addresses', () => {
  it('belong to the app only under the exact origin', () => {
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
  ])('open in the browser only over https: %s', (url, isSafe) => {
    expect(isSafeExternal(url)).toBe(isSafe);
  });
});

describe('the origin of the app’s pages', () => {
  const elsewhere = { ELECTRON_RENDERER_URL: 'https://evil.example/', JOBDECK_APP_ORIGIN: 'https://app.localhost' };

  it('is the app’s own scheme when packaged, whatever the environment says', () => {
    expect(pageOrigin(true, elsewhere)).toBe('app://jobdeck');
    expect(pageOrigin(false, { JOBDECK_APP_ORIGIN: 'https://app.localhost/' })).toBe('https://app.localhost');
    expect(pageOrigin(false, {})).toBe('app://jobdeck');
  });

  it('is compared as text: Node treats the origin of such an address as opaque, and all opaque ones are equal', () => {
    const [own, other] = ['app://jobdeck/index.html#/job/1', 'app://jobdeck.evil/index.html'];
    expect([new URL(own).origin, new URL(other).origin]).toEqual(['null', 'null']);
    expect(isUnderOrigin(own, pageOrigin(true, {}))).toBe(true);
    for (const foreign of [other, 'app://jobdeckevil', 'null', 'app://', 'https://jobdeck/'])
      expect(isUnderOrigin(foreign, pageOrigin(true, {}))).toBe(false);
  });
});
