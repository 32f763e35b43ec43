import type { ServiceFailure } from '../../src-preload/failure.ts';
import { changedTexts, maskEnv } from './mask-env.ts';

/** Where variables may begin in a text that is no JSON. */
const envPlace = /(?:^|[^A-Za-z0-9])env|[a-z]Env|_env|\\u0{2}65/i;
/** Where they surely do in a sentence: `env: {...`, `"environment":[`, `env A=b`. */
const envInSentence =
  /(?:^|[^A-Za-z0-9]|_|[a-z](?=E))env(?:s|ironment)?(?:[-_ ]?var(?:iable)?s?)?\\*["']?\s*(?:[:=]|[{[]|\w+=)/i;
/** `HF_TOKEN=...`: nobody knows where such a value ends. */
const assignment = /(?<=(?:^|[^A-Za-z0-9_])[A-Z][A-Z0-9_]{2,100})=/;
const cutNote = '… cut here by Jobdeck: variables may follow';

/**
 * A failure of a management call without env values in what it quotes: a reply that broke off or an error may hold some
 * of a pod or template.
 */
export function maskedFailure(failure: ServiceFailure): ServiceFailure {
  const { rawReply, serviceSaid, ...rest } = failure;
  const isPiece = failure.httpStatus !== undefined && failure.httpStatus < 300;
  const raw = rawReply === undefined ? undefined : maskedText(rawReply, isPiece);
  // A 2xx body is a resource or a piece of one: its best line may be a variable's value, unless it still stands in what
  // is left.
  const isSaid =
    serviceSaid !== undefined && (!isPiece || raw?.includes(JSON.stringify(serviceSaid).slice(1, -1)) === true);
  return {
    ...rest,
    ...(isSaid ? { serviceSaid: sentence(serviceSaid) } : {}),
    ...(raw === undefined ? {} : { rawReply: raw }),
  };
}

function maskedText(text: string, isPiece: boolean): string {
  try {
    const masked = maskEnv(text);
    // An error's own sentences may quote some of what was wrong, also in another form than JSON.
    return isPiece ? masked : changedTexts(masked, sentence);
  } catch {
    // No JSON.
    return cutAt(text, [envPlace, assignment], '\n');
  }
}

function sentence(text: string): string {
  return cutAt(text, [envInSentence, assignment], ' ');
}

function cutAt(text: string, places: readonly RegExp[], before: string): string {
  const found = places.flatMap((place) => place.exec(text)?.index ?? []);
  return found.length === 0 ? text : `${text.slice(0, Math.min(...found))}${before}${cutNote}`;
}
