import type { Behaviour, Exchange, Hands, Reply } from './broken-service.ts';

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON object of a body. Null if it is not one. */
export function fieldsIn(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

export function json(status: number, body: unknown): Reply {
  return { status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) };
}

export function isSubmission({ operation, method }: Exchange): boolean {
  return method === 'POST' && (operation === 'run' || operation === 'runsync');
}

function isOf(exchange: Exchange, operation: string): boolean {
  return operation === '*' || exchange.operation === operation;
}

/** Changes every answer of the operation (`*`: of all operations). */
export function answering(
  operation: string,
  change: (reply: Reply, exchange: Exchange, hands: Hands) => Reply | Promise<Reply>,
): () => Behaviour {
  return () => async (exchange, hands) => {
    const reply = await hands.forward();
    return isOf(exchange, operation) ? change(reply, exchange, hands) : reply;
  };
}

/** Changes the fields of every answer 200 of the operation. */
export function answeringFields(
  operation: string,
  change: (fields: Fields, exchange: Exchange) => unknown,
): () => Behaviour {
  return answering(operation, (reply, exchange) => {
    const fields = fieldsIn(reply.text);
    return reply.status === 200 && fields !== null ? json(200, change(fields, exchange)) : reply;
  });
}

/** Gives another status to answers of the operation that have this one. The body is unchanged. */
export function restating(operation: string, from: number, to: number): () => Behaviour {
  return answering(operation, (reply) => (reply.status === from ? { ...reply, status: to } : reply));
}

/** Changes every request of the operation before the service sees it. */
export function sending(operation: string, change: (exchange: Exchange) => Partial<Exchange>): () => Behaviour {
  return () => (exchange, hands) => hands.forward(isOf(exchange, operation) ? change(exchange) : {});
}

/** Changes the body of every submission that is a JSON object. */
export function submitting(change: (body: Fields) => Fields): () => Behaviour {
  return () => (exchange, hands) => {
    const fields = isSubmission(exchange) ? fieldsIn(exchange.body.toString('utf8')) : null;
    return hands.forward(fields === null ? {} : { body: Buffer.from(JSON.stringify(change(fields))) });
  };
}

/** Changes the policy of every submission that has one. */
export function submittingPolicy(change: (policy: Fields) => Fields): () => Behaviour {
  return submitting((body) => (isFields(body['policy']) ? { ...body, policy: change(body['policy']) } : body));
}

/** This function handles the operation. Everything else is passed on. */
export function doing(operation: string, act: (exchange: Exchange, hands: Hands) => Promise<Reply>): () => Behaviour {
  return () => (exchange, hands) => (isOf(exchange, operation) ? act(exchange, hands) : hands.forward());
}

/** The fields except this one. */
export function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

/** The path of another operation on the same endpoint. */
export function sibling({ path }: Exchange, tail: string): string {
  return `${path.split('/').slice(0, 3).join('/')}/${tail}`;
}

/** The part of an answer that is an object. */
export function partOf(fields: Fields, name: string): Fields {
  const part = fields[name];
  return isFields(part) ? part : {};
}
