import type { ServiceFailure } from '../../src-preload/failure.ts';
import { maskEnv } from './mask-env.ts';

/** Where variables may begin in a text that is no JSON. */
const envPlace = /["'\s{,]env/i;

/** The failure of a read without env values in what it quotes: a reply that broke off may hold some of a pod. */
export function maskedFailure(failure: ServiceFailure): ServiceFailure {
  const { rawReply, serviceSaid, ...rest } = failure;
  // A 2xx body is a pod or a piece of one; the best line of it says nothing that the raw text does not.
  const isPodPiece = failure.httpStatus !== undefined && failure.httpStatus < 300;
  return {
    ...rest,
    ...(serviceSaid === undefined || isPodPiece ? {} : { serviceSaid }),
    ...(rawReply === undefined ? {} : { rawReply: maskedText(rawReply) }),
  };
}

function maskedText(text: string): string {
  try {
    JSON.parse(text);
    return maskEnv(text);
  } catch {
    const at = envPlace.exec(text)?.index;
    return at === undefined ? text : `${text.slice(0, at)}\n… cut here by Jobdeck: variables may follow`;
  }
}
