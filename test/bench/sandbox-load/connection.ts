import { connect } from 'node:net';

/** One keep-alive connection that carries one request at a time. */
export interface LoadConnection {
  /** `request` is the whole HTTP/1.1 request. The body is only valid during the call. */
  send(request: string, onAnswer: (status: number, body: Buffer) => void): void;
  close(): void;
}

const HEAD_END = '\r\n\r\n';

/**
 * Opens a connection to a port of this machine. It parses only the HTTP that the bench's two services write (a head
 * with content-length), so that the client costs less than the service it measures. `onBroken` is called when the
 * service closes it.
 */
export function openConnection(port: number, onBroken: (reason: string) => void): Promise<LoadConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let rest: Buffer | null = null;
  let answer: ((status: number, body: Buffer) => void) | null = null;
  let unasked = '';

  socket.on('data', (piece: Buffer) => {
    const bytes: Buffer = rest === null ? piece : Buffer.concat([rest, piece]);
    rest = bytes;
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = bytes.toString('latin1', 0, headEnd);
    const bodyFrom = headEnd + HEAD_END.length;
    const bodyBytes = Number(/\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (bytes.length < bodyFrom + bodyBytes) return;
    rest = bytes.length === bodyFrom + bodyBytes ? null : bytes.subarray(bodyFrom + bodyBytes);
    const done = answer;
    const status = Number(head.slice(9, 12));
    answer = null;
    if (done === null) unasked = ` after ${status} that nothing had asked for`;
    else done(status, bytes.subarray(bodyFrom, bodyFrom + bodyBytes));
  });

  let isClosing = false;
  const broken = (reason: string): void => {
    if (!isClosing) onBroken(reason);
    isClosing = true;
  };
  socket.on('close', () => broken(`closed by the service${unasked}`));
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', (error) => broken(error.message));
      resolve({
        send: (request, onAnswer) => {
          answer = onAnswer;
          socket.write(request);
        },
        close: () => {
          isClosing = true;
          socket.destroy();
        },
      });
    });
  });
}
