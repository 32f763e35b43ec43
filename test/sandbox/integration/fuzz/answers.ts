/** One answer as received. */
export interface WireAnswer {
  status: number;
  /** By lower-case name. The last value of a repeated header. */
  headers: ReadonlyMap<string, string>;
  body: Buffer;
  /** Head and body as received. */
  raw: Buffer;
}

export interface AnswerReader {
  push(piece: Buffer): void;
  /** Complete answers so far, without those of status 1xx. */
  readonly answers: readonly WireAnswer[];
  /** Why the bytes are not a sequence of answers. Null while they are. */
  problem(): string | null;
  /** Whether the last bytes are the beginning of an incomplete answer. */
  hasRest(): boolean;
}

const NO_CHUNKS = Buffer.from('0\r\n\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

/** Parses answers from a connection, strictly. `isHead`: the answers have no bodies. */
export function createAnswerReader(isHead: boolean): AnswerReader {
  const answers: WireAnswer[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let problem: string | null = null;

  /** The length of the body at `from`, and the body. Null while it is incomplete. */
  function readBody(headers: ReadonlyMap<string, string>, from: number): { body: Buffer; end: number } | null {
    if (isHead) return { body: Buffer.alloc(0), end: from };
    // node:http's own answers are chunked and empty. Nothing else here is chunked.
    if (headers.get('transfer-encoding') === 'chunked' && rest.indexOf(NO_CHUNKS, from) === from)
      return { body: Buffer.alloc(0), end: from + NO_CHUNKS.length };
    const declared = headers.get('content-length');
    if (declared === undefined || !/^\d+$/.test(declared)) {
      problem = `the answer has no readable content-length (${declared})`;
      return null;
    }
    const end = from + Number(declared);
    return end > rest.length ? null : { body: rest.subarray(from, end), end };
  }

  function readOne(): boolean {
    const headEnd = rest.indexOf(HEAD_END);
    if (headEnd < 0) return false;
    const [statusLine = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})(?: .*)?$/.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) {
      problem = `the answer begins with ${JSON.stringify(statusLine.slice(0, 80))}`;
      return false;
    }
    const bodyFrom = headEnd + HEAD_END.length;
    if (status < 200) {
      rest = rest.subarray(bodyFrom);
      return true;
    }
    const headers = new Map(
      lines.map((line): [string, string] => {
        const at = line.indexOf(':');
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
      }),
    );
    const read = readBody(headers, bodyFrom);
    if (read === null) return false;
    answers.push({ status, headers, body: read.body, raw: rest.subarray(0, read.end) });
    rest = rest.subarray(read.end);
    return true;
  }

  return {
    answers,
    push: (piece) => {
      rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      while (problem === null && rest.length > 0 && readOne());
    },
    problem: () => problem,
    // The answer to an unreadable head has a body, whatever its method was.
    hasRest: () => rest.length > 0 && !isHead,
  };
}
