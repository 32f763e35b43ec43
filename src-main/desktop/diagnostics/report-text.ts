/** How many lines of the log a report includes. */
const logLines = 100;

export interface DiagnosticsParts {
  facts: readonly (readonly [name: string, value: string])[];
  /** The whole log. */
  log: string;
  homeDir: string;
  /** Removes known keys and secrets from a text. */
  redact: (text: string) => string;
}

/**
 * A bug report as text: facts, then the newest lines of the log. Keys, secrets, addresses and the user's name in the
 * path of the home folder are removed. Pure.
 */
export function formatDiagnostics({ facts, log, homeDir, redact }: DiagnosticsParts): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  const newest = log.trimEnd().split('\n').slice(-logLines);
  const text = [...facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`), '', ...newest].join('\n');
  const withoutHome = homeDir.length > 1 ? text.replaceAll(homeDir, '~') : text;
  return redact(withoutHome.replaceAll(/https?:\/\/[^\s"'<>]+/g, addressWithoutNames));
}

/** Keeps the kind of an address and removes the host. */
function addressWithoutNames(address: string): string {
  return /^https?:\/\/(127\.0\.0\.1|localhost)\b/.test(address) ? address.replace(/\?.*$/, '') : 'https://…';
}
