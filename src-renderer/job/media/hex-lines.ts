const lineBytes = 16;

/** Bytes in the usual form: the offset, sixteen in hex, and as characters. */
export function hexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += lineBytes) {
    const line = [...bytes.subarray(at, at + lineBytes)];
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const letters = line.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(lineBytes * 3 - 1)}  ${letters}`);
  }
  return lines.join('\n');
}
