import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The colours of one theme by name, as tokens.css has them. */
function themeOf(name: 'dark' | 'light'): ReadonlyMap<string, string> {
  const css = readFileSync(new URL('../../../../src-renderer/design/tokens.css', import.meta.url), 'utf8');
  const block = new RegExp(`\\[data-theme='${name}'\\]\\s*\\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6}|rgba\([^)]*\))/gi)].map(([, token = '', value = '']) => [
      token,
      value,
    ]),
  );
}

type Colour = [red: number, green: number, blue: number, alpha: number];

function colour(text: string | undefined): Colour {
  if (text === undefined) throw new Error('There is no such token.');
  const hex = /^#(..)(..)(..)$/.exec(text);
  const [r = NaN, g = NaN, b = NaN, alpha = 1] =
    hex === null ? (text.match(/[\d.]+/g) ?? []).map(Number) : hex.slice(1).map((each) => Number.parseInt(each, 16));
  return [r, g, b, alpha];
}

function over([r, g, b, alpha]: Colour, [r0, g0, b0]: Colour): Colour {
  const mix = (top: number, below: number): number => top * alpha + below * (1 - alpha);
  return [mix(r, r0), mix(g, g0), mix(b, b0), 1];
}

/** WCAG 2 relative luminance. */
function luminance([r, g, b]: Colour): number {
  const linear = (value: number): number =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const surfaces = ['bg-window', 'bg-sunken', 'bg-panel', 'bg-raised', 'bg-overlay'];
/** The least contrast a colour has over the surfaces. */
function worstOf(one: Colour, theme: ReadonlyMap<string, string>): number {
  return Math.min(...surfaces.map((surface) => contrast(one, colour(theme.get(surface)))));
}

const statuses = ['queue', 'run', 'done', 'fail', 'timeout', 'cancel'];

describe.each(['dark', 'light'] as const)('the %s theme', (name) => {
  const theme = themeOf(name);
  const token = (of: string): Colour => colour(theme.get(of));

  it.each(['text-1', 'text-2', 'text-3'])('has %s at 4.5:1 on every surface, and on a selected row', (text) => {
    expect(worstOf(token(text), theme)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(token(text), over(token('select-bg'), token('bg-panel')))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(statuses)(
    'has the words of %s at 4.5:1 on every surface and on their own tint, its glyph at 3:1 on a panel',
    (status) => {
      const words = token(`${status}-text`);
      expect(worstOf(words, theme)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(words, over(token(`${status}-tint`), token('bg-panel')))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(token(status), token('bg-panel'))).toBeGreaterThanOrEqual(3);
    },
  );

  it('has buttons and the focus ring distinct from their background', () => {
    expect(contrast(token('on-ink'), token('ink'))).toBeGreaterThanOrEqual(4.5);
    expect(worstOf(token('focus'), theme)).toBeGreaterThanOrEqual(3);
  });
});
