import type { Checked } from '../checked.ts';
import type { BodyRead } from './request-body.ts';

/** A request as far as its body goes. */
export interface BodyRequest {
  contentType: string | undefined;
  readBody(maxBytes: number): Promise<BodyRead>;
}

function isJson(contentType: string | undefined): boolean {
  return contentType === undefined || /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

/**
 * Reads a body that must be JSON text, not parsed yet; null when the client left. `subject`: what the sentence about
 * the size calls it.
 */
export async function readJsonText(
  request: BodyRequest,
  maxBytes: number,
  subject = 'The body',
): Promise<Checked<string> | null> {
  if (!isJson(request.contentType))
    return { ok: false, message: 'The body must be sent as content-type application/json.' };
  const body = await request.readBody(maxBytes);
  switch (body.kind) {
    case 'gone':
      return null;
    case 'too-large':
      return { ok: false, message: `${subject} must not exceed ${maxBytes} bytes.` };
    case 'not-utf8':
      return { ok: false, message: 'The body is not valid UTF-8 text.' };
    case 'text':
      return { ok: true, value: body.text };
  }
}
