import { EditorView } from '@codemirror/view';

/** The styles of the list of learned keys and the panel beside it, from the design tokens. */
export const learnedTheme = EditorView.theme({
  '.cm-tooltip.cm-tooltip-autocomplete, .cm-tooltip.cm-completionInfo': {
    display: 'block',
    border: 'none',
    borderRadius: 'var(--r-md)',
    background: 'var(--bg-overlay)',
    boxShadow: 'var(--surface-overlay)',
    color: 'var(--text-1)',
    zIndex: 'var(--z-popover)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono)',
    fontSize: '12px',
    minWidth: '240px',
    maxHeight: '240px',
    padding: '5px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'center',
    height: '28px',
    padding: '0 8px',
    borderRadius: 'var(--r-sm)',
    lineHeight: '16px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--fill-3)',
    color: 'var(--text-1)',
  },
  '.cm-completionLabel': { flex: '1', overflow: 'hidden', textOverflow: 'ellipsis' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': {
    marginLeft: '12px',
    fontFamily: 'var(--font-ui)',
    fontSize: '11.5px',
    fontStyle: 'normal',
    color: 'var(--text-2)',
  },
  '.cm-tooltip.cm-completionInfo': { width: '260px', maxWidth: '260px', padding: '11px 14px 12px', margin: '0 4px' },
  '.learned': { fontFamily: 'var(--font-ui)', fontSize: '12px', lineHeight: '16px' },
  '.learned-name': { fontFamily: 'var(--font-mono)', overflowWrap: 'anywhere' },
  '.learned-kind': { margin: '3px 0 8px', color: 'var(--text-2)' },
  '.learned-value': {
    display: 'grid',
    gridTemplateColumns: '80px minmax(0, 1fr) 32px',
    gap: '10px',
    alignItems: 'center',
    marginTop: '5px',
    fontVariantNumeric: 'tabular-nums',
  },
  '.learned-json': {
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontFamily: 'var(--font-mono)',
  },
  '.learned-track': { display: 'block', height: '4px' },
  '.learned-bar': { display: 'block', height: '4px', borderRadius: '2px', background: 'var(--text-2)' },
  '.learned-count': { textAlign: 'right', color: 'var(--text-3)' },
  '.learned-foot': { margin: '10px 0 0', fontSize: '11.5px', color: 'var(--text-3)' },
});
