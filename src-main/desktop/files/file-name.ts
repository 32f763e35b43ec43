import { parse } from 'node:path';
import { saveDialogText } from '../../messages/desktop/calls.ts';

/** Characters; with three bytes each it is still shorter than a name may be. */
const maxChars = 80;
/** Windows takes these names for devices, whatever their ending. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A name without path separators, valid on every system. A long one keeps its ending. */
export function fileNameOf(name: string): string {
  const plain = trimmed(name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '-'));
  const { name: stem, ext } = parse(plain);
  const isEnding = ext.length <= 10;
  const rest = isEnding ? stem : plain;
  const ending = isEnding ? ext : '';
  const whole =
    trimmed(
      Array.from(rest)
        .slice(0, maxChars - ending.length)
        .join(''),
    ) + ending;
  if (whole === '') return saveDialogText.unnamed;
  return device.test(whole) ? `_${whole}` : whole;
}

/** Windows drops dots and spaces at the end, and a name that begins with a dot is hidden elsewhere. */
function trimmed(name: string): string {
  return name.replaceAll(/^[. ]+|[. ]+$/g, '');
}
