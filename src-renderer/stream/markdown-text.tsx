import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { callOrReport } from '../call-or-report.ts';
import { SearchBar } from '../design/search-bar.tsx';
import { streamText } from '../messages/stream/output.tsx';
import { OpenLinkDialog } from '../navigation/open-link-dialog.tsx';
import { JumpToLive } from './jump-to-live.tsx';
import { LinkContext } from './link-context.ts';
import type { Block } from './markdown-blocks.ts';
import type { MarkdownBlock } from './markdown-block.tsx';
import type { MarkdownSections } from './markdown-sections.ts';
import { createParseTurns } from './parse-turns.ts';
import { joinText, type TextSource } from './text-source.ts';
import { useFollow } from './use-follow.ts';
import { useSectionFind, useNextFrame, useSections } from './use-sections.ts';
import { useSelectAll } from './use-select-all.ts';
import styles from './live-text.module.css';

let markdown: typeof MarkdownBlock | null = null;

/** The markdown code, loaded when text is first shown. Null until then, while the text is shown plain. */
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

const subjects = {
  output: { label: streamText.output, owner: streamText.ownerOfOutput },
  note: { label: streamText.note, owner: streamText.ownerOfNote },
} as const;

/** Sections drawn beyond the edges of the view; none at the end of text that arrives, where they leave at once. */
const overscan = 2;

export interface MarkdownTextProps {
  source: TextSource;
  /** Changes whenever the source has grown. */
  version: unknown;
  /** More may come. */
  isLive: boolean;
  /** It is being read at the moment: shows the caret and underlines what came last. */
  isArriving: boolean;
  isFollowing: boolean;
  onFollowChange: (isFollowing: boolean) => void;
  /** Shows the search. */
  isFinding: boolean;
  onFindEnd: () => void;
  /** The subject of the text: for screen readers, and in the question before a link is opened. */
  subject?: 'output' | 'note';
  /** Copies the whole output. */
  onCopyAll?: (() => void) | undefined;
}

/**
 * Sanitised markdown of any length: only the sections in view are in the document, and only those are parsed. So it has
 * its own "select all" and "find".
 */
export function MarkdownText(props: MarkdownTextProps) {
  const {
    source,
    version,
    isLive,
    isArriving,
    isFollowing,
    onFollowChange,
    isFinding,
    onFindEnd,
    subject = 'output',
  } = props;
  const [link, setLink] = useState<string | null>(null);
  const sections = useSections(source);
  const { scroller, isScrolled, onScroll } = useFollow(version, isFollowing, onFollowChange);
  const { virtualizer, items } = useVirtualSections(sections, scroller, isFollowing, isLive && isFollowing);
  const Block = useMarkdown();
  const drawn = items.map(({ index }) => sections.blocksOf(index + sections.firstShown));
  const isParsed = useParsing(drawn, isFollowing);
  const { onCopyAll } = props;
  const all = useSelectAll(() =>
    onCopyAll === undefined ? callOrReport('app:copyText', { text: joinText(source) }) : onCopyAll(),
  );
  const find = useSectionFind({
    sections,
    version: sections.length,
    isFinding,
    scroller,
    isFollowing,
    sectionInView: () => virtualizer.getVirtualItemForOffset(virtualizer.scrollOffset ?? 0)?.index ?? 0,
    showSection: (section) => virtualizer.scrollToIndex(section - sections.firstShown, { align: 'center' }),
    isDrawn: (section) =>
      items.some(({ index }) => index + sections.firstShown === section) && sections.blocksOf(section).every(isParsed),
    scrollTo: (topPx) => virtualizer.scrollToOffset(topPx),
    onGo: () => onFollowChange(false),
  });
  const textBlock = (block: Block) => {
    if (!isParsed(block) || Block === null)
      return (
        <p key={block.start} className={styles.plain}>
          {block.text}
        </p>
      );
    const end = block.start + block.text.length;
    return (
      <Block
        key={block.start}
        source={block.opens + block.text}
        fresh={isArriving ? Math.max(0, end - Math.max(block.start, source.freshFrom)) : 0}
        hasCaret={isArriving && end === sections.length}
      />
    );
  };
  return (
    <>
      {isFinding && <SearchBar label={streamText.search} search={find} onClose={onFindEnd} returnTo={scroller} />}
      <div
        ref={scroller}
        className={styles.scroller}
        data-scrolled={isScrolled || undefined}
        onScroll={onScroll}
        onKeyDown={all.onKeyDown}
        onPointerDown={all.end}
        tabIndex={0}
        role="document"
        aria-label={subjects[subject].label}
      >
        <div
          className={styles.text}
          style={{ height: virtualizer.getTotalSize() }}
          data-selected={all.isSelected || undefined}
        >
          <LinkContext value={setLink}>
            {items.map(({ index, key, start }, at) => (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={styles.section}
                style={{ transform: `translateY(${start}px)` }}
              >
                {drawn[at]?.map(textBlock)}
              </div>
            ))}
          </LinkContext>
        </div>
        {sections.firstShown > 0 && (
          <p className={styles.note}>{streamText.bytesHidden(sections.startOf(sections.firstShown))}</p>
        )}
      </div>
      {isLive && !isFollowing && <JumpToLive onJump={() => onFollowChange(true)} />}
      <OpenLinkDialog url={link} owner={subjects[subject].owner} onClose={() => setLink(null)} />
    </>
  );
}

