import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface Outgoing {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** An answer as it came. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; undefined when it is not. */
  json: unknown;
}

/** A request whose answer is awaited elsewhere. */
export interface OpenRequest {
  answer: Promise<Answer>;
  isAnswered(): boolean;
  /** Answered or failed: nothing more will come. */
  isSettled(): boolean;
  /** Breaks the connection. */
  drop(): void;
}

export interface HttpClient {
  /** Rejects with an `Error` when there is no answer. */
  send(outgoing: Outgoing): Promise<Answer>;
  start(outgoing: Outgoing): OpenRequest;
  /** Sends the headers of a request with a body of `bodyBytes`, and of the body only `sent`. */
  startUpload(outgoing: Omit<Outgoing, 'body'>, bodyBytes: number, sent: Buffer): OpenRequest;
  /** Drops whatever is still open. */
  dropAll(): void;
  close(): void;
}

/** How long an answer may take in real milliseconds before it counts as none. */
export function createHttpClient(maxAnswerMs: number): HttpClient {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  const open = new Set<ClientRequest>();

  function begin({ method, url, headers }: Omit<Outgoing, 'body'>): { outgoing: ClientRequest; opened: OpenRequest } {
    const isSecure = url.startsWith('https:');
    const outgoing = (isSecure ? httpsRequest : httpRequest)(url, {
      method,
      headers,
      agent: isSecure ? agents.https : agents.http,
    });
    open.add(outgoing);
    let isAnswered = false;
    const answer = new Promise<Answer>((resolve, reject) => {
      let isAnswering = false;
      outgoing.setTimeout(maxAnswerMs, () => outgoing.destroy(new Error('it took too long')));
      outgoing.on('error', (error) => {
        // A refusal may come, and the connection close, while a body is still being sent.
        if (!isAnswering) reject(new Error(`${method} got no answer: ${error.message}`));
      });
      outgoing.on('response', (response) => {
        isAnswering = true;
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => void pieces.push(piece));
        response.on('error', (error) => reject(new Error(`${method} got half an answer: ${error.message}`)));
        response.on('end', () => {
          isAnswered = true;
          const text = Buffer.concat(pieces).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
        });
      });
      outgoing.on('close', () => void open.delete(outgoing));
    });
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    // A caller that drops a request does not wait for its answer.
    answer.then(settle, settle);
    return {
      outgoing,
      opened: { answer, isAnswered: () => isAnswered, isSettled: () => isSettled, drop: () => void outgoing.destroy() },
    };
  }

  const start: HttpClient['start'] = ({ body, ...rest }) => {
    const headers =
      body === undefined ? rest.headers : { 'content-length': String(Buffer.byteLength(body)), ...rest.headers };
    const { outgoing, opened } = begin({ ...rest, headers });
    outgoing.end(body);
    return opened;
  };

  return {
    start,
    send: (outgoing) => start(outgoing).answer,
    startUpload: (outgoing, bodyBytes, sent) => {
      const begun = begin({ ...outgoing, headers: { ...outgoing.headers, 'content-length': String(bodyBytes) } });
      begun.outgoing.write(sent);
      return begun.opened;
    },
    dropAll: () => open.forEach((outgoing) => void outgoing.destroy()),
    close: () => {
      open.forEach((outgoing) => void outgoing.destroy());
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
