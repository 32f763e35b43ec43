import { createHash } from 'node:crypto';
import { formatCredits, formatDuration } from '../../../src-preload/format.ts';
import { statusLook, statusWord } from '../../../src-preload/job.ts';
import { markWord } from '../../../src-preload/judgement.ts';
import { errorOf, type ExportedJob } from './exported-job.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { readBody, type ReportImage } from './report-body.ts';
import { reportStyle } from './report-style.ts';

/**
 * The report is one page that needs nothing else: its style and its images are in it, it has no script, and its policy
 * lets a browser load nothing. What a service or a user wrote is text in it, never markup.
 */

/** What is before the first job. `atMs`: when it was written. */
export function reportHead(title: string, atMs: number): string {
  const hash = createHash('sha256').update(reportStyle).digest('base64');
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${reportStyle}</style>
</head>
<body>
<main>
<header class="report"><h1 dir="auto">${escaped(title)}</h1><p>Report by Jobdeck, ${moment(atMs)}</p></header>
`;
}

/** What is behind the last job. */
export const reportFoot = '</main>\n</body>\n</html>\n';

/** A job as a section of the page. */
export function reportSection(exported: ExportedJob): string {
  const { job, inputText, outputText, note } = exported;
  const error = errorOf(exported);
  return [
    `<article>\n<h2><span class="status ${statusLook(job)}">${escaped(statusWord(job))}</span> `,
    `<bdi>${escaped(job.title)}</bdi></h2>\n`,
    factsOf(exported),
    note === '' ? '' : textBlock('Note', note, true),
    error === null ? '' : errorBlock(error),
    outputText === null ? '' : bodyBlock('Output', outputText),
    inputText === '' ? '' : bodyBlock('Input', inputText),
    '</article>\n',
  ].join('');
}

function factsOf({ job, connection, cost }: ExportedJob): string {
  const time = (atMs: number | null): string | null => (atMs === null ? null : moment(atMs));
  const plain = (text: string | null): string | null => (text === null || text === '' ? null : bdi(text));
  const facts: readonly (readonly [string, string | null])[] = [
    ['Endpoint', plain(job.endpointId)],
    ['Connection', plain(connection)],
    ['Job id', plain(job.jobId)],
    ['Created', time(job.createdAtMs)],
    ['Finished', time(job.finishedSeenAtMs)],
    ['Wait', spanText(job.delayTimeMs)],
    ['Execution', spanText(job.executionTimeMs)],
    ['Cost', cost === null ? null : `${formatCredits(cost)} credits (estimate)`],
    ['Attempt', job.attempt === 1 ? null : String(job.attempt)],
    ['Tags', plain(job.tags.join(', '))],
    ['Mark', job.mark === undefined ? null : markWord(job.mark)],
    ['Label', plain(job.label ?? null)],
  ];
  const shown = facts.flatMap(([name, html]) => (html === null ? [] : [`<div><dt>${name}</dt><dd>${html}</dd></div>`]));
  return `<dl>${shown.join('')}</dl>\n`;
}

/** Less than 10 ms is a dash, as in every window. */
function spanText(ms: number | null): string | null {
  if (ms === null) return null;
  return ms < 10 ? '–' : formatDuration(ms);
}

function bodyBlock(name: string, text: string): string {
  const body = readBody(text);
  const images = body.images.map((image, index) => figure(name, image, index)).join('');
  return `${images === '' ? '' : `<div class="images">${images}</div>\n`}${textBlock(name, body.text, body.isProse)}`;
}

/** An error that came as JSON with a traceback in it is read best with that apart. */
function errorBlock(text: string): string {
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && 'error_traceback' in value) {
    const { error_traceback: traceback, ...rest } = value;
    if (typeof traceback === 'string')
      return `${textBlock('Error', JSON.stringify(rest, null, 2), false)}${textBlock('Traceback', traceback, false)}`;
  }
  const body = readBody(text);
  return textBlock('Error', body.text, body.isProse);
}

function figure(name: string, { format, base64, words }: ReportImage, index: number): string {
  const said = `${name}, image ${index + 1}`;
  return (
    `<figure><img alt="${said}" src="data:image/${format};base64,${base64}">` +
    `<figcaption>${said}: ${words}</figcaption></figure>`
  );
}

/** It scrolls on a screen, so that the keyboard must reach it. */
function textBlock(name: string, text: string, isProse: boolean): string {
  const looks = isProse ? 'prose' : 'code';
  const attributes = `class="${looks}" dir="auto" tabindex="0" role="group" aria-label="${name}"`;
  return `<h3>${name}</h3>\n<pre ${attributes}>${escaped(text)}</pre>\n`;
}

function bdi(text: string): string {
  return `<bdi>${escaped(text)}</bdi>`;
}

const moments = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** In the time of this computer, with its zone. A moment that no calendar has is said as a dash. */
function moment(atMs: number): string {
  const date = new Date(atMs);
  if (Number.isNaN(date.getTime())) return '–';
  return `<time datetime="${date.toISOString()}">${moments.format(date)}</time>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text in markup. What HTML cannot hold, and what would turn around the text after it, is shown as a sign. */
function escaped(text: string): string {
  return text
    .replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (sign) => (/[\t\n\r]/.test(sign) ? sign : '\ufffd'))
    .toWellFormed();
}
