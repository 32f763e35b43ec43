import { MarkdownText, type MarkdownTextProps } from './markdown-text.tsx';
import { PlainText, type PlainTextProps } from './plain-text.tsx';

interface LiveTextProps extends MarkdownTextProps, Pick<PlainTextProps, 'isWrapped' | 'timeWithin'> {
  /** Shows the text unchanged, without markdown. */
  isPlain: boolean;
}

/** Text of any length that is arriving or complete, as sanitised markdown or as plain rows. */
export function LiveText({ isPlain, isWrapped, timeWithin, ...props }: LiveTextProps) {
  const { subject: _subject, isArriving: _isArriving, ...plain } = props;
  if (isPlain) return <PlainText {...plain} isWrapped={isWrapped} timeWithin={timeWithin} />;
  return <MarkdownText {...props} />;
}
