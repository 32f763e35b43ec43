import { statusWord } from '../../src-preload/job.ts';
import { escaped, momentElement, reportFoot, reportPageHead, reportStyle } from '../../src-preload/report-page.ts';
import type { FoundImage } from '../job/media/find-images.ts';
import type { Steps } from '../stream/use-steps.ts';
import { commonText } from '../messages/common.ts';
import { comparisonReportText, factsText, partNames, valueText } from '../messages/compare/differences.ts';
import { compareText } from '../messages/compare/pane.ts';
import type { Compared, ComparedPart } from './compared.ts';
import { changeOf, summaryOf } from './compared-section.tsx';
import { statusKindOf, type FactRow } from './fact-rows.ts';
import { imageKind } from './image-cells.tsx';
import type { DiffRow, PlacedValue } from './json-diff.ts';
import { changesText, compareRowTexts, type RowTexts } from './row-texts.ts';
import { letters, type SideRead } from './sides.ts';
import type { TextDiff } from './text-cell.ts';
import { shortValue } from './value-cells.tsx';

/** A part of the comparison in the report. */
interface ReportedPart {
  part: ComparedPart;
  texts: readonly (string | null)[];
  compared: Compared;
}

export interface ComparisonReport {
  sides: readonly SideRead[];
  facts: readonly FactRow[];
  parts: readonly ReportedPart[];
  atMs: number;
  /** The nonce of the style in the page's policy. For this report only. */
  nonce: string;
}

const comparisonStyle = `
main { max-width: 1280px; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: 13px; line-height: 18px; }
th, td { padding: 5px 8px; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
th, td { overflow-wrap: anywhere; }
th { font-weight: 500; color: var(--soft); }
col.name { width: 20%; } col.change { width: 12%; }
td.change { text-align: right; color: var(--quiet); }
tr.equal td { color: var(--soft); }
del { text-decoration: underline dotted; background: rgba(229, 72, 77, .16); }
ins { text-decoration: underline; background: rgba(23, 138, 82, .16); }
.text { white-space: pre-wrap; }
.left-out { color: var(--quiet); }
`;

/**
 * The comparison as one HTML page without script or remote reference, in small steps: the differences with their
 * images, and the names of what is equal. Texts of the service stay text in it.
 */
export function* comparisonReport({ sides, facts, parts, atMs, nonce }: ComparisonReport): Steps<string> {
  const names = sides.map(({ detail: { job } }) => job.title);
  const style = reportStyle + comparisonStyle;
  const html = [
    reportPageHead({
      title: comparisonReportText.title(names),
      atMs,
      style,
      styleSource: `'nonce-${nonce}'`,
      nonce,
    }),
    section(comparisonReportText.jobs, sidesTable(sides)),
    section(factsText.title, factsTable(facts)),
  ];
  for (const { part, texts, compared } of parts) {
    const rows: string[] = [];
    for (const row of compared.rows) {
      if (row.isEqual && !compared.images.has(row.path)) continue;
      rows.push(rowOf(row, compared, yield* compareRowTexts(row)));
      yield;
    }
    html.push(
      section(partNames[part], `<p>${escaped(summaryOf(compared, texts, part))}</p>${table(sides.length, rows)}`),
    );
  }
  return html.join('') + reportFoot;
}

function section(title: string, html: string): string {
  return `<article>\n<h2>${title}</h2>\n${html}</article>\n`;
}

function table(sides: number, rows: readonly string[]): string {
  if (rows.length === 0) return '';
  const heads = letters.slice(0, sides).map((letter) => `<th scope="col">${letter}</th>`);
  const columns = `<col class="name">${'<col>'.repeat(sides)}<col class="change">`;
  return (
    `<table><colgroup>${columns}</colgroup><thead><tr><th scope="col">${comparisonReportText.name}</th>` +
    `${heads.join('')}<th scope="col">${sides === 2 ? compareText.secondAgainstFirst : ''}</th></tr></thead>\n` +
    `<tbody>\n${rows.join('')}</tbody></table>\n`
  );
}

function line(name: string, cells: readonly string[], change: string, isEqual: boolean): string {
  return (
    `<tr${isEqual ? ' class="equal"' : ''}><th scope="row">${escaped(name)}</th>` +
    `${cells.map((cell) => `<td>${cell}</td>`).join('')}<td class="change">${escaped(change)}</td></tr>\n`
  );
}

function sidesTable(sides: readonly SideRead[]): string {
  const row = (name: string, textOf: (side: SideRead) => string): string => line(name, sides.map(textOf), '', true);
  return table(sides.length, [
    row(comparisonReportText.job, (side) => {
      const { job } = side.detail;
      const status = `<span class="status ${statusKindOf(side)}">${escaped(statusWord(job))}</span>`;
      return `${status} <bdi>${escaped(job.title)}</bdi>`;
    }),
    row(comparisonReportText.jobId, ({ detail: { job } }) => escaped(job.jobId ?? '–')),
    row(commonText.endpoint, ({ detail: { job } }) => escaped(job.endpointId)),
    row(comparisonReportText.created, ({ detail: { job } }) => momentElement(job.createdAtMs)),
    row(comparisonReportText.attempt, ({ attempt, detail: { job } }) => String(attempt?.number ?? job.attempt)),
  ]);
}

function factsTable(facts: readonly FactRow[]): string {
  const rows = facts.map(({ name, cells, change, isEqual }) =>
    line(
      name,
      cells.map(({ text }) => escaped(text)),
      change,
      isEqual,
    ),
  );
  return table(facts[0]?.cells.length ?? 0, rows);
}

function rowOf(row: DiffRow, { images }: Compared, texts: RowTexts | null): string {
  const found = images.get(row.path);
  const isPair = row.values.length === 2;
  const cells = row.values.map((value, side) => {
    const image = found?.[side] ?? null;
    if (image !== null) return imageOf(image, comparisonReportText.image(row.path, letters[side] ?? ''));
    const text = texts?.[side] ?? null;
    return text === null ? plainCell(value) : textCell(text, side === 0);
  });
  return line(row.path, cells, isPair && !row.isEqual ? changeOf(row) || changesText(texts) : '', row.isEqual);
}

function plainCell(value: PlacedValue | null): string {
  return value === null ? valueText.notSet : escaped(shortValue(value));
}

function textCell({ parts, isCut }: TextDiff, isFirst: boolean): string {
  const html = parts.map((part) => {
    switch (part.kind) {
      case 'same':
        return escaped(part.text);
      case 'left-out':
        return `<span class="left-out">\n${valueText.equalLines(part.lines)}\n</span>`;
      case 'removed':
        return isFirst ? `<del>${escaped(part.text)}</del>` : '';
      case 'added':
        return isFirst ? '' : `<ins>${escaped(part.text)}</ins>`;
    }
  });
  return `<div class="text" dir="auto">${html.join('')}${isCut ? `<p>${comparisonReportText.isCut}</p>` : ''}</div>`;
}

function imageOf(image: FoundImage, name: string): string {
  const base64 = image.base64.replaceAll(/[^A-Za-z0-9+/=]/g, '');
  return (
    `<figure><img alt="${escaped(name)}" src="data:image/${image.format};base64,${base64}">` +
    `<figcaption>${escaped(imageKind(image))}</figcaption></figure>`
  );
}
