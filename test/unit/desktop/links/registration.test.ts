import { describe, expect, it } from 'vitest';
import { registerLinks, type LinkSystem } from '../../../../src-main/desktop/links/registration.ts';

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