/**
 * The sections in view. Another width measures all of them again, and the one at the top stays there. Where the text
 * arrives and its end is in view (`isAtLiveEnd`), the user does not scroll: the scroll to a new end is drawn together
 * with what arrived, in a task of its own, and not within the frame.
 */
function useVirtualSections(
  sections: MarkdownSections,
  scroller: RefObject<HTMLDivElement | null>,
  isFollowing: boolean,
  isAtLiveEnd: boolean,
) {
  const virtualizer = useVirtualizer({
    count: sections.count - sections.firstShown,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => sections.heightOf(index + sections.firstShown),
    getItemKey: useCallback((index: number) => sections.startOf(index + sections.firstShown), [sections]),
    overscan: isAtLiveEnd ? 0 : overscan,
    useFlushSync: !isAtLiveEnd,
  });
  useLayoutEffect(() => {
    virtualizer.shouldAdjustScrollPositionOnItemSizeChange = movesView;
  }, [virtualizer]);
  const items = virtualizer.getVirtualItems();
  const widthPx = useRef(0);
  useLayoutEffect(() => {
    const element = scroller.current?.firstElementChild;
    if (!(element instanceof HTMLElement)) return undefined;
    const observer = new ResizeObserver(() => {
      const former = widthPx.current;
      widthPx.current = element.clientWidth;
      if (former === 0 || former === widthPx.current) return;
      const top = virtualizer.getVirtualItemForOffset(virtualizer.scrollOffset ?? 0)?.index ?? 0;
      virtualizer.measure();
      // Those that are drawn have their new size already and report it no more; the places are computed first.
      virtualizer.getTotalSize();
      for (const section of element.querySelectorAll<HTMLElement>(':scope > [data-index]'))
        virtualizer.resizeItem(Number(section.dataset['index']), section.offsetHeight);
      if (!isFollowing && top > 0) virtualizer.scrollToIndex(top, { align: 'start' });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [virtualizer, scroller, isFollowing]);
  return { virtualizer, items };
}

/**
 * Whether the view moves with what a section has grown, so that the text in it stays in place: if most of the section
 * is above the view. Sections grow when they are measured and while they are parsed, in whatever direction the user
 * scrolls. The last one also grows at its end, which is only above the view if all of it is.
 */
function movesView(
  { index, start, size }: VirtualItem,
  _grownPx: number,
  { scrollOffset, options }: Virtualizer<HTMLDivElement, Element>,
): boolean {
  const isLast = index === options.count - 1;
  return start + (isLast ? size : size / 2) <= (scrollOffset ?? 0);
}

/**
 * Which of the drawn blocks are parsed already: a few more in each frame, starting from the end if the user is there.
 */
function useParsing(drawn: readonly (readonly Block[])[], isFromEnd: boolean): (block: Block) => boolean {
  const turns = useMemo(() => createParseTurns(), []);
  const inView = drawn.flat();
  // One frame's time does not move on while it is drawn.
  const { isParsed, isAll } = turns.next(isFromEnd ? inView.toReversed() : inView, document.timeline.currentTime);
  useNextFrame(!isAll);
  return isParsed;
}
