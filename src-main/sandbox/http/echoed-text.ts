/** Gives a text of the client's in a form that fits a message: cut, on one line, without the key. */
export type EchoText = (text: string) => string;

const SHOWN_CHARS = 80;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** People paste their key in all kinds of places; wherever it was, a reply or a log must not repeat it. */
export function createEchoText(apiKey: string): EchoText {
  return (text) => {
    if (text.includes(apiKey)) return '(the key)';
    const printable = text.replace(UNPRINTABLE, '?');
    return printable.length > SHOWN_CHARS ? `${printable.slice(0, SHOWN_CHARS)}…` : printable;
  };
}
