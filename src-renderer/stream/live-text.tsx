import { MarkdownText, type MarkdownTextProps } from './markdown-text.tsx';
import { PlainText } from './plain-text.tsx';

interface LiveTextProps extends MarkdownTextProps {
  /** Shows the text unchanged, without markdown. */
  isPlain: boolean;
}

/** Text of any length that is arriving or complete, as sanitised markdown or as plain rows. */
export function LiveText({ isPlain, ...props }: LiveTextProps) {
  const { source, version, isLive, isFollowing, onFollowChange, isFinding, onFindEnd, onCopyAll } = props;
  if (isPlain)
    return <PlainText {...{ source, version, isLive, isFollowing, onFollowChange, isFinding, onFindEnd, onCopyAll }} />;
  return <MarkdownText {...props} />;
}
