import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate authority that only this test knows, with a server certificate of it for this computer. */
export interface PrivateCa {
  /** The authority's own certificate, PEM. */
  caPem: string;
  caPath: string;
  key: string;
  cert: string;
  close(): void;
}

/** Made by openssl. It is valid for a thousand days, so that no clock of a test is outside of them. */
export function makePrivateCa(): PrivateCa {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-ca-'));
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'ignore' });
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...ec,
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
    '-days',
    '1000',
    '-subj',
    '/CN=Test CA',
  );
  openssl('req', ...ec, '-keyout', at('server.key'), '-out', at('server.csr'), '-subj', '/CN=localhost');
  writeFileSync(at('names'), 'subjectAltName=DNS:localhost,DNS:service.example,IP:127.0.0.1\n');
  const by = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-extfile', at('names')];
  openssl('x509', '-req', '-in', at('server.csr'), ...by, '-out', at('server.pem'), '-days', '1000');
  const read = (name: string): string => readFileSync(at(name), 'utf8');
  return {
    caPem: read('ca.pem'),
    caPath: at('ca.pem'),
    key: read('server.key'),
    cert: read('server.pem'),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
