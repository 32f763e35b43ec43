import { memo, useContext, type ReactNode } from 'react';
import Markdown from 'react-markdown';
import type { Components, Options } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { imageText } from '../messages/stream/output.tsx';
import { escapeMath } from './escape-math.ts';
import { LinkContext } from './link-context.ts';
import styles from './live-text.module.css';

type Root = Parameters<ReturnType<typeof rehypeSanitize>>[0];
type Child = Root['children'][number];
type Element = Extract<Child, { type: 'element' }>;
type Text = Extract<Child, { type: 'text' }>;

/** HTML in the text stays text: it is shown as written and never becomes elements. */
function rehypeRawAsText() {
  const visit = (parent: Root | Element): void => {
    for (const [index, child] of parent.children.entries()) {
      // remark-rehype makes `raw` nodes of HTML, which the types do not include.
      if (child.type === 'element') visit(child);
      else if ('value' in child && child.type !== 'text' && child.type !== 'comment')
        parent.children[index] = text(child.value);
    }
  };
  return (tree: Root): void => visit(tree);
}

/** Underlines the last `count` characters faintly as new, and puts the caret after them. */
function rehypeFresh({ count, hasCaret }: { count: number; hasCaret: boolean }) {
  return (tree: Root): void => {
    let left = count;
    const mark = (parent: Root | Element): void => {
      for (let index = parent.children.length - 1; index >= 0 && left > 0; index -= 1) {
        const child = parent.children[index];
        if (child === undefined) continue;
        if (child.type === 'element') mark(child);
        // Line ends between list items are not visible text.
        else if (child.type === 'text' && child.value.trim() !== '') {
          const size = Math.min(left, child.value.length);
          left -= size;
          const old = child.value.slice(0, child.value.length - size);
          const fresh: Element = {
            type: 'element',
            tagName: 'span',
            properties: { className: ['fresh'] },
            children: [text(child.value.slice(old.length))],
          };
          parent.children.splice(index, 1, ...(old === '' ? [] : [text(old)]), fresh);
        }
      }
    };
    mark(tree);
    if (hasCaret)
      lastHolder(tree).children.push({
        type: 'element',
        tagName: 'span',
        properties: { className: ['caret'] },
        children: [],
      });
  };
}

const blocks: ReadonlySet<string> = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'blockquote',
  'th',
  'td',
]);

/**
 * Each block has the direction of its own text: Arabic and Hebrew are aligned to the right, with their full stop on the
 * left. Numbered lists have room for their numbers.
 */
function rehypeDirection() {
  const visit = (parent: Root | Element): void => {
    for (const child of parent.children)
      if (child.type === 'element') {
        if (blocks.has(child.tagName)) child.properties['dir'] = 'auto';
        if (child.tagName === 'ol') child.properties['dataDigits'] = digitsOf(child);
        visit(child);
      }
  };
  return (tree: Root): void => visit(tree);
}

/** How many digits the last number of a list has. Long numbers need a wider edge. */
function digitsOf({ properties, children }: Element): number {
  const items = children.filter((child) => child.type === 'element').length;
  return String(Number(properties['start'] ?? 1) + items - 1).length;
}

function text(value: string): Text {
  return { type: 'text', value };
}

/** The innermost element at the end of the text, so that the caret is on its line. */
function lastHolder(parent: Root | Element): Root | Element {
  const last = parent.children.findLast(
    (child) => child.type === 'element' || (child.type === 'text' && child.value.trim() !== ''),
  );
  const isInline = (child: Child): boolean =>
    child.type === 'element' && ['span', 'strong', 'em', 'del', 'a', 'code'].includes(child.tagName);
  if (last?.type !== 'element' || isInline(last) || last.tagName === 'hr' || last.tagName === 'table') return parent;
  return lastHolder(last);
}

const components: Components = {
  a: ({ href, children }) => <Link url={href ?? ''}>{children}</Link>,
  // Images are named but never loaded, so that no server learns that the output was read.
  img: ({ src, alt }) => (
    <span className={styles.picture}>
      {imageText.notLoaded(
        <Link url={typeof src === 'string' ? src : ''}>
          {alt === undefined || alt === '' ? (src ?? imageText.noAddress) : alt}
        </Link>,
      )}
    </span>
  ),
  span: ({ className, children }) => (
    <span className={className === 'fresh' ? styles.fresh : className === 'caret' ? styles.caret : undefined}>
      {children}
    </span>
  ),
  table: ({ children }) => (
    <div className={styles['table-box']}>
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => <input type="checkbox" checked={checked === true} readOnly tabIndex={-1} />,
};

function Link({ url, children }: { url: string; children: ReactNode }) {
  const onLink = useContext(LinkContext);
  if (!/^(?:https?|mailto):/i.test(url)) return <span>{children}</span>;
  return (
    <a
      href={url}
      title={url}
      onClick={(event) => {
        event.preventDefault();
        onLink(url);
      }}
    >
      {children}
    </a>
  );
}

const remarkPlugins: NonNullable<Options['remarkPlugins']> = [remarkGfm];

/** One block of markdown. Rendered again only if its own text or its new end changes. */
export const MarkdownBlock = memo(function MarkdownBlock({
  source,
  fresh,
  hasCaret,
}: {
  source: string;
  fresh: number;
  hasCaret: boolean;
}) {
  return (
    <div className={styles.block}>
      <Markdown
        remarkPlugins={remarkPlugins}
        rehypePlugins={[rehypeRawAsText, rehypeSanitize, rehypeDirection, [rehypeFresh, { count: fresh, hasCaret }]]}
        components={components}
      >
        {escapeMath(source)}
      </Markdown>
    </div>
  );
});
