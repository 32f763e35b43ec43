import { MarkdownText, type MarkdownTextProps } from './markdown-text.tsx';
import { PlainText } from './plain-text.tsx';

interface LiveTextProps extends MarkdownTextProps {
  /** Shows the text as it stands, without markdown. */
  isPlain: boolean;
}

/** Text of any length that arrives, or has arrived: sanitised markdown, or plain rows on request. */
export function LiveText({ isPlain, ...props }: LiveTextProps) {
  const { source, version, isLive, isFollowing, onFollowChange, isFinding, onFindEnd, onCopyAll } = props;
  if (isPlain)
    return <PlainText {...{ source, version, isLive, isFollowing, onFollowChange, isFinding, onFindEnd, onCopyAll }} />;
  return <MarkdownText {...props} />;
}
