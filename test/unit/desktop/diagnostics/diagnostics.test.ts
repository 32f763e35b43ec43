import { describe, expect, it } from 'vitest';
import { formatDiagnostics } from '../../../../src-main/desktop/diagnostics/report-text.ts';

describe('diagnostics', () => {
  const log = Array.from({ length: 150 }, (_, line) => `line ${line}`).join('\n');

  it('are the facts and the newest lines of the log', () => {
    const text = formatDiagnostics({
      facts: [
        ['Jobdeck', '1.2.3'],
        ['Keys in', 'keychain'],
      ],
      log,
      homeDir: '/home/ada',
      redact: (given) => given,
    });
    expect(text.split('\n').slice(0, 4)).toEqual(['Jobdeck  1.2.3', 'Keys in  keychain', '', 'line 50']);
    expect(text.endsWith('line 149')).toBe(true);
  });

  it('contain no key, no service address and no user name', () => {
    const text = formatDiagnostics({
      facts: [['Jobdeck', '1']],
      log: 'GET https://api.acme.example/v2/llm/run?token=x "/home/ada/.config/jobdeck" canary-key http://127.0.0.1:8080/a?b=c',
      homeDir: '/home/ada',
      redact: (given) => given.replaceAll('canary-key', '[key]'),
    });
    for (const secret of ['acme', 'token', 'ada', 'canary-key', 'b=c']) expect(text).not.toContain(secret);
    expect(text).toContain('~/.config/jobdeck');
    expect(text).toContain('http://127.0.0.1:8080/a');
  });
});
