import { useEffect, useMemo, useReducer, useState } from 'react';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { toast } from '../design/toast.tsx';
import { LinkContext } from './link-context.ts';
import { createBlockReader, type ReadBlock } from './markdown-blocks.ts';
import type { MarkdownBlock } from './markdown-block.tsx';
import { PlainText } from './plain-text.tsx';
import type { TextSource } from './text-source.ts';
import { useFollow } from './use-follow.ts';
import styles from './live-text.module.css';

let markdown: typeof MarkdownBlock | null = null;

/** The markdown code, fetched when text is first shown; null until it is here, and the text stands plain. */
function useMarkdown(): typeof MarkdownBlock | null {
  const [loaded, setLoaded] = useState(() => markdown);
  useEffect(() => {
    if (loaded !== null) return undefined;
    let isLeft = false;
    void import('./markdown-block.tsx').then((module) => {
      markdown = module.MarkdownBlock;
      if (!isLeft) setLoaded(() => module.MarkdownBlock);
    });
    return () => {
      isLeft = true;
    };
  }, [loaded]);
  return loaded;
}

/** Longer text is shown as virtualised plain rows: markdown of this size cannot be laid out in one frame. */
const markdownLimitChars = 120_000;

/** True for text too long to be formatted: it is shown plain. */
export function isTooLongToFormat(source: Pick<TextSource, 'length'>, expectedChars: number): boolean {
  return Math.max(source.length, expectedChars) > markdownLimitChars;
}

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
  /**
   * Length the text surely reaches, where that is known before it is all read: a long one is then plain from its first
   * line.
   */
  expectedChars: number;
  /** Shows the search; text that is searched stands plain. */
  isFinding: boolean;
  onFindEnd: () => void;
  /** What the text is: its name for a screen reader, and in the question before a link is opened. */
  subject?: 'output' | 'note';
  /** Copies the whole output. */
  onCopyAll?: (() => void) | undefined;
}

/**
 * Text that arrives, or has arrived: sanitised markdown up to 120 KB, virtualised plain rows above it, on request and
 * while it is searched.
 */
export function LiveText(props: LiveTextProps) {
  const isLong = isTooLongToFormat(props.source, props.expectedChars);
  const { source, version, isFollowing, onFollowChange, isFinding, onFindEnd, onCopyAll } = props;
  if (props.isPlain || isLong || isFinding)
    return <PlainText {...{ source, version, isFollowing, onFollowChange, isFinding, onFindEnd, onCopyAll }} />;
  return <MarkdownText {...props} />;
}

const subjects = {
  output: { label: 'Output text', owner: "the job's output" },
  note: { label: 'Note', owner: 'your note' },
} as const;

function MarkdownText({ source, version, isLive, isFollowing, onFollowChange, subject = 'output' }: LiveTextProps) {
  const [link, setLink] = useState<string | null>(null);
  const { scroller, isScrolled, onScroll } = useFollow(version, isFollowing, onFollowChange);
  const blocks = useBlocks(source, isFollowing);
  const Block = useMarkdown();
  const openLink = async (url: string): Promise<void> => {
    setLink(null);
    const result = await call('app:openExternal', { url });
    if (!result.ok) toast(result.failure.message);
  };
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      data-scrolled={isScrolled || undefined}
      onScroll={onScroll}
      tabIndex={0}
      role="document"
      aria-label={subjects[subject].label}
    >
      <div className={styles.text}>
        <LinkContext value={setLink}>
          {blocks.map((block, index) => {
            if (!block.isParsed || Block === null)
              return (
                <p key={block.start} className={styles.plain}>
                  {block.text}
                </p>
              );
            const end = block.start + block.text.length;
            const fresh = isLive ? Math.max(0, end - Math.max(block.start, source.freshFrom)) : 0;
            return (
              <Block
                key={block.start}
                source={block.text}
                fresh={fresh}
                hasCaret={isLive && index === blocks.length - 1}
              />
            );
          })}
        </LinkContext>
      </div>
      <Dialog
        title="Open this address in the browser?"
        isOpen={link !== null}
        onClose={() => setLink(null)}
        actions={
          <>
            <Button variant="ghost" onClick={() => setLink(null)}>
              Cancel
            </Button>
            <Button
              variant="primary"
              onClick={() => {
                if (link !== null) void openLink(link);
              }}
            >
              Open in browser
            </Button>
          </>
        }
      >
        <p>This link comes from {subjects[subject].owner}; Jobdeck has not checked it.</p>
        <p className={`mono ${styles.link ?? ''}`}>{link}</p>
      </Dialog>
    </div>
  );
}

/** Blocks of the text so far. A burst is parsed over several frames, what the reader looks at first. */
function useBlocks(source: TextSource, isFromEnd: boolean): readonly ReadBlock[] {
  const reader = useMemo(() => createBlockReader(source), [source]);
  const [frame, redraw] = useReducer((count: number) => count + 1, 0);
  const { blocks, isAllParsed } = reader.read(isFromEnd);
  useEffect(() => {
    if (isAllParsed) return undefined;
    const next = requestAnimationFrame(redraw);
    return () => cancelAnimationFrame(next);
  }, [isAllParsed, frame]);
  return blocks;
}
