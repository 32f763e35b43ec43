import type { Dice } from './dice.ts';

export type Header = [name: string, value: string];

/** The request line and the headers. */
export function head(method: string, target: string, headers: readonly Header[], version = 'HTTP/1.1'): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${target} ${version}\r\n${lines}\r\n`, 'latin1');
}

/** A body cut into chunks, some with extensions or trailers. */
export function chunked(dice: Dice, body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let from = 0; from < body.length;) {
    const piece = body.subarray(from, from + dice.between(1, Math.max(1, body.length - from)));
    from += piece.length;
    const extension = dice.chance(0.2) ? ';name=value' : '';
    parts.push(Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(dice.chance(0.2) ? '0\r\nx-trailer: y\r\n\r\n' : '0\r\n\r\n'));
  return Buffer.concat(parts);
}

/** A complete request, with content-length or chunks. */
export function write(
  dice: Dice,
  method: string,
  target: string,
  headers: readonly Header[],
  body: Buffer | null,
  isChunked: boolean,
): Buffer {
  if (body === null)
    return head(
      method,
      target,
      method === 'POST' && dice.chance(0.5) ? [...headers, ['content-length', '0']] : headers,
    );
  if (isChunked)
    return Buffer.concat([head(method, target, [...headers, ['transfer-encoding', 'chunked']]), chunked(dice, body)]);
  return Buffer.concat([head(method, target, [...headers, ['content-length', String(body.length)]]), body]);
}

/** The same bytes in two to five pieces. */
export function cut(dice: Dice, bytes: Buffer): Buffer[] {
  const cuts = Array.from({ length: dice.between(1, 4) }, () => dice.between(0, bytes.length)).sort((a, b) => a - b);
  return [0, ...cuts]
    .map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length))
    .filter((piece) => piece.length > 0);
}
