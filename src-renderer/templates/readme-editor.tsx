import { Suspense, useDeferredValue, useState } from 'react';
import { lazyPart } from '../design/lazy-part.ts';
import { classes } from '../design/class-names.ts';
import { Segmented } from '../design/segmented.tsx';
import { askToOpen } from '../navigation/open-requests.ts';
import { PaneSplit } from '../navigation/pane-split.tsx';
import { LinkContext } from '../stream/link-context.ts';
import { readmeText } from '../messages/templates/form.tsx';
import { FieldFrame } from './field-frame.tsx';
import { edit, useTemplate } from './template-store.ts';
import { diffLines, lineCountText } from '../design/text-diff.ts';
import styles from './readme-editor.module.css';

const MarkdownEditor = lazyPart(async () => (await import('./markdown-editor.tsx')).MarkdownEditor);
const MarkdownBlock = lazyPart(async () => (await import('../stream/markdown-block.tsx')).MarkdownBlock);

/** A longer readme has no preview while it is edited. */
const previewLimitChars = 120_000;
type Side = 'write' | 'split' | 'preview';
const sides = [
  { value: 'write', label: readmeText.write },
  { value: 'split', label: readmeText.split },
  { value: 'preview', label: readmeText.preview },
] as const;

/** The readme with its preview, which is sanitised and loads nothing from the network. */
export function ReadmeEditor() {
  const known = useTemplate(({ view }) => view?.known?.template.readme);
  const edited = useTemplate(({ edits }) => edits.readme);
  const [side, setSide] = useState<Side>('split');
  const text = edited ?? known ?? '';
  const shown = useDeferredValue(text);
  const aside = (
    <>
      {edited !== undefined && <span className={styles.counted}>{lineCountText(diffLines(known ?? '', edited))}</span>}
      <Segmented size="sm" label={readmeText.view} value={side} options={sides} onChange={setSide} />
    </>
  );
  return (
    <FieldFrame field="readme" aside={aside}>
      <PaneSplit
        pane="readmeSource"
        className={classes(styles.box, side === 'split' && styles.split)}
        left={
          side !== 'preview' && (
            <Suspense fallback={<div className={styles.source} />}>
              <MarkdownEditor
                label={readmeText.editor}
                whenEmpty={known === undefined ? readmeText.unknown : readmeText.empty}
                value={text}
                onChange={(next) => edit('readme', next)}
              />
            </Suspense>
          )
        }
        right={side !== 'write' && <Preview text={shown} />}
      />
    </FieldFrame>
  );
}

const askAboutLink = (url: string): void => askToOpen(url, readmeText.owner);

function Preview({ text }: { text: string }) {
  return (
    <div className={styles.preview} role="region" aria-label={readmeText.previewRegion} tabIndex={0}>
      {text.trim() === '' ? (
        <p className={styles.nothing}>{readmeText.nothing}</p>
      ) : text.length > previewLimitChars ? (
        <p className={styles.nothing}>{readmeText.tooLong}</p>
      ) : (
        <Suspense fallback={null}>
          <LinkContext value={askAboutLink}>
            <MarkdownBlock source={text} fresh={0} hasCaret={false} />
          </LinkContext>
        </Suspense>
      )}
    </div>
  );
}
