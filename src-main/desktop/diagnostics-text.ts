/** Lines of the log that a report has. */
const logLines = 100;

export interface DiagnosticsParts {
  facts: readonly (readonly [name: string, value: string])[];
  /** The whole log. */
  log: string;
  homeDir: string;
  /** Takes known keys and secrets out of a text. */
  redact: (text: string) => string;
}

/**
 * The report of a fault as text: facts, then the newest lines of the log, without keys, secrets, addresses and the name
 * in the home folder's path. Pure.
 */
export function formatDiagnostics({ facts, log, homeDir, redact }: DiagnosticsParts): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  const newest = log.trimEnd().split('\n').slice(-logLines);
  const text = [...facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`), '', ...newest].join('\n');
  const withoutHome = homeDir.length > 1 ? text.replaceAll(homeDir, '~') : text;
  return redact(withoutHome.replaceAll(/https?:\/\/[^\s"'<>]+/g, addressWithoutNames));
}

/** What kind of address it is says enough; whose it is stays with its user. */
function addressWithoutNames(address: string): string {
  return /^https?:\/\/(127\.0\.0\.1|localhost)\b/.test(address) ? address.replace(/\?.*$/, '') : 'https://…';
}
