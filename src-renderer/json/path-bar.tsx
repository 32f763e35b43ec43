import { ChevronRight, Copy, Ellipsis, Route } from 'lucide-react';
import { Fragment } from 'react';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Menu } from '../design/menu/menu.tsx';
import { jsonCopyText } from '../messages/json/view.ts';
import { decodeString } from '../../src-preload/json-spans.ts';
import { copyEntries, copyPath, copyValue } from './json-copies.tsx';
import { keyToken, positionOf, type JsonIndex } from './json-index.ts';
import styles from './json-tree.module.css';

/** How many steps of a long path are shown, from its end. */
const maxCrumbs = 8;

/** The path of the selected value below the values, and what copies that value alone. */
export function PathBar({
  index,
  node,
  onSelect,
}: {
  index: JsonIndex;
  node: number;
  onSelect: (node: number) => void;
}) {
  const crumbs: number[] = [];
  for (let at = node; at !== -1 && crumbs.length < maxCrumbs; at = index.parent[at] ?? -1) crumbs.unshift(at);
  const isCut = (crumbs[0] ?? 0) !== 0;
  return (
    <div className={styles.path}>
      <nav className={styles.crumbs} aria-label={jsonCopyText.path}>
        {isCut && '…'}
        {crumbs.map((crumb, at) => (
          <Fragment key={crumb}>
            {(at > 0 || isCut) && <ChevronRight aria-hidden="true" />}
            <button type="button" className={styles.crumb} onClick={() => onSelect(crumb)}>
              {nameOf(index, crumb)}
            </button>
          </Fragment>
        ))}
      </nav>
      <IconButton
        label={jsonCopyText.copyPath}
        size="sm"
        hasSmallGlyph
        icon={<Route />}
        keys={['Ctrl', 'Shift', 'P']}
        onClick={() => copyPath(index, node)}
      />
      <Button variant="ghost" size="sm" icon={<Copy />} onClick={() => copyValue(index, node)}>
        {jsonCopyText.copyValue}
      </Button>
      <Menu
        align="end"
        trigger={<IconButton label={jsonCopyText.more} size="sm" hasSmallGlyph icon={<Ellipsis />} />}
        items={copyEntries(index, node)}
      />
    </div>
  );
}

function nameOf(index: JsonIndex, node: number): string {
  if (node === 0) return '$';
  const key = keyToken(index, node);
  return key === null ? String(positionOf(index, node)) : decodeString(key);
}
