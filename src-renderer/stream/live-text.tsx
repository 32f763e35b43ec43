import { MarkdownText } from './markdown-text.tsx';
import { PlainText } from './plain-text.tsx';
import type { TextSource } from './text-source.ts';

export interface LiveTextProps {
  source: TextSource;
  /** Changes whenever the source grew. */
  version: unknown;
  /** More may come: shows the caret and the underline under what came last. */
  isLive: boolean;
  isFollowing: boolean;
  onFollowChange: (isFollowing: boolean) => void;
  /** Shows the text as it stands, without markdown. */
  isPlain: boolean;
  /** Shows the search. */
  isFinding: boolean;
  onFindEnd: () => void;
  /** What the text is: its name for a screen reader, and in the question before a link is opened. */
  subject?: 'output' | 'note';
  /** Copies the whole output. */
  onCopyAll?: (() => void) | undefined;
}

/** Text of any length that arrives, or has arrived: sanitised markdown, or plain rows on request. */
export function LiveText(props: LiveTextProps) {
  const { source, version, isLive, isFollowing, onFollowChange, isFinding, onFindEnd, onCopyAll } = props;
  if (props.isPlain)
    return <PlainText {...{ source, version, isLive, isFollowing, onFollowChange, isFinding, onFindEnd, onCopyAll }} />;
  return <MarkdownText {...props} />;
}
