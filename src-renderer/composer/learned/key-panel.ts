import type { LearnedKey } from '../../../src-preload/learned.ts';
import { keyText, learnedText } from '../../messages/composer/input.ts';

/** The panel about a key, beside the list of keys. CodeMirror needs a DOM node, not a component. */
export function keyPanel(key: LearnedKey, jobs: number): HTMLElement {
  const panel = element('div', 'learned');
  panel.append(element('div', 'learned-name', key.path.join('.')), element('p', 'learned-kind', keyText(key)));
  const max = key.values[0]?.count ?? 1;
  for (const { json, count } of key.values) {
    const row = element('div', 'learned-value');
    const bar = element('i', 'learned-bar');
    bar.style.width = `${Math.max(3, (count / max) * 100)}%`;
    const track = element('span', 'learned-track');
    track.append(bar);
    row.append(element('code', 'learned-json', json), track, element('span', 'learned-count', String(count)));
    panel.append(row);
  }
  panel.append(element('p', 'learned-foot', `${learnedText.learnedFrom(jobs)}. ${learnedText.howToInsert}`));
  return panel;
}

function element(tag: 'div' | 'p' | 'i' | 'span' | 'code', name: string, text?: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
}
